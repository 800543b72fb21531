"""What a model gives back, and how it is read: nothing of it is believed before it is validated."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import jiter
from pydantic import BaseModel, ConfigDict, Field, ValidationError

_MOST_IDS = 100
_THINKING = re.compile(r"\A\s*<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL)
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")

SCHEMA: Mapping[str, Any] = MappingProxyType(
    {
        "type": "object",
        "properties": {
            "answer": {"type": "string"},
            "abstain": {"type": "boolean"},
            "citation_ids": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["answer", "abstain", "citation_ids"],
        "additionalProperties": False,
    }
)


class Verdict(BaseModel):
    """A model's answer: its text, whether it abstains, and the ids of the records that it says to rest on."""

    model_config = ConfigDict(strict=True, extra="ignore")

    answer: str
    abstain: bool
    citation_ids: list[str] = Field(max_length=_MOST_IDS)


class UnreadableVerdict(Exception):
    """The text is no verdict; the message says why in words that the model that wrote it can use."""


def read_verdict(text: str, longest: int) -> Verdict:
    """The verdict in a model's text: the JSON object from its first brace to its last, whatever stands around it.

    Raises UnreadableVerdict where there is none, where it is not of the shape, and where the answer is longer than
    ``longest`` characters.
    """
    text = _THINKING.sub("", text)
    start, end = text.find("{"), text.rfind("}")
    if start < 0 or end < start:
        raise UnreadableVerdict("there is no JSON object in it")
    try:
        verdict = Verdict.model_validate_json(_storable(text[start : end + 1]).encode())
    except ValidationError as error:
        told = error.errors(include_input=False, include_url=False)[0]
        at = ".".join(str(part) for part in told["loc"])
        raise UnreadableVerdict(f"{at}: {told['msg']}" if at else told["msg"]) from None
    answer = _storable(verdict.answer).strip()
    if len(answer) > longest:
        raise UnreadableVerdict(f"the answer is longer than {longest} characters")
    return Verdict(
        answer=answer, abstain=verdict.abstain, citation_ids=[_storable(each) for each in verdict.citation_ids]
    )


def answer_so_far(text: str) -> str:
    """The beginning of the answer in a verdict that is still being written; empty before it begins."""
    text = _THINKING.sub("", text)
    start = text.find("{")
    if start < 0 or text.lstrip().startswith("<think"):
        return ""
    try:
        value = jiter.from_json(_storable(text[start:]).encode(), partial_mode="trailing-strings", cache_mode="none")
    except ValueError:
        return ""
    answer = value.get("answer") if isinstance(value, dict) else None
    return _storable(answer).lstrip() if isinstance(answer, str) else ""


def _storable(text: str) -> str:
    """Without what no database takes as text: NUL, and halves of surrogate pairs."""
    return _UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", text)
