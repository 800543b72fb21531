# ruff: noqa: E501
"""What is said of two together: Tom and I got divorced, Ana and Ben are married, Tom and I broke up."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from muniment.extraction.rules.clauses import Clause
from muniment.extraction.rules.given_names import is_given
from muniment.extraction.rules.phrases import name_at
from muniment.extraction.rules.vocabulary import OPENS_NAME
from muniment.extraction.statements import Span, Statement

_KIN: Final = r"(?:(?:husband|wife|spouse|partner|boyfriend|girlfriend|fianc[ée]e?)\s+)"
_WITH: Final = re.compile(rf"(?:[Mm]y\s+(?:ex-?\s?)?{_KIN})?(?={OPENS_NAME})")
_AND_I: Final = re.compile(r"\s+and\s+(?:I|me)(?=\s)")
_I_AND: Final = re.compile(rf"(?:I|[Mm]e)\s+and\s+(?:my\s+(?:ex-?\s?)?{_KIN})?(?={OPENS_NAME})")
_AND: Final = re.compile(rf"\s+and\s+(?={OPENS_NAME})")
_NOW: Final = r"(?:\s+(?:just|recently|finally|now|both|have|officially|all|actually))*"
_ARE: Final = rf"(?:\s+are|['’]re){_NOW}"  # noqa: RUF001
_NO_MORE: Final = rf"(?:{_ARE}\s+(?:no\s+longer|not)|\s+aren['’]t)"  # noqa: RUF001
_THEN: Final = (
    r"(?=\s*(?:[.,;!)]|$)|\s+(?:last|this|in|on|yesterday|today|two|three|four|five|a\s+(?:year|month|week|few|couple|while)|after|because|and|for\s+good"
    r"|amicably|recently|when|before|ago|earlier|over|at)\b)"
)
_COUPLE: Final = r"(?:together|a\s+couple|dating|an\s+item|going\s+out)"


@dataclass(frozen=True, slots=True)
class _Bond:
    """Words behind two people, and what they say of them; ``ends`` as in a statement."""

    words: re.Pattern[str]
    relation: str
    says: str
    negated: bool = False
    ends: tuple[str, ...] = ()


def _bond(words: str, relation: str, says: str, *, negated: bool = False, ends: tuple[str, ...] = ()) -> _Bond:
    return _Bond(re.compile(rf"(?:{words})(?=\W|$)"), relation, says, negated, ends)


_MARRIED: Final = "{s} is not married to {o} any more."
_APART: Final = "{s} and {o} are no longer a couple."
_PARTED: Final = ("married_to", "engaged_to", "partner_of")
_BONDS: Final = (
    _bond(rf"{_NOW}\s+(?:got\s+(?:a\s+divorce|divorced)|divorced|ended\s+our\s+marriage)|{_ARE}\s+divorced"
          rf"|{_NO_MORE}\s+married(?:\s+any\s?more)?", "married_to", _MARRIED, negated=True),
    _bond(rf"{_NOW}\s+(?:got\s+married|tied\s+the\s+knot|married)(?!\s+to\b)|{_ARE}\s+married(?!\s+to\b)", "married_to", "{s} is married to {o}."),
    _bond(rf"{_NO_MORE}\s+engaged(?:\s+any\s?more)?|{_NOW}\s+(?:called\s+off|broke\s+off)\s+(?:our|the|their)\s+engagement", "engaged_to",
          "{s} is not engaged to {o} any more.", negated=True),
    _bond(rf"{_NOW}\s+got\s+engaged(?!\s+in\b)|{_ARE}\s+engaged(?!\s+in\b)", "engaged_to", "{s} is engaged to {o}."),
    _bond(rf"{_NOW}\s+(?:broke\s+up|broken\s+up|split\s+up|separated|called\s+it\s+quits){_THEN}|{_ARE}\s+separated"
          rf"|{_NO_MORE}\s+{_COUPLE}(?:\s+any\s?more)?", "partner_of", _APART, negated=True, ends=_PARTED),
    _bond(rf"{_NOW}\s+parted\s+ways", "", "", negated=True, ends=(*_PARTED, "works_at")),
    _bond(rf"{_ARE}\s+{_COUPLE}(?!\s+(?:on|in|with|at|for|to)\b)|{_NOW}\s+(?:started|began)\s+(?:dating|going\s+out)|{_NOW}\s+got\s+together",
          "partner_of", "{s} and {o} are a couple."),
)  # fmt: skip


def couples(clause: Clause, starts: list[int]) -> Iterator[Statement]:
    """What a sentence says of two people, each where a clause may begin."""
    for start in starts:
        both = _both(clause, start)
        if both is None:
            continue
        one, other, end = both
        for bond in _BONDS:
            match = bond.words.match(clause.sentence, end)
            if match is None:
                continue
            begin, reach = _beginning(clause, start, match.end())
            yield Statement(
                one, bond.relation, other, bond.says.format(s=one, o=other),
                (Span(clause.record_no, clause.offset + start, clause.offset + reach),), "person", "person",
                negated=bond.negated, confidence=0.85, event_from=begin, ends=bond.ends,
            )  # fmt: skip
            break


def _both(clause: Clause, start: int) -> tuple[str, str, int] | None:
    """The two, the speaker first where it is one of them, and where the words about them begin."""
    sentence, speaker = clause.sentence, clause.speaker
    opening = _I_AND.match(sentence, start)
    if opening is not None:
        found = _person_at(sentence, opening.end())
        return None if found is None or speaker is None else (speaker, sentence[found[0] : found[1]], found[1])
    opening = _WITH.match(sentence, start)
    found = None if opening is None else _person_at(sentence, opening.end())
    if found is None:
        return None
    named = sentence[found[0] : found[1]]
    mine = _AND_I.match(sentence, found[1])
    if mine is not None:
        return None if speaker is None or speaker.casefold() == named.casefold() else (speaker, named, mine.end())
    joint = _AND.match(sentence, found[1])
    other = None if joint is None else _person_at(sentence, joint.end())
    return None if other is None else (named, sentence[other[0] : other[1]], other[1])


def _person_at(sentence: str, place: int) -> tuple[int, int] | None:
    found = name_at(sentence, place)
    if found is None or not is_given(sentence[found[0] : found[1]].split()[0]):
        return None
    return found


def _beginning(clause: Clause, start: int, end: int) -> tuple[datetime | None, int]:
    """Since when that is so, by the one time in the clause or before it; and where the words that say it end."""
    stop = re.compile(r"[;:()—–]|,\s|\b(?:and|but|because|so|when|while|after|before|which|who)\b").search(  # noqa: RUF001
        clause.sentence, end
    )
    last = len(clause.sentence) if stop is None else stop.start()
    times = [time for time in clause.times if (start <= time.first < last) or time.last <= start]
    if len(times) != 1 or times[0].bound not in ("in", "since"):
        return None, end
    return times[0].start.astimezone(UTC), max(end, times[0].last)
