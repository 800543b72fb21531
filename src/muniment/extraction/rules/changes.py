"""Statements of other forms than subject, verb, object: who postponed what, what is required before what, who left whom
to join whom, and by what other name one is known."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

from muniment.extraction.names import common_words
from muniment.extraction.rules.clauses import TARGET, Clause
from muniment.extraction.rules.phrases import name_at, phrase_at
from muniment.extraction.rules.vocabulary import ROLES
from muniment.extraction.statements import Span, Statement
from muniment.extraction.time.spans import TimeSpan

_DONE: Final = (
    r"postponed|cancelled|canceled|delayed|rescheduled|approved|rejected|closed|reopened|suspended|resumed|restored"
    r"|merged|released|launched|shipped|deployed|completed|announced|rolled\s+back"
)
_DID: Final = re.compile(
    rf"(?:(?:the|our|an?|this)\s+)?(?P<who>(?:[\w'’/-]+\s+){{1,4}}?)(?:have\s+|has\s+)?(?P<did>{_DONE})\s+(?=(?:the|our|this)\s)",  # noqa: RUF001
    re.IGNORECASE,
)
_WORDS: Final = r"[\w/-]+(?:\s+[\w/-]+)"
_REQUIRED: Final = re.compile(
    rf"(?:the\s+|an?\s+)?(?P<what>{_WORDS}{{0,3}}?)\s+(?:is|are)(?:\s+(?:now|always))?(?P<neg>\s+no\s+longer|\s+not)?\s+"
    rf"(?:required|mandatory|needed|necessary)\s+(?:before|for|prior\s+to)\s+(?:the\s+|any\s+|every\s+|each\s+|an?\s+)?"
    rf"(?P<of>{_WORDS}{{0,2}}?)(?=\s*(?:[.,;!]|$))",
    re.IGNORECASE,
)
_LEFT: Final = re.compile(r"(?P<who>I|[A-Z][\w-]+(?:\s+[A-Z][\w-]+)?)\s+(?:just\s+|recently\s+)?left\s+(?=[A-Z])")
_JOINED: Final = re.compile(
    r"(?P<between>[^.;!?]*?)\b(?:and|to)\s+(?:I\s+)?(?:joined|join|started\s+(?:at|with|working\s+(?:at|for)))\s+(?=[A-Z])"
)
_KNOWN: Final = re.compile(
    r"(?:(?:\s+is|,)\s+(?:also\s+|better\s+)?(?:known|referred\s+to)\s+as"
    r"|\s+(?:also\s+)?goes\s+by(?:\s+the\s+name(?:\s+of)?)?)\s+(?=[A-Z])"
)
_REPLACED: Final = re.compile(
    r"\s+(?:has\s+)?(?:replaced|succeeded|took\s+over\s+from|takes\s+over\s+from)\s+(?=[A-Z])"
)
_AS_ROLE: Final = re.compile(
    rf"\s+as\s+(?:the\s+|our\s+)?(?:new\s+)?(?P<role>{'|'.join(ROLES)})\s+(?:of|for|at)\s+(?:the\s+)?(?=[A-Z])"
)


def changes(clause: Clause, starts: list[int]) -> Iterator[Statement]:
    """What a sentence says in these forms, each where a clause may begin."""
    for start in starts:
        yield from _done(clause, start)
        yield from _required(clause, start)
        yield from _left(clause, start)
        yield from _known(clause, start)
        yield from _replaced(clause, start)


def _done(clause: Clause, start: int) -> Iterator[Statement]:
    match = _DID.match(clause.sentence, start)
    if match is None or _is_no_doer(match.group("who")):
        return
    found = phrase_at(clause.sentence, match.end(), clause.times)
    if found is None or len(clause.sentence[found[0] : found[1]].split()) > 5:
        return
    what = re.sub(r"^(?:the|our|this)\s+", "", clause.sentence[found[0] : found[1]], flags=re.IGNORECASE)
    did = re.sub(r"\s+", " ", match.group("did").lower())
    if not what or what.casefold() in ("door", "window", "lid", "same", "first"):
        return
    times = [time for time in clause.times if start <= time.first and time.first - found[1] < 40]
    times = [time for time in times if not TARGET.search(clause.sentence[: time.first])]
    begin, end = _interval(times, opens=False)
    reach = max([found[1], *(time.last for time in times)])
    yield Statement(
        what, "status", did, f"{what} was {did}.", (_span(clause, start, reach),),
        "thing" if what.islower() else "unknown", kind="event", confidence=0.85, event_from=begin, event_to=end,
    )  # fmt: skip


def _is_no_doer(who: str) -> bool:
    words = who.casefold().split()
    plain = {"we", "i", "they", "he", "she", "of", "for"}
    return any(common_words().get(word) == "always" and word not in plain for word in words)


def _required(clause: Clause, start: int) -> Iterator[Statement]:
    match = _REQUIRED.match(clause.sentence, start)
    if match is None:
        return
    what, of = (re.sub(r"\s+", " ", match.group(name)) for name in ("what", "of"))
    if any(common_words().get(word) == "always" for word in f"{what} {of}".casefold().split()):
        return
    what = what[0].lower() + what[1:] if what[1:].islower() else what
    negated = match.group("neg") is not None
    says = "no longer requires" if negated else "requires"
    yield Statement(
        of, "requires", what, f"{of} {says} {what}.", (_span(clause, start, match.end()),),
        "thing" if of.islower() else "unknown", negated=negated, confidence=0.85,
    )  # fmt: skip


def _left(clause: Clause, start: int) -> Iterator[Statement]:
    match = _LEFT.match(clause.sentence, start)
    left = None if match is None else name_at(clause.sentence, match.end())
    joins = None if left is None else _JOINED.match(clause.sentence, left[1])
    joined = None if joins is None else name_at(clause.sentence, joins.end())
    if match is None or left is None or joins is None or joined is None:
        return
    who = clause.speaker if match.group("who") == "I" else match.group("who")
    if who is None or common_words().get(who.casefold()) is not None:
        return
    for found, negated, first, last in (
        (left, True, left[1], joins.end("between")), (joined, False, joined[1], joined[1] + 40),
    ):  # fmt: skip
        times = [time for time in clause.times if first <= time.first < last]
        times = times or [time for time in clause.times if time.last <= start]
        begin, _ = _interval(times, opens=True)
        name = clause.sentence[found[0] : found[1]]
        reach = max([found[1], *(time.last for time in times)])
        yield Statement(
            who, "works_at", name, f"{who} {'left' if negated else 'joined'} {name}.", (_span(clause, start, reach),),
            "person", "organization", negated=negated, confidence=0.85, event_from=begin,
        )  # fmt: skip


def _known(clause: Clause, start: int) -> Iterator[Statement]:
    found = name_at(clause.sentence, start)
    match = None if found is None else _KNOWN.match(clause.sentence, found[1])
    other = None if match is None else name_at(clause.sentence, match.end())
    if found is None or other is None:
        return
    who, name = (clause.sentence[first:last] for first, last in (found, other))
    yield Statement(
        who, "also_known_as", name, f"{who} is also known as {name}.", (_span(clause, start, other[1]),),
        confidence=0.85,
    )  # fmt: skip


def _replaced(clause: Clause, start: int) -> Iterator[Statement]:
    """Who has a role now that another had: Liam replaced Sara as the lead of Atlas."""
    found = name_at(clause.sentence, start)
    match = None if found is None else _REPLACED.match(clause.sentence, found[1])
    other = None if match is None else name_at(clause.sentence, match.end())
    role = None if other is None else _AS_ROLE.match(clause.sentence, other[1])
    owner = None if role is None else name_at(clause.sentence, role.end())
    if found is None or other is None or role is None or owner is None:
        return
    who, before, of = (clause.sentence[first:last] for first, last in (found, other, owner))
    if common_words().get(who.split()[0].casefold()) is not None:
        return
    times = [time for time in clause.times if owner[1] <= time.first or time.last <= start]
    begin, _ = _interval(times, opens=True)
    what = re.sub(r"\s+", " ", role.group("role"))
    relation = f"{what.lower().replace(' ', '_').replace('-', '_')}_of"
    span = _span(clause, start, max([owner[1], *(time.last for time in times)]))
    for name, negated in ((before, True), (who, False)):
        says = f"{name} is {'no longer ' if negated else ''}{what} of {of}."
        yield Statement(
            name, relation, of, says, (span,), "person", "organization", negated=negated, confidence=0.85,
            event_from=begin,
        )  # fmt: skip


def _interval(times: list[TimeSpan], *, opens: bool) -> tuple[datetime | None, datetime | None]:
    if len(times) != 1 or times[0].bound != "in":
        return None, None
    return times[0].start.astimezone(UTC), None if opens else times[0].end.astimezone(UTC)


def _span(clause: Clause, first: int, last: int) -> Span:
    return Span(clause.record_no, clause.offset + first, clause.offset + last)
