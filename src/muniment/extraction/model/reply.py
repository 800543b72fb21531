"""What of a model's reply is believed: what has the described form, and whose words stand in the turns."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated, Any, Final, Literal

from json_repair import repair_json
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from muniment.extraction.grounding import Refusal, refusal, restatement
from muniment.extraction.model.prompt import label
from muniment.extraction.model.windows import Window
from muniment.extraction.pronouns import is_pronoun
from muniment.extraction.statements import (
    ENTITY_TYPES,
    LONGEST_NAME,
    LONGEST_OBJECT,
    STATEMENT_KINDS,
    Span,
    Statement,
)
from muniment.extraction.support import supported
from muniment.extraction.time.expressions import read_intervals
from muniment.extraction.turns import Turn

MOST_FACTS: Final = 200
_LONGEST_REPLY: Final = 200_000
_THINKING: Final = re.compile(r"\A\s*<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL)
_UNSTORABLE: Final = re.compile("[\x00-\x08\x0b-\x1f\ud800-\udfff]")
_NOMINAL: Final = datetime(2000, 1, 1, tzinfo=UTC)

Refused = Literal["form", "evidence"] | Refusal
"""Why an item of a reply is no fact."""


def _text(value: Any) -> Any:
    return _UNSTORABLE.sub("", value).strip() if isinstance(value, str) else value


def _optional(value: Any) -> Any:
    return "" if value is None else _text(value)


class _Evidence(BaseModel):
    model_config = ConfigDict(extra="ignore")

    turn: Annotated[str, BeforeValidator(_text)]
    quote: Annotated[str, BeforeValidator(_text), Field(min_length=1)]


class _Fact(BaseModel):
    model_config = ConfigDict(extra="ignore")

    evidence: list[_Evidence] = Field(min_length=1, max_length=8)
    subject: Annotated[str, BeforeValidator(_text), Field(min_length=1, max_length=LONGEST_NAME)]
    relation: Annotated[str, BeforeValidator(_text), Field(min_length=1, max_length=LONGEST_NAME)]
    object: Annotated[str, BeforeValidator(_text), Field(min_length=1, max_length=LONGEST_OBJECT)]
    subject_type: str = "unknown"
    object_type: str = "unknown"
    negated: bool = False
    kind: str = "statement"
    restatement: Annotated[str, BeforeValidator(_optional), Field(max_length=2000)] = ""
    time: Annotated[str, BeforeValidator(_optional)] = ""
    confidence: float = 0.7


class UnreadableReply(Exception):
    """The reply has no list of facts in it; the message says why in words that the model can use."""


def facts_in(text: str) -> list[Any]:
    """The list of facts in a reply, whatever stands around it, mended where its JSON is broken or cut off.

    Raises UnreadableReply where there is none. What the items are is not looked at.
    """
    text = _THINKING.sub("", text[:_LONGEST_REPLY])
    start = min((place for mark in "{[" if (place := text.find(mark)) >= 0), default=-1)
    if start < 0:
        raise UnreadableReply("there is no JSON object in it")
    try:
        found = repair_json(text[start:], return_objects=True, skip_json_loads=False)
    except (ValueError, RecursionError):
        raise UnreadableReply("it is not JSON") from None
    if isinstance(found, dict):
        found = found.get("facts", found if "subject" in found else None)
        found = [found] if isinstance(found, dict) else found
    if not isinstance(found, list):
        raise UnreadableReply('it has no list named "facts"')
    items = [item for item in found if isinstance(item, dict)]
    if len(items) == 1 and isinstance(items[0].get("facts"), list):
        items = [item for item in items[0]["facts"] if isinstance(item, dict)]
    if found and not items:
        raise UnreadableReply('the items of "facts" are not objects')
    return items[:MOST_FACTS]


def statements_in(items: list[Any], window: Window) -> tuple[list[Statement], Counter[Refused]]:
    """The statements that the window's turns support, each once, and why how many items were refused.

    Refused is what has not the form, whose quotations are not in the turns that they name or are an assistant's alone
    (``evidence``), and whose quotations do not say its object, relation, subject or polarity, as ``refusal`` tells.
    """
    kept: dict[object, Statement] = {}
    refused: Counter[Refused] = Counter()
    for item in items:
        found = _statement(item, window)
        if isinstance(found, str):
            refused[found] += 1
        else:
            kept.setdefault(found.identity(), found)
    return list(kept.values()), refused


def _statement(item: Any, window: Window) -> Statement | Refused:
    try:
        fact = _Fact.model_validate(item)
    except ValidationError:
        return "form"
    relation = re.sub(r"_+", "_", re.sub(r"[^\w]+", "_", fact.relation.casefold())).strip("_")
    if not relation:
        return "form"
    spans = tuple(dict.fromkeys(_spans(fact, window)))
    if not spans:
        return "evidence"
    if is_pronoun(fact.subject):
        return "subject"
    if is_pronoun(fact.object):
        return "object"
    begin, end = _times(fact, window, spans)
    found = Statement(
        subject=fact.subject,
        relation=relation,
        object=fact.object,
        text=fact.restatement,
        spans=spans,
        subject_type=fact.subject_type if fact.subject_type in ENTITY_TYPES else "unknown",  # type: ignore[arg-type]
        object_type=fact.object_type if fact.object_type in ENTITY_TYPES else "unknown",  # type: ignore[arg-type]
        negated=fact.negated,
        kind=fact.kind if fact.kind in STATEMENT_KINDS else "statement",  # type: ignore[arg-type]
        confidence=min(1.0, max(0.0, fact.confidence)),
        event_from=begin,
        event_to=end,
    )
    if why := refusal(found, window.turns):
        return why
    found = replace(found, text=restatement(found, fact.restatement, window.turns))
    return found if supported(found, window.texts) else "evidence"


def _spans(fact: _Fact, window: Window) -> Iterator[Span]:
    """Where the quotations stand; none at all where one is not there, or only what an assistant said is quoted."""
    turns = {label(index): turn for index, turn in enumerate(window.turns)}
    found = []
    for each in fact.evidence:
        turn = turns.get(each.turn.upper())
        place = None if turn is None else _find(turn.text, each.quote)
        if turn is None or place is None:
            return
        found.append((turn, place))
    if any(not turn.by_machine for turn, _ in found):
        yield from (Span(turn.record_no, *place) for turn, place in found)


def _find(text: str, quote: str) -> tuple[int, int] | None:
    """Where the quotation stands: to the letter, or with other white space, quotation marks and capitals."""
    start = text.find(quote)
    if start >= 0:
        return start, start + len(quote)
    words = quote.strip("\"'“”‘’.… ").split()  # noqa: RUF001
    if not words or len(quote) > 2000:
        return None
    marks = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"'})  # noqa: RUF001
    pattern = r"\s+".join(re.escape(word.translate(marks)) for word in words)
    match = re.search(pattern, text.translate(marks), re.IGNORECASE)
    return None if match is None else match.span()


def _times(fact: _Fact, window: Window, spans: tuple[Span, ...]) -> tuple[datetime | None, datetime | None]:
    """When the words that the model says tell the time resolve to, against the time of the turn that holds them.

    The model is asked which words, never which date: a date of its own making is not believed.
    """
    words = fact.time
    if not words or len(words) > LONGEST_NAME:
        return None, None
    quoted = {span.record_no for span in spans}
    for turn in window.turns:
        if turn.record_no not in quoted or (place := _find(turn.text, words)) is None:
            continue
        return _resolved(fact, turn, place)
    return None, None


def _resolved(fact: _Fact, turn: Turn, place: tuple[int, int]) -> tuple[datetime | None, datetime | None]:
    reference = turn.said_local()
    for span in read_intervals(turn.text, reference or _NOMINAL, turn.language):
        if span.last <= place[0] or span.first >= place[1] or (span.relative and reference is None):
            continue
        start, end = span.start.astimezone(UTC), span.end.astimezone(UTC)
        opens = span.bound == "since" or re.search(
            r"\b(?:since|from|as of|starting)\s*$", turn.text[: span.first], re.I
        )
        if opens and fact.kind == "statement":
            return start, None
        if span.bound == "in":
            return start, end
    return None, None
