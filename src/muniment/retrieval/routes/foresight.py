"""What was said to come: plans and intentions, where a question looks ahead. *Where will Gus live?*

A plan is never an event and no claim; it is told as what was planned. One that was given up since, or whose time is
over, tells nothing of what is to come.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from muniment.database.pool import Row
from muniment.extraction.inflection import FORM_WORDS, holds, words_of
from muniment.extraction.relation_words import said_by
from muniment.retrieval.state import Search

_AHEAD = re.compile(
    r"(?-i:\bwill\b|^\W*Will\b)|\b(?:won['’]t|going\s+to|gonna|plan(?:s|ned|ning)?|intend(?:s|ed|ing)?"  # noqa: RUF001
    r"|intentions?|upcoming|next\s+\w+|tomorrow|soon"
    r"|in\s+the\s+future|about\s+to|looking\s+forward)\b|\b(?:is|are|am)\s+(?:\w+\s+){1,3}?(?:moving|relocating|travell?ing|flying|visiting|leaving|marrying)\b",
    re.IGNORECASE,
)
_MOST = 20  # plans of a person that are looked at
_ANY = frozenset(
    """do doing plan plans planning planned intend intends going future upcoming next soon tomorrow week month year
    weekend summer winter spring autumn what where when who which how want wants intentions intention go gonna
    happen up coming""".split()  # noqa: SIM905
)
"""Words that ask for whatever is planned."""


@dataclass(frozen=True, slots=True)
class Plans:
    """Facts that state plans, the last told first, and the words of the question that they are about."""

    facts: list[int]
    words: frozenset[str]


async def plans_asked(search: Search, names: Sequence[str]) -> Plans | None:
    """The plans of those whom the question names, where it looks ahead; None where it does not, or there are none.

    Reads the facts of each who is named.
    """
    if not _AHEAD.search(search.question):
        return None
    plan = search.planned
    rows = await search.scope.rows(
        "claims.plans", spaces=plan.spaces, names=list(names), known_at=plan.known_at, most=_MOST
    )
    moment = search.request.as_of or search.asked_at
    standing = [row for row in _standing(rows) if _is_to_come(row, moment)]
    named = {word for row in standing for word in words_of(row["subject"])}
    asked = [
        word for word in words_of(search.question) if word not in FORM_WORDS and word not in named and word != "will"
    ]
    particular = [word for word in asked if word not in _ANY]
    about = [(row, {word for word in particular if _is_about(word, row["text"])}) for row in standing]
    found = [(row, words) for row, words in about if words or not particular]
    if not found:
        return None
    words = named | {word for _, each in found for word in each} | {word for word in asked if word in _ANY}
    return Plans([row["record_no"] for row, _ in found], frozenset(words))


def _standing(rows: Sequence[Row]) -> list[Row]:
    """Of what is planned and what is not any more, the plans that nothing later gave up; the last told first."""
    last: dict[tuple[str, str], Row] = {}
    for row in sorted(rows, key=lambda row: row["record_no"], reverse=True):
        last.setdefault((row["subject"].casefold(), row["object"].casefold()), row)
    return [row for row in last.values() if not row["negated"]]


def _is_to_come(row: Row, moment: datetime) -> bool:
    """Whether it was planned by then, and for no time that is over."""
    told: datetime | None = row["said_at"]
    end: datetime | None = row["event_to"]
    at = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return (told is None or told <= at) and (end is None or end > at)


def _is_about(word: str, text: str) -> bool:
    held = words_of(text)
    return holds(held, word) or (len(word) > 2 and said_by(word, held) and not _is_attribute(word))


def _is_attribute(word: str) -> bool:
    """Whether any text counts as saying the word: of such nothing is learned."""
    return said_by(word, [])
