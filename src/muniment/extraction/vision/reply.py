"""What of a model's reply about an image is taken: texts of bounded length, and nothing that could act."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from json_repair import repair_json

_LONGEST_REPLY: Final = 200_000
_LONGEST_DESCRIPTION: Final = 4_000
_LONGEST_TEXT: Final = 20_000
_LONGEST_CELL: Final = 500
_MOST_TABLES, _MOST_ROWS, _MOST_COLUMNS = 20, 200, 50
_MOST_CHARTS, _MOST_RELATIONS = 20, 100
_THINKING: Final = re.compile(r"\A\s*<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL)
_UNSTORABLE: Final = re.compile("[\x00-\x08\x0b-\x1f\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Table:
    """A table that stands in an image."""

    title: str
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Description:
    """What a model says that an image shows. ``charts`` and ``relations`` are sentences, one for each."""

    description: str
    visible_text: str = ""
    tables: Sequence[Table] = ()
    charts: Sequence[str] = ()
    relations: Sequence[str] = ()


class UnreadableReply(Exception):
    """The reply describes nothing; the message says why in words that the model can use."""


def description_in(text: str) -> Description:
    """The description in a reply, whatever stands around it, mended where its JSON is broken or cut off.

    Members that are missing or not of their form count as empty, others are passed over. Raises UnreadableReply where
    there is neither a description nor any text.
    """
    text = _THINKING.sub("", text[:_LONGEST_REPLY])
    start = text.find("{")
    if start < 0:
        raise UnreadableReply("there is no JSON object in it")
    try:
        found = repair_json(text[start:], return_objects=True, skip_json_loads=False)
    except (ValueError, RecursionError):
        raise UnreadableReply("it is not JSON") from None
    if isinstance(found, list):
        found = next((each for each in found if isinstance(each, dict)), None)
    if not isinstance(found, dict):
        raise UnreadableReply("there is no JSON object in it")
    description = _clean(found.get("description"), _LONGEST_DESCRIPTION)
    visible = _clean(found.get("visible_text"), _LONGEST_TEXT)
    if not description and not visible:
        raise UnreadableReply('it has neither "description" nor "visible_text"')
    return Description(
        description,
        visible,
        list(_tables(found.get("tables")))[:_MOST_TABLES],
        list(_said(found.get("charts"), ("title", "kind", "says"), ": "))[:_MOST_CHARTS],
        list(_said(found.get("relations"), ("subject", "relation", "object"), " "))[:_MOST_RELATIONS],
    )


def _tables(value: Any) -> Iterator[Table]:
    for each in value if isinstance(value, list) else ():
        if not isinstance(each, dict) or not isinstance(each.get("rows"), list):
            continue
        rows = [
            [_clean(cell, _LONGEST_CELL) for cell in row[:_MOST_COLUMNS]]
            for row in each["rows"][:_MOST_ROWS]
            if isinstance(row, list)
        ]
        if any(cell for row in rows for cell in row):
            yield Table(_clean(each.get("title"), _LONGEST_CELL), rows)


def _said(value: Any, names: tuple[str, ...], between: str) -> Iterator[str]:
    for each in value if isinstance(value, list) else ():
        parts = [_clean(each.get(name), _LONGEST_DESCRIPTION) for name in names] if isinstance(each, dict) else []
        said = between.join(filter(None, parts)) if parts else _clean(each, _LONGEST_DESCRIPTION)
        if said:
            yield said


def _clean(value: Any, most: int) -> str:
    """A value as text that can be stored; nothing for what is neither a text nor a number."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return _UNSTORABLE.sub("", str(value)).strip()[:most].strip()
