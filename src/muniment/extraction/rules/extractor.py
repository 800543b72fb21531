"""Facts by rule: what a sentence of a known form says for sure. Rather none than a wrong one."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from itertools import zip_longest
from typing import Final

from muniment.extraction.names import common_words
from muniment.extraction.rules.attributes import attributes
from muniment.extraction.rules.changes import changes
from muniment.extraction.rules.clauses import Clause, Subject
from muniment.extraction.rules.couples import couples
from muniment.extraction.rules.endings import ended_between_us, endings
from muniment.extraction.rules.mending import TURNS_BACK, Mending, Said, mended, mending_in, wrong_of
from muniment.extraction.rules.openings import kin_named, openings
from muniment.extraction.rules.patterns import RULES
from muniment.extraction.rules.rule import Rule
from muniment.extraction.rules.sentences import DISCOURSE, Sentence, clause_starts, sentences_of
from muniment.extraction.rules.vocabulary import LOWER, UPPER
from muniment.extraction.statements import Span, Statement
from muniment.extraction.time.beginnings import may_hold_time
from muniment.extraction.time.expressions import read_intervals
from muniment.extraction.time.spans import TimeSpan
from muniment.extraction.turns import Turn
from muniment.model.derivations import RULES_VERSION

EXTRACTOR: Final = f"rules:{RULES_VERSION}"

MOST_STATEMENTS: Final = 16
_MODALITIES: Final = frozenset({"conversation", "document"})
_NOMINAL: Final = datetime(2000, 1, 1, tzinfo=UTC)
# words that take what is said back, put it off, or into another's mouth
_UNSURE: Final = re.compile(
    r"\b(?:if|whether|wish|wished|imagine|would|could|might|maybe|perhaps|unless|suppose|supposedly|pretend|dreamed"
    r"|dreamt|joking|kidding|said|says|saying|told|asked|claims?|claimed|heard|according|thinks?|believes?|guess"
    r"|almost|nearly|as\s+if|like\s+when|rumou?r|allegedly|should|hypothetical(?:ly)?|hardly|barely|pretended"
    r"|thought|hoped|(?-i:hope)|hoping|probably|possibly|presumably|apparently|no,?\s+wait|wait,?\s+no|scratch\s+that|strike\s+that"
    r"|or\s+rather|make\s+that|dreams?|in\s+(?:my|his|her|their)\s+(?:head|mind|imagination))\b|\b(?:wrote|writes|texted|replied|answered"
    r"|shouted|yelled|whispered|added|mentioned|posted|tweeted|emailed|quotes?|quoted)\s*[:,]|[-–—]\s*I\s+mean\b|['’]d\b|^(?:for\s+)?example\s*[:,]",  # noqa: RUF001
    re.IGNORECASE,
)
# who does something there does it in no world that facts are about
_FICTION: Final = re.compile(
    r"\b(?:in|of|from)\s+(?:the|a|this|that|her|his|my)\s+(?:\w+\s+)?(?:novel|book|movie|film|story|game|play|series|episode|poem"
    r"|song|comic|script|screenplay|musical|joke|scenario|fairy\s+tale|tv\s+show)\b(?!\s+(?:club|store|shop|fair|festival))",
    re.IGNORECASE,
)
# names that are common words too: with a verb in the third person or the past behind them they are names
_GIVEN: Final = frozenset(
    (
        "christian", "grace", "hope", "faith", "will", "mark", "may", "april", "june", "august", "rose", "joy", "art",
        "bill", "frank", "jack", "dawn", "summer", "autumn", "violet", "iris", "ivy", "lily", "daisy", "ruby", "pearl",
        "amber", "crystal", "angel", "drew", "grant", "chase", "hunter", "mason", "carter", "chance", "rich", "rob",
        "pat", "sue", "dean", "earl", "duke", "prince", "guy", "olive", "sky", "star", "melody", "harmony", "charity",
        "patience", "penny", "sandy", "robin", "jay", "ray", "max", "don", "ken", "gene", "buddy", "miles", "sunny",
        "mia", "ella",
    )
)  # fmt: skip
_DOES: Final = re.compile(r"\s+(?:\w+(?:s|ed)|is|was|left|went|bought|no\s+longer|doesn['’]t)\b")  # noqa: RUF001
# before what another said: the name in front of each turn of a chat that was pasted
_SAID_BY: Final = re.compile(
    r"[ \t]*(?:[-*•]\s+)?(?:\[[^\]\n]{1,40}\]\s*)?(?P<name>[A-Z][\w.'’-]*(?:[ \t]+[A-Z][\w.'’-]*){0,3})"  # noqa: RUF001
    r"(?:[ \t]*\([^)\n]{1,40}\))?[ \t]*:\s"
)
# what takes the sentence before it back
_TAKES_BACK: Final = re.compile(
    r"\W*(?:not|nope|psych|jk|just\s+kidding|kidding|only\s+kidding|i\s+wish|as\s+if|yeah,?\s+right|ha(?:ha)*,?\s+(?:no|not)|april\s+fools?)\W*",
    re.IGNORECASE,
)
_SHOUTED: Final = re.compile(r"[A-Z]{2,}(?:[-'’][A-Z]+)?(?:\s+[A-Z]{2,}(?:[-'’][A-Z]+)?){1,2}(?=\s+[a-z])")  # noqa: RUF001
_WE: Final = re.compile(r"[Ww]e(?=\s)")
_OF_US: Final = frozenset(("lives_in", "visited"))
_AND: Final = re.compile(r",?\s+and(?=\s+[a-z])")
# behind a mark or another subject, "and" goes on with something else
_OTHERS: Final = re.compile(r"[,;:()—–]|\s-|\b(?:it|he|she|they|we|you|who|which|that|there|this)\b", re.IGNORECASE)  # noqa: RUF001
_NAME: Final = re.compile(
    rf"(?:[A-Z]['’])?[{UPPER}][{LOWER}][\w-]*(?:\s+(?:(?:van|von|de|da|del|der|la|bin|al)\s+)?(?:[A-Z]['’])?[{UPPER}][{LOWER}][\w-]*){{0,3}}"  # noqa: RUF001
    r"(?=['’]s\b|\s)"  # noqa: RUF001
)
_FIRST: Final = re.compile(r"I(?=['’\s])")  # noqa: RUF001
_PERSONAL: Final = tuple(each for each in RULES if each.subject == "person")
_IMPERSONAL: Final = tuple(each for each in RULES if each.subject == "thing")
_THING: Final = r"(?:(?:the|our|an?|this)\s+)?(?P<subject>(?:[\w'’/-]+\s+){0,4}?[\w'’/-]+)"  # noqa: RUF001


def statements_of(turn: Turn, before: Sequence[Turn] = ()) -> list[Statement]:
    """The statements of a record, each once, at most 16, in its order. About linear in the text.

    English prose alone; of what an assistant or a program says nothing is taken. ``before`` are the turns that stand
    before it in its conversation, in their order: what the same person said there may be put right here.
    """
    if turn.by_machine or turn.language != "english" or turn.modality not in _MODALITIES:
        return []
    found: dict[object, Statement] = {}
    sentences = list(sentences_of(turn.text))
    for sentence, following in zip_longest(sentences, sentences[1:]):
        mending = mending_in(turn, sentence)
        if mending is not None:
            _mend(found, mending, turn, before)
            continue
        if sentence.asks or _UNSURE.search(sentence.text):
            continue
        if following is not None and _TAKES_BACK.fullmatch(following.text):
            continue
        told = list(_statements(_as_said(turn, sentence), sentence))
        denied = {(each.subject, each.object) for each in told if each.negated and not each.ends}
        for statement in told:
            if statement.ends and (statement.subject, statement.object) in denied:
                continue  # the same words say which relation ended
            found.setdefault(statement.identity(), statement)
            if len(found) == MOST_STATEMENTS:
                return list(found.values())
    return list(found.values())


def _mend(found: dict[object, Statement], mending: Mending, turn: Turn, before: Sequence[Turn]) -> None:
    """Puts right what the same person said before, in this record or in turns before it."""
    here = [Said(each, turn) for each in found.values() if not each.ends]
    own = [
        (place, each)
        for place, each in enumerate(before[-TURNS_BACK:])
        if each.first_person is not None and each.first_person.casefold() == (turn.first_person or "").casefold()
    ]
    earlier = before[-TURNS_BACK:]
    said = [Said(each, one) for place, one in own for each in statements_of(one, earlier[:place]) if not each.ends]
    previous = turn.record_no if here else own[-1][1].record_no if own else None
    wrong = wrong_of(mending, [*said, *here], previous)
    if wrong is None:
        return
    if wrong.turn.record_no == turn.record_no:
        found.pop(wrong.statement.identity(), None)
    for statement in mended(mending, wrong, turn):
        found.setdefault(statement.identity(), statement)


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


def _statements(turn: Turn, sentence: Sentence) -> Iterator[Statement]:
    times = _times(turn, sentence.text)
    clause = Clause(sentence.text, sentence.start, turn.record_no, times, turn.first_person)
    quoted = [match.span() for match in re.finditer(r"[\"“][^\"”]*[\"”]?", sentence.text)]
    starts = [
        start
        for start in clause_starts(sentence.text, times)
        if not any(first <= start < last for first, last in quoted)
    ]
    fiction = _FICTION.search(sentence.text) is not None
    if _FICTION.match(sentence.text):
        return
    for start in starts:
        subject = _person(turn, sentence.text, start)
        if subject is not None and not (fiction and subject.name != turn.first_person):
            yield from _personal(clause, subject, start)
            if not fiction:
                told = ended_between_us(clause, start) if _WE.match(sentence.text, start) else endings(clause, subject)
                yield from told
        for each in _IMPERSONAL:
            yield from _impersonal(clause, each, start)
    if fiction:
        return
    joint = list(couples(clause, starts))
    yield from joint
    yield from changes(clause, starts)
    parted = {each.object for each in joint if each.negated}
    yield from (each for each in openings(clause) if each.subject not in parted)
    yield from attributes(clause)
    for kin in kin_named(clause):
        yield from _matched(clause, kin)
        yield from endings(clause, kin)


def _personal(clause: Clause, subject: Subject, start: int) -> Iterator[Statement]:
    """What the rules find behind a subject, and where that is something, behind each "and" that goes on with it."""
    found = list(_matched(clause, subject))
    if _WE.match(clause.sentence, start):
        found = [each for each in found if each.relation in _OF_US]
    yield from found
    if not found or clause.sentence[start : start + 3].casefold() == "we ":
        return
    for match in _AND.finditer(clause.sentence, subject.end):
        place = match.end()
        if _OTHERS.search(clause.sentence, subject.end, match.start()):
            return
        named = Span(clause.record_no, clause.offset + subject.start, clause.offset + subject.end)
        for each in _matched(clause, Subject(subject.name, subject.type, place, place)):
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
    if match is None or not _is_person(match.group().split(), sentence[match.end() :]):
        return None
    return Subject(match.group(), "person", start, match.end())


def _is_person(words: list[str], behind: str) -> bool:
    """Whether capitalised words that open a clause are a name: they are no common words, or common ones that are given
    to people, with another name or a verb of theirs behind."""
    first = words[0].casefold()
    if common_words().get(first) is None:
        return True
    if first not in _GIVEN:
        return False
    return (len(words) > 1 and common_words().get(words[1].casefold()) is None) or bool(_DOES.match(behind))


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
