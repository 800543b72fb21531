"""Summaries written by a model, believed as far as the turns carry them: at most two requests, then the rules' form."""

import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final

from json_repair import repair_json

from muniment.derivation.summaries.believing import unsaid
from muniment.derivation.summaries.versions import Draft
from muniment.derivation.summaries.words import time_told
from muniment.errors import MunimentError
from muniment.extraction.turns import Turn
from muniment.providers.chat import ChatMessage, ChatModel, Completion
from muniment.providers.quoting import as_data
from muniment.providers.statuses import concerns_all

PROMPT: Final = "summary.v1.txt"
_CHARACTERS: Final = 48_000  # of turns in a request
_LONGEST_TURN: Final = 4_000
_LONGEST_REPLY: Final = 100_000
_LONGEST_TEXT: Final = 3_000
_CHARACTERS_A_TOKEN: Final = 4
_THINKING: Final = re.compile(r"\A\s*<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL)
_UNSTORABLE: Final = re.compile("[\x00-\x08\x0b-\x1f\ud800-\udfff]")
_TEXT: Final = {"type": "string"}
_TEXTS: Final = {"type": "array", "items": _TEXT}
_SHAPE: Final[dict[str, Any]] = {
    "turns": _TEXTS, "title": _TEXT, "summary": _TEXT, "decisions": _TEXTS, "outcome": _TEXT, "phrasings": _TEXTS,
}  # fmt: skip
SCHEMA: Final[Mapping[str, Any]] = MappingProxyType(
    {"type": "object", "properties": _SHAPE, "required": list(_SHAPE), "additionalProperties": False}
)


@cache
def prompt_text() -> str:
    """The prompt as its file has it."""
    return files("muniment.derivation.prompts").joinpath(PROMPT).read_text("utf-8")


@cache
def prompt_hash() -> str:
    """The first 12 hexadecimal digits of the SHA-256 of the prompt."""
    return sha256(prompt_text().encode()).hexdigest()[:12]


def form_of(chat: ChatModel) -> str:
    """What summaries say of where they are from: the model and the hash of the prompt."""
    return f"model:{chat.name}:{prompt_hash()}"


@dataclass(slots=True)
class Writing:
    """What came of asking. ``draft`` is None where nothing that was written can be used; ``reason`` says why, and
    ``unanswered`` that it was never answered: it may be some other time."""

    draft: Draft | None = None
    reason: str | None = None
    unanswered: bool = False
    requests: int = 0
    refused: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    estimated: bool = False
    duration_ms: float = 0.0

    def add(self, asked: Sequence[ChatMessage], completion: Completion) -> None:
        """Counts one request and what it cost."""
        self.requests += 1
        told = completion.prompt_tokens, completion.completion_tokens
        self.estimated = self.estimated or None in told
        length = sum(len(message.content) for message in asked)
        self.prompt_tokens += length // _CHARACTERS_A_TOKEN if told[0] is None else told[0]
        self.completion_tokens += len(completion.text) // _CHARACTERS_A_TOKEN if told[1] is None else told[1]


async def write_summary(chat: ChatModel, base: Draft, turns: Sequence[Turn], seconds: float) -> Writing:
    """The summary of some turns in a model's words; ``base`` is the one by rules. Raises nothing."""
    start, told = time.perf_counter(), Writing()
    shown = _within(turns)
    asked = _messages(shown)
    for attempt in range(2):
        try:
            completion = await chat.complete(asked, schema=SCHEMA, seconds=seconds)
        except MunimentError as error:
            told.reason, told.unanswered = error.code, concerns_all(error)
            break
        told.add(asked, completion)
        if completion.ending == "refusal":
            told.reason = "summary.refused"
            break
        found, why = _read(completion.text, shown)
        if found is not None:
            told.draft, told.reason = _draft(base, found, shown, form_of(chat)), None
            break
        told.refused += 1
        told.reason = "summary.reply_invalid" if completion.text.strip() else "summary.reply_empty"
        if attempt == 0:
            asked = _again(asked, completion.text, why)
    told.duration_ms = (time.perf_counter() - start) * 1000
    return told


def _within(turns: Sequence[Turn]) -> list[Turn]:
    kept: list[Turn] = []
    size = 0
    for turn in turns:
        size += min(len(turn.text), _LONGEST_TURN)
        if kept and size > _CHARACTERS:
            break
        kept.append(turn)
    return kept


def _messages(turns: Sequence[Turn]) -> list[ChatMessage]:
    items = []
    for n, turn in enumerate(turns, start=1):
        said = turn.said_local()
        item = {
            "id": f"T{n}",
            "time": None if said is None else f"{said.isoformat(timespec='minutes')} ({said:%A})",
            "speaker": turn.speaker or turn.role,
            "text": turn.text[:_LONGEST_TURN],
        }
        items.append({name: value for name, value in item.items() if value is not None})
    user = "\n".join(["<turns>", as_data(items), "</turns>", "", "Summarise them in the JSON that was described."])
    return [ChatMessage("system", prompt_text()), ChatMessage("user", user)]


def _again(asked: Sequence[ChatMessage], reply: str, why: str) -> list[ChatMessage]:
    return [
        *asked,
        ChatMessage("assistant", reply[:8000] or "(nothing)"),
        ChatMessage("user", f"That reply cannot be used: {why}. Reply with the one JSON object that was described."),
    ]


def _read(reply: str, turns: Sequence[Turn]) -> tuple[dict[str, Any] | None, str]:
    """What of a reply can be believed, or why nothing can."""
    text = _THINKING.sub("", reply[:_LONGEST_REPLY])
    start = text.find("{")
    if start < 0:
        return None, "there is no JSON object in it"
    try:
        found = repair_json(text[start:], return_objects=True, skip_json_loads=False)
    except (ValueError, RecursionError):
        return None, "it is not JSON"
    if not isinstance(found, dict) or not _clean(found.get("summary")):
        return None, 'it has no "summary"'
    numbers = [_turn(each, len(turns)) for each in _list(found.get("turns"))]
    cited = [number for number in dict.fromkeys(numbers) if number is not None]
    if not cited:
        return None, '"turns" names none of the turns'
    title = _clean(found.get("title"))[:200]
    told: dict[str, Any] = {
        "summary": _clean(found["summary"])[:_LONGEST_TEXT],
        "title": "" if unsaid(title, turns) else title,  # the one by rules stands in
        "outcome": _clean(found.get("outcome"))[:500],
        "decisions": _list(found.get("decisions"))[:8],
        "phrasings": [each for each in _list(found.get("phrasings"))[:5] if not unsaid(each, turns)],
        "turns": cited,
    }
    unknown = unsaid("\n".join([told["summary"], told["outcome"], *told["decisions"]]), turns)
    if unknown:
        return None, f"the turns do not say {', '.join(unknown[:5])}"
    return told, ""


def _draft(base: Draft, told: Mapping[str, Any], turns: Sequence[Turn], form: str) -> Draft:
    records = [turns[number].record_no for number in told["turns"]]
    detail = dict(base.detail)
    text = told["summary"]
    if base.kind == "episode":
        detail |= {"decisions": told["decisions"], "outcome": told["outcome"] or None}
        lines = [" ".join(filter(None, (time_told(turns), text)))]
        lines += [f"Decided: {each}" for each in told["decisions"]]
        lines += [f"In the end: {told['outcome']}"] if told["outcome"] else []
        lines += [f"Planned: {each}" for each in detail["plans"]]
        text = "\n".join(lines)
        records = list(base.records)
    return replace(
        base, title=told["title"] or base.title, text=text, form=form, records=records, detail=detail,
        phrasings=list(dict.fromkeys([*told["phrasings"], *base.phrasings])),
    )  # fmt: skip


def _turn(label: str, most: int) -> int | None:
    digits = label.strip().upper().removeprefix("T")
    return int(digits) - 1 if digits.isdecimal() and len(digits) < 9 and 1 <= int(digits) <= most else None


def _clean(value: Any) -> str:
    return _UNSTORABLE.sub("", value).strip() if isinstance(value, str) else ""


def _list(value: Any) -> list[str]:
    return [text for each in value if (text := _clean(str(each))[:500])] if isinstance(value, list) else []
