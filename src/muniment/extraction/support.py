"""Whether the words that a statement is said to rest on are there and carry it: what fails here is never a fact."""

import re
from collections.abc import Iterable, Mapping
from typing import Final

from muniment.extraction.statements import LONGEST_NAME, LONGEST_OBJECT, Span, Statement

_WORD: Final = re.compile(r"\w+(?:['’]\w+)*")  # noqa: RUF001
_LEAST_STEM: Final = 4
_EMPTY: Final = frozenset(
    (
        "a", "an", "the", "of", "in", "on", "at", "to", "for", "from", "by", "with", "and", "or", "is", "are", "was",
        "were", "be", "been", "has", "have", "had", "do", "does", "did", "not", "no", "it", "its", "this", "that",
        "my", "your", "his", "her", "our", "their", "as",
    )
)  # fmt: skip


def supported(statement: Statement, texts: Mapping[int, str]) -> bool:
    """Whether each span names characters of a text in ``texts`` (by record number), and they hold support.

    Support is every word of the object, or a word of the relation, in any inflection: a span that holds neither may
    stand anywhere. A statement without a span, or without a subject, relation or object, has none.
    """
    parts = (statement.subject, statement.relation, statement.object)
    if not all(part.strip() for part in parts) or not statement.spans:
        return False
    if len(statement.subject) > LONGEST_NAME or len(statement.relation) > LONGEST_NAME:
        return False
    if len(statement.object) > LONGEST_OBJECT or not all(_exists(span, texts) for span in statement.spans):
        return False
    held = _words(" ".join(texts[span.record_no][span.start : span.end] for span in statement.spans))
    named = _words(statement.object) - _EMPTY or _words(statement.object)
    if named and all(_holds(held, word) for word in named):
        return True
    return any(_holds(held, word) for word in _words(statement.relation.replace("_", " ")) - _EMPTY)


def _exists(span: Span, texts: Mapping[int, str]) -> bool:
    text = texts.get(span.record_no)
    return text is not None and 0 <= span.start < span.end <= len(text) and bool(text[span.start : span.end].strip())


def _words(text: str) -> set[str]:
    return {match.group() for match in _WORD.finditer(text.casefold())}


def _holds(held: Iterable[str], word: str) -> bool:
    return any(_same(each, word) for each in held)


def _same(one: str, other: str) -> bool:
    """Whether two words are forms of one: the same, or with the same beginning but for an ending."""
    if one == other:
        return True
    stem = _LEAST_STEM if min(len(one), len(other)) > _LEAST_STEM else 3
    length = max(stem, min(len(one), len(other)) - 2)
    return one[:length] == other[:length] and abs(len(one) - len(other)) <= 4
