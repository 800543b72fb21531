"""What one sentence of a turn says, by every rule, behind each place where a clause may begin."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from typing import Final

from muniment.extraction.certainty import tells_fiction
from muniment.extraction.names import common_words
from muniment.extraction.rules.antecedents import POINTING, Antecedent
from muniment.extraction.rules.attributes import attributes
from muniment.extraction.rules.changes import changes
from muniment.extraction.rules.clauses import Clause, Subject
from muniment.extraction.rules.couples import couples
from muniment.extraction.rules.endings import ended_between_us, endings
from muniment.extraction.rules.given_names import is_person
from muniment.extraction.rules.openings import kin_named, openings
from muniment.extraction.rules.others_words import is_in
from muniment.extraction.rules.patterns import RULES
from muniment.extraction.rules.pets import pets_gone
from muniment.extraction.rules.rule import Rule
from muniment.extraction.rules.vocabulary import LOWER, TITLES, UNCASED, UPPER
from muniment.extraction.sentences import DISCOURSE, Sentence, clause_starts
from muniment.extraction.statements import Span, Statement
from muniment.extraction.time.beginnings import may_hold_time
from muniment.extraction.time.expressions import read_intervals
from muniment.extraction.time.spans import TimeSpan
from muniment.extraction.turns import Turn

_NOMINAL: Final = datetime(2000, 1, 1, tzinfo=UTC)
# before what another said: the name in front of each turn of a chat that was pasted
_SAID_BY: Final = re.compile(
    r"[ \t]*(?:[-*•]\s+)?(?:\[[^\]\n]{1,40}\]\s*)?(?P<name>[A-Z][\w.'’-]*(?:[ \t]+[A-Z][\w.'’-]*){0,3})"  # noqa: RUF001
    r"(?:[ \t]*\([^)\n]{1,40}\))?[ \t]*:\s"
)
_SHOUTED: Final = re.compile(r"[A-Z]{2,}(?:[-'’][A-Z]+)?(?:\s+[A-Z]{2,}(?:[-'’][A-Z]+)?){1,2}(?=\s+[a-z])")  # noqa: RUF001
_WE: Final = re.compile(r"[Ww]e(?=\s)")
_OF_US: Final = frozenset(("lives_in", "visited"))
_AND: Final = re.compile(r",?\s+and(?=\s+[a-z])")
# behind a mark or another subject, "and" goes on with something else
_OTHERS: Final = re.compile(r"[,;:()—–]|\s-|\b(?:it|he|she|they|we|you|who|which|that|there|this)\b", re.IGNORECASE)  # noqa: RUF001
_AND_MOVED: Final = re.compile(
    r",?\s+and(?:\s+then)?(?=\s+(?:(?:just|then|finally|recently)\s+)?(?:moved|relocated|settled)\s)"
)
_NOT_DONE: Final = re.compile(
    r"\b(?:almost|nearly|never|not|should|would|could|might|may|must|want\w*|plan\w*|hope\w*|had\s+to|have\s+to|going\s+to|will|can|if|without)\b|n['’]t\b",  # noqa: RUF001
    re.IGNORECASE,
)
# a name that may be of who moved, and not of what was left or where
_SOMEBODY: Final = re.compile(
    r"(?<!\bin)(?<!\bat)(?<!\bfrom)(?<!\bto)(?<!\bof)(?<!\bmy)(?<!\bthe)(?<!\bwith)(?<!\bfor)(?<!\bleft)(?<!\bquit)\s+[A-Z][a-z]"
)
_NAME: Final = re.compile(
    rf"(?:{TITLES}\.?\s+){{0,2}}(?:[A-Z]['’])?[{UPPER}][{LOWER}][\w-]*(?:\s+(?:(?:van|von|de|da|del|der|la|bin|al)\s+)?(?:[A-Z]['’])?[{UPPER}][{LOWER}][\w-]*){{0,3}}"  # noqa: RUF001
    rf"(?=['’]s\b|\s)|{UNCASED}(?=\s)"  # noqa: RUF001
)
_FIRST: Final = re.compile(r"I(?=['’\s])")  # noqa: RUF001
_PERSONAL: Final = tuple(each for each in RULES if each.subject == "person")
_IMPERSONAL: Final = tuple(each for each in RULES if each.subject == "thing")
_THING: Final = r"(?:(?:the|our|an?|this)\s+)?(?P<subject>(?:[\w'’/-]+\s+){0,4}?[\w'’/-]+)"  # noqa: RUF001


def first_pointing(sentence: str) -> re.Match[str] | None:
    """The pronoun of a sentence that a clause may begin with."""
    return next((match for match in re.finditer(rf"\b(?:{POINTING.pattern})", sentence)), None)


def statements_in(
    turn: Turn, sentence: Sentence, others: Sequence[tuple[int, int]], meant: Antecedent | None
) -> Iterator[Statement]:
    """The statements of a sentence of a turn. ``others`` are the places in its text of words that are not its own;
    ``meant`` is whom *he* or *she* stands for in the sentence.
    """
    turn = _as_said(turn, sentence)
    times = _times(turn, sentence.text)
    clause = Clause(sentence.text, sentence.start, turn.record_no, times, turn.first_person)
    starts = [start for start in clause_starts(sentence.text, times) if not is_in(others, sentence.start + start)]
    fiction = tells_fiction(sentence.text)
    for start in starts:
        subject, named = _subject(turn, sentence.text, start, meant)
        if subject is not None and not (fiction and subject.name != turn.first_person):
            told = [*_personal(clause, subject, start)]
            if not fiction:
                told += ended_between_us(clause, start) if _WE.match(sentence.text, start) else endings(clause, subject)
            yield from (replace(each, spans=(*each.spans, *named)) for each in told)
        for each in _IMPERSONAL:
            yield from _impersonal(clause, each, start)
    if fiction:
        return
    joint = list(couples(clause, starts))
    yield from joint
    yield from changes(clause, starts)
    gone = list(pets_gone(clause, starts))
    yield from gone
    parted = {each.object for each in joint if each.negated}
    dead = {("has_pet", each.object) for each in gone}
    yield from (
        each for each in openings(clause) if each.subject not in parted and (each.relation, each.object) not in dead
    )
    yield from attributes(clause)
    for kin in kin_named(clause):
        yield from _matched(clause, kin)
        yield from endings(clause, kin)


def _as_said(turn: Turn, sentence: Sentence) -> Turn:
    """The turn, without a first person where the sentence stands in a line that a name of another opens."""
    line = turn.text.rfind("\n", 0, sentence.start) + 1
    match = _SAID_BY.match(turn.text, line, max(sentence.start + len(sentence.text), line))
    if match is None:
        return turn
    said_by = match.group("name").casefold()
    opening = said_by.split()[0]
    if opening in DISCOURSE or common_words().get(opening) is not None:
        return turn
    if said_by in ((turn.speaker or "").casefold(), *(turn.speaker or "").casefold().split()):
        return turn
    return replace(turn, speaker=None, role=None)


def _subject(
    turn: Turn, sentence: str, start: int, meant: Antecedent | None
) -> tuple[Subject | None, tuple[Span, ...]]:
    """Who a clause is about, and where else they are named, where a pronoun stands for them here."""
    match = None if meant is None else POINTING.match(sentence, start)
    if match is None or meant is None:
        return _person(turn, sentence, start), ()
    return Subject(meant.name, "person", start, match.end()), meant.spans


def _personal(clause: Clause, subject: Subject, start: int) -> Iterator[Statement]:
    """What the rules find behind a subject, and where that is something, behind each "and" that goes on with it."""
    found = list(_matched(clause, subject))
    if _WE.match(clause.sentence, start):
        found = [each for each in found if each.relation in _OF_US]
    yield from found
    if not found:
        yield from _moved_behind(clause, subject)
    if not found or clause.sentence[start : start + 3].casefold() == "we ":
        return
    for match in _AND.finditer(clause.sentence, subject.end):
        place = match.end()
        if _OTHERS.search(clause.sentence, subject.end, match.start()):
            return
        named = Span(clause.record_no, clause.offset + subject.start, clause.offset + subject.end)
        for each in _matched(clause, Subject(subject.name, subject.type, place, place)):
            yield replace(each, spans=(named, *each.spans))


def _moved_behind(clause: Clause, subject: Subject) -> Iterator[Statement]:
    """A move behind something else that the subject did, which no rule reads: I quit my job and moved to Lyon."""
    match = _AND_MOVED.search(clause.sentence, subject.end)
    between = "" if match is None else clause.sentence[subject.end : match.start()]
    if match is None or any(pattern.search(between) for pattern in (_OTHERS, _SOMEBODY, _NOT_DONE)):
        return
    named = Span(clause.record_no, clause.offset + subject.start, clause.offset + subject.end)
    for each in _matched(clause, Subject(subject.name, subject.type, match.end(), match.end())):
        if each.relation == "lives_in" and not each.negated:
            yield replace(each, spans=(named, *each.spans))


def _matched(clause: Clause, subject: Subject) -> Iterator[Statement]:
    for each in _PERSONAL:
        match = each.pattern.match(clause.sentence, subject.end)
        if match is not None:
            yield from clause.read(each, match, subject)


def _person(turn: Turn, sentence: str, start: int) -> Subject | None:
    match = _FIRST.match(sentence, start) or _WE.match(sentence, start)
    if match is not None:
        who = turn.first_person
        return None if who is None else Subject(who, "person", start, match.end())
    match = _SHOUTED.match(sentence, start)
    if match is not None and common_words().get(match.group().split()[0].casefold()) != "always":
        return Subject(match.group().title(), "person", start, match.end())
    match = _NAME.match(sentence, start)
    if match is None or not is_person(match.group().split(), sentence[match.end() :]):
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
