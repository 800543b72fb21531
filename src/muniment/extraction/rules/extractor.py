"""Facts by rule: what a sentence of a known form says for sure. Rather none than a wrong one."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from typing import Final

from muniment.extraction.names import common_words
from muniment.extraction.rules.attributes import attributes
from muniment.extraction.rules.clauses import Clause, Subject
from muniment.extraction.rules.openings import openings
from muniment.extraction.rules.patterns import RULES
from muniment.extraction.rules.rule import Rule
from muniment.extraction.rules.sentences import Sentence, clause_starts, sentences_of
from muniment.extraction.statements import Statement
from muniment.extraction.time.beginnings import may_hold_time
from muniment.extraction.time.expressions import read_intervals
from muniment.extraction.time.spans import TimeSpan
from muniment.extraction.turns import Turn

VERSION: Final = "3"
"""Raised with every change of what the rules find: texts that earlier rules read are then read again on request."""
EXTRACTOR: Final = f"rules:{VERSION}"

MOST_STATEMENTS: Final = 16
_MODALITIES: Final = frozenset({"conversation", "document"})
_NOMINAL: Final = datetime(2000, 1, 1, tzinfo=UTC)
# words that take what is said back, put it off, or into another's mouth
_UNSURE: Final = re.compile(
    r"\b(?:if|whether|wish|wished|imagine|would|could|might|maybe|perhaps|unless|suppose|supposedly|pretend|dreamed"
    r"|dreamt|joking|kidding|said|says|saying|told|asked|claims?|claimed|heard|according|thinks?|believes?|guess"
    r"|almost|nearly|as\s+if|like\s+when|rumou?r|allegedly|should|hypothetical(?:ly)?|hardly|barely|pretended"
    r"|thought|hoped?|hoping)\b|['’]d\b",  # noqa: RUF001
    re.IGNORECASE,
)
_NAME: Final = re.compile(
    r"(?:[A-Z]['’])?[A-Z][a-z][\w-]*(?:\s+(?:(?:van|von|de|da|del|der|la|bin|al)\s+)?(?:[A-Z]['’])?[A-Z][a-z][\w-]*){0,3}"  # noqa: RUF001
    r"(?=['’]s\b|\s)"  # noqa: RUF001
)
_FIRST: Final = re.compile(r"I(?=['’\s])")  # noqa: RUF001
_PERSONAL: Final = tuple(each for each in RULES if each.subject == "person")
_IMPERSONAL: Final = tuple(each for each in RULES if each.subject == "thing")
_THING: Final = r"(?:(?:the|our|an?|this)\s+)?(?P<subject>(?:[\w'’/-]+\s+){0,4}?[\w'’/-]+)"  # noqa: RUF001


def statements_of(turn: Turn) -> list[Statement]:
    """The statements of a record, each once, at most 16, in its order. About linear in the text.

    English prose alone; of what an assistant or a program says nothing is taken.
    """
    if turn.by_machine or turn.language != "english" or turn.modality not in _MODALITIES:
        return []
    found: dict[object, Statement] = {}
    for sentence in sentences_of(turn.text):
        if sentence.asks or _UNSURE.search(sentence.text):
            continue
        for statement in _statements(turn, sentence):
            found.setdefault(statement.identity(), statement)
            if len(found) == MOST_STATEMENTS:
                return list(found.values())
    return list(found.values())


def _statements(turn: Turn, sentence: Sentence) -> Iterator[Statement]:
    times = _times(turn, sentence.text)
    clause = Clause(sentence.text, sentence.start, turn.record_no, times, turn.first_person, turn.said_local())
    quoted = [match.span() for match in re.finditer(r"[\"“][^\"”]*[\"”]?", sentence.text)]
    for start in clause_starts(sentence.text, times):
        if any(first <= start < last for first, last in quoted):
            continue
        subject = _person(turn, sentence.text, start)
        if subject is not None:
            for each in _PERSONAL:
                match = each.pattern.match(sentence.text, subject.end)
                if match is not None:
                    yield from clause.read(each, match, subject)
        for each in _IMPERSONAL:
            yield from _impersonal(clause, each, start)
    yield from openings(clause)
    yield from attributes(clause)


def _person(turn: Turn, sentence: str, start: int) -> Subject | None:
    match = _FIRST.match(sentence, start)
    if match is not None:
        who = turn.first_person
        return None if who is None else Subject(who, "person", start, match.end())
    match = _NAME.match(sentence, start)
    if match is None:
        return None
    words = match.group().split()
    if common_words().get(words[0].casefold()) is not None:
        return None
    return Subject(match.group(), "person", start, match.end())


def _impersonal(clause: Clause, rule: Rule, start: int) -> Iterator[Statement]:
    match = _with_subject(rule).match(clause.sentence, start)
    if match is None:
        return
    text = re.sub(r"\s+", " ", match.group("subject"))
    words = [word.casefold() for word in text.split()]
    common = common_words()
    if any(common.get(word) == "always" and word not in ("of", "for", "before", "after") for word in words):
        return
    if start == 0 and match.start("subject") == 0 and text[1:].islower():
        text = text[0].lower() + text[1:]
    subject = Subject(text, "thing" if text.islower() else "unknown", match.start(), match.end("subject"))
    yield from clause.read(rule, match, subject)


@cache
def _with_subject(rule: Rule) -> re.Pattern[str]:
    return re.compile(_THING + rule.pattern.pattern, re.IGNORECASE)


def _times(turn: Turn, sentence: str) -> list[TimeSpan]:
    if not may_hold_time(sentence, turn.language):
        return []
    reference = turn.said_local()
    spans = read_intervals(sentence, reference or _NOMINAL, turn.language)
    return [span for span in spans if reference is not None or not span.relative]
