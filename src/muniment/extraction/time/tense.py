"""Whether a sentence speaks of what lies ahead or behind: that decides which day "3 July" without a year is.

The verb nearest before the time, in its own clause, decides: one in the past tense puts the time behind, one in the
present tense that sets a time ("is on", "opens", "meets", "I'm flying"), a wish, a request or a future puts it ahead.
Without a verb there, "by" and "until", a deadline or an appointment put it ahead; then the clauses beside it decide.
Where nothing tells, the nearest year is meant.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, Literal

from muniment.extraction.time.calendar import Interval
from muniment.extraction.time.reader import Reader
from muniment.extraction.time.tense_english import english_noun, english_verb
from muniment.extraction.time.tense_local import french_verb, german_verb, spanish_verb
from muniment.extraction.time.tense_words import BREAKS, SINCE, UP_TO

Tense = Literal["ahead", "back"]
Clause = tuple[int, int]

_SIGHT: Final = 24  # tokens to either side that are looked at
_FULL_STOPS: Final = ".!?;\u2026"
_PAUSES: Final = ",:()\u2013\u2014"
_PASSED: Final = frozenset({
    "the", "on", "in", "this", "next", "of", "dem", "den", "der", "zum", "am", "im", "le", "el", "en", "around",
})  # fmt: skip
_Verb = Callable[[Reader, int, Clause], Tense | None]
_VERBS: Final[Mapping[str, _Verb]] = MappingProxyType(
    {"english": english_verb, "german": german_verb, "french": french_verb, "spanish": spanish_verb}
)


def tense_at(reader: Reader, i: int) -> Tense | None:
    """Whether the time at token i lies ahead or behind, None where the sentence does not tell. Looks at 24 tokens to
    either side; languages other than English, German, French and Spanish tell nothing."""
    verb = _VERBS.get("english" if reader.language == "simple" else reader.language)
    if verb is None:
        return None
    introduction = _introduction(reader, i)
    if introduction in SINCE:
        return "back"
    if introduction in ("starting", "beginning", "effective"):
        return "ahead"
    clauses, own = _clauses(reader, i)
    told = _own(reader, i, clauses[own], verb, introduction)
    if told is not None:
        return told
    for clause in _beside(clauses, own, leading=_leads(reader, clauses[own][0], i)):
        told = _first(verb(reader, j, clause) for j in reversed(range(*clause))) or _noun(reader, clause)
        if told is not None:
            return told
    return None


def chosen(reader: Reader, i: int, options: Sequence[Interval]) -> Interval | None:
    """Of the times, in order, that an expression at i without a year may stand for, the one that its sentence means:
    the first that is not over, the last that has begun, or the nearer of these."""
    behind = next((found for found in reversed(options) if found.start <= reader.now), None)
    ahead = next((found for found in options if found.end > reader.now), None)
    tense = tense_at(reader, i)
    if behind is None or tense == "ahead":
        return ahead
    if ahead is None or tense == "back":
        return behind
    return ahead if ahead.start - reader.now < reader.now - behind.end else behind


def _own(reader: Reader, i: int, clause: Clause, verb: _Verb, introduction: str) -> Tense | None:
    before = _first(verb(reader, j, clause) for j in reversed(range(clause[0], min(i, clause[1]))))
    told = before or _first(verb(reader, j, clause) for j in range(i, clause[1]))
    if told is not None:
        return told
    language = "english" if reader.language == "simple" else reader.language
    return "ahead" if introduction in UP_TO[language] else _noun(reader, clause)


def _noun(reader: Reader, clause: Clause) -> Tense | None:
    return _first(english_noun(reader, j) for j in range(*clause)) if reader.language in ("english", "simple") else None


def _first(told: Iterator[Tense | None]) -> Tense | None:
    return next((each for each in told if each is not None), None)


def _introduction(reader: Reader, i: int) -> str:
    j = i - 1
    while reader.word(j) in _PASSED and j > i - 4:
        j -= 1
    return reader.word(j)


def _clauses(reader: Reader, i: int) -> tuple[list[Clause], int]:
    """The clauses of the sentence around i, as token ranges, and which of them i stands in."""
    first, last = i, i + 1
    while first > max(0, i - _SIGHT) and not _stops(reader, first - 1):
        first -= 1
    while last < min(len(reader.tokens), i + _SIGHT) and not _stops(reader, last - 1):
        last += 1
    breaks = BREAKS["english" if reader.language == "simple" else reader.language]
    edges = [j for j in range(first, last) if reader.mark(j, _PAUSES) or reader.word(j) in breaks]
    starts, ends = [first, *(edge + 1 for edge in edges)], [*edges, last]
    clauses = list(zip(starts, ends, strict=True))
    own = next((n for n, (_, end) in enumerate(clauses) if i < end), len(clauses) - 1)
    return clauses, own


def _stops(reader: Reader, j: int) -> bool:
    """Whether a sentence ends at j; "9. Juni" and "Jan. 3" do not end one."""
    if not reader.mark(j, _FULL_STOPS):
        return False
    if reader.tokens[j].text != ".":
        return True
    behind = reader.kind(j + 1)
    if reader.kind(j - 1) == "number":
        return len(reader.tokens[j - 1].text) > 2
    return not (behind == "number" and len(reader.word(j - 1)) <= 4)


def _leads(reader: Reader, first: int, i: int) -> bool:
    """Whether the time opens its clause: then what follows says more of it than what stands before."""
    return i - first <= 2 and all(reader.word(j) in _PASSED or j >= i for j in range(first, i))


def _beside(clauses: list[Clause], own: int, *, leading: bool) -> list[Clause]:
    before, after = clauses[:own][::-1], clauses[own + 1 :]
    if leading:
        return [*after[:1], *before, *after[1:]]
    return [*before, *after]
