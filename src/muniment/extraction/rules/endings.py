# ruff: noqa: E501
"""What ends something that only what was told before says: I left Acme, I quit my job, Tom dumped me, I sold my car.

Whether *left* speaks of a job, a town or a person is for what is known of them to say: such a statement names the
relations of which it may end one, and is none where nothing of the kind is known (see ``muniment.extraction.ended``).
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Final

from muniment.extraction.names import common_words
from muniment.extraction.rules.clauses import Clause, Subject
from muniment.extraction.rules.phrases import name_at, phrase_at
from muniment.extraction.rules.rule import ADVERBS, BE, HAVE
from muniment.extraction.rules.vocabulary import OPENS_NAME, ROLES
from muniment.extraction.statements import Span, Statement

_OFFICES: Final = tuple(f"{role.lower().replace(' ', '_').replace('-', '_')}_of" for role in ROLES)
_JOB: Final = ("works_at",)
_PLACE: Final = ("works_at", "member_of", "studies_at", *_OFFICES)
_ANY: Final = (*_PLACE, "partner_of", "engaged_to")
_LONG: Final = timedelta(days=25)
"""A time of leaving a town that is no shorter tells of no journey: in May, last year."""
_FOR_GOOD: Final = re.compile(r"\s+(?:for\s+good|for\s+ever|forever|behind)\b")
_PERSON: Final = ("partner_of", "engaged_to", "married_to")
_HAS: Final = rf"(?:{ADVERBS}|{HAVE}{ADVERBS})"

# before a name, and what of that one may end
_OF_NAME: Final = (
    (re.compile(rf"{_HAS}\s+left\s+(?={OPENS_NAME})"), _ANY),
    (re.compile(rf"{_HAS}\s+(?:quit|departed(?:\s+from)?|resigned\s+at|stepped\s+down\s+(?:from|at))\s+(?={OPENS_NAME})"), _PLACE),
    (re.compile(rf"{BE}{ADVERBS}\s+no\s+longer\s+(?:with|at|in)\s+(?={OPENS_NAME})"), _PLACE),
    (re.compile(rf"{_HAS}\s+dumped\s+(?={OPENS_NAME})"), ("partner_of", "engaged_to")),
    (re.compile(rf"(?:{_HAS}\s+separated\s+from|{BE}{ADVERBS}\s+separated\s+from|{BE}{ADVERBS}\s+no\s+longer\s+(?:with|together\s+with|dating))\s+(?={OPENS_NAME})"),
     _PERSON),
)  # fmt: skip
# without a name: the only one known
_OF_JOB: Final = re.compile(
    rf"(?:{_HAS}\s+(?:quit|left|lost|resigned\s+from)\s+(?:my|his|her)\s+(?:\w+\s+)?(?:job|position)|{_HAS}\s+(?:was|got|been)\s+(?:just\s+)?(?:laid\s+off|fired"
    rf"|let\s+go|made\s+redundant)|{BE}{ADVERBS}\s+(?:unemployed|out\s+of\s+work|between\s+jobs)|{_HAS}\s+retired|{_HAS}\s+resigned)"
    r"(?=\s*(?:[.,;!]|$)|\s+(?:yesterday|today|last|this|on|in|and|because|after|two|three|a\s)\b)"
)
_OF_MARRIAGE: Final = re.compile(
    rf"(?:{_HAS}\s+got\s+(?:a\s+)?divorced?|{BE}{ADVERBS}\s+divorced)(?=\s*(?:[.,;!]|$)|\s+(?:yesterday|today|last|this|on|in|and|now)\b)"
)
_OF_STUDIES: Final = re.compile(
    rf"(?:{_HAS}\s+(?:dropped|flunked)\s+out(?:\s+of\s+(?:my\s+|the\s+)?(?:college|university|uni|school|grad(?:uate)?\s+school|med(?:ical)?\s+school|law\s+school|program(?:me)?|course|degree|ph\.?d))?"
    rf"|{_HAS}\s+(?:quit|left|finished|completed)\s+(?:my\s+|his\s+|her\s+)?(?:college|university|uni|(?:high\s+|grad(?:uate)?\s+|law\s+|med(?:ical)?\s+)?school|studies|degree|ph\.?d|master['’]?s)|{_HAS}\s+graduated)"  # noqa: RUF001
    r"(?=\s*(?:[.,;!]|$)|\s+(?:yesterday|today|last|this|on|in|and|because|after|with|two|three|a\s)\b)",
    re.IGNORECASE,
)
_STUDIES: Final = ("studies_at", "studies")
_JOINED: Final = re.compile(r"\band\s+$")
"""Before who parts from the one that is named there."""
_GAVE_AWAY: Final = re.compile(
    rf"{_HAS}\s+(?:sold|gave\s+away|given\s+away|got\s+rid\s+of|gotten\s+rid\s+of|scrapped)\s+(?:my|our|his|her|the)\s+(?=\w)"
)
_OWNED: Final = ("owns", "drives", "has_pet")
_OF_NO_ONE: Final = re.compile(
    r"\b(?:soul|mind|idea|ideas|shares?|share|body|secrets?|seat|place|company|stock|stocks|story)\b", re.IGNORECASE
)
_GOES_ON: Final = re.compile(
    rf"\s+(?:in|on|last|this|yesterday|today|and|because|but|so|ago|recently|for\s+(?:good|ever|(?={OPENS_NAME})\w+)|forever|behind|after\s+\w+\s+(?:years?|months?|weeks?)"
    r"|to\s+join|a\s+(?:year|month|week)|(?:two|three|four|five|\d+)\s+\w+\s+ago)\b"
)
_US: Final = re.compile(
    r"[Ww]e(?:\s+(?:just|recently|finally|have|officially|both))*\s+(?:broke\s+up|broken\s+up|split\s+up|got\s+(?:a\s+)?divorced?|divorced|separated)"
    r"(?=\s*(?:[.,;!]|$)|\s+(?:yesterday|today|last|this|on|in|and|two|three|a\s)\b)"
)


def endings(clause: Clause, subject: Subject) -> Iterator[Statement]:
    """What a clause ends that others must tell of, behind its subject."""
    sentence, place = clause.sentence, subject.end
    for pattern, among in _OF_NAME:
        match = pattern.match(sentence, place)
        found = None if match is None else name_at(sentence, match.end())
        if found is None or not _goes_no_further(clause, found[1]):
            continue
        if common_words().get(sentence[found[0] : found[1]].split()[0].casefold()) == "always":
            continue
        end = found[1]
        if (good := _FOR_GOOD.match(sentence, end)) or (among is _ANY and _is_long(clause, end)):
            among, end = (*among, "lives_in"), end if good is None else good.end()
        yield ending(clause, subject, sentence[found[0] : found[1]], end, among)
    for match, among in (
        (_OF_JOB.match(sentence, place), _JOB), (_OF_MARRIAGE.match(sentence, place), ("married_to",)),
        (_OF_STUDIES.match(sentence, place), _STUDIES),
    ):  # fmt: skip
        if match is not None and not (among == ("married_to",) and _JOINED.search(sentence, 0, subject.start)):
            yield ending(clause, subject, "", match.end(), among)
    match = _GAVE_AWAY.match(sentence, place)
    thing = None if match is None else phrase_at(sentence, match.end(), clause.times)
    if match is None or thing is None or len(sentence[thing[0] : thing[1]].split()) > 4:
        return
    what = sentence[thing[0] : thing[1]]
    if _OF_NO_ONE.search(what) or re.search(r"\b(?:to|for|on|of|in)\b", what):
        return
    yield ending(clause, subject, what, thing[1], _OWNED, "owns")


def ended_between_us(clause: Clause, start: int) -> Iterator[Statement]:
    """That the speaker and whoever they are known to be with are no couple any more: We broke up last week."""
    match = None if clause.speaker is None else _US.match(clause.sentence, start)
    if match is not None and clause.speaker is not None:
        subject = Subject(clause.speaker, "person", start, start + 2)
        divorced = "divorce" in match.group()
        yield ending(clause, subject, "", match.end(), ("married_to",) if divorced else _PERSON)


def _goes_no_further(clause: Clause, end: int) -> bool:
    """Whether the name is the whole of what was left: no "Acme's party", no "Rome at noon"."""
    sentence = clause.sentence
    if re.match(r"\s*(?:[.,;!:)]|$)", sentence[end:]) or _GOES_ON.match(sentence, end):
        return True
    return any(0 <= time.first - end <= 4 for time in clause.times) and not re.match(r"\s+at\b", sentence[end:])


def _is_long(clause: Clause, end: int) -> bool:
    return any(0 <= time.first - end <= 4 and time.end - time.start >= _LONG for time in clause.times)


def ending(
    clause: Clause, subject: Subject, what: str, end: int, among: tuple[str, ...], relation: str = ""
) -> Statement:
    begin, reach = _beginning(clause, subject.start, end)
    text = f"{subject.name} no longer owns {what}." if relation else ""
    return Statement(
        subject.name, relation, what, text,
        (Span(clause.record_no, clause.offset + subject.start, clause.offset + reach),), subject.type,
        "thing" if relation else "unknown", negated=True, confidence=0.85, event_from=begin, ends=among,
    )  # fmt: skip


def _beginning(clause: Clause, start: int, end: int) -> tuple[datetime | None, int]:
    stop = re.compile(r"[;:()—–]|\b(?:and|but|because|so|when|while|which|who|to\s+join)\b").search(  # noqa: RUF001
        clause.sentence, end
    )
    last = len(clause.sentence) if stop is None else stop.start()
    times = [time for time in clause.times if start <= time.first < last]
    times = times or [time for time in clause.times if time.last <= start]
    if len(times) != 1 or times[0].bound != "in":
        return None, end
    return times[0].start.astimezone(UTC), max(end, times[0].last)
