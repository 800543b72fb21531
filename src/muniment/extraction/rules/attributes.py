"""Statements that name an attribute and its value: my boss is Karl, the price of Atlas is $30, Acme's CEO is Jane."""

import re
from collections.abc import Iterator
from typing import Final

from muniment.extraction.names import common_words
from muniment.extraction.places import is_place
from muniment.extraction.rules.clauses import Clause
from muniment.extraction.rules.given_names import is_given
from muniment.extraction.rules.phrases import name_at, names_alone
from muniment.extraction.rules.vocabulary import KIN, OPENS_NAME, ROLES, UPPER
from muniment.extraction.statements import EntityType, Span, Statement

_NOW: Final = r"(?:\s+(?:now|currently|still|officially))?"
_IS: Final = rf"(?:['’]s\s+name)?\s+is{_NOW}\s+(?:(?:called|named)\s+)?"  # noqa: RUF001
_BECAME: Final = (
    rf"\s+(?:is{_NOW}|(?:was|got|has\s+been|has|have)\s+(?:moved|changed|pushed(?:\s+back|\s+out)?|postponed|rescheduled|set|raised|lowered"
    r"|increased|reduced|updated|brought\s+forward)\s+to)\s+"
)
_OF_PEOPLE: Final[dict[str, str]] = {
    "manager": "reports_to", "supervisor": "reports_to", "line manager": "reports_to",
    "spouse": "married_to", "doctor": "doctor", "dentist": "dentist", "therapist": "therapist",
    "landlord": "landlord", "lawyer": "lawyer", "accountant": "accountant", "mentor": "mentor", "coach": "coach",
}  # fmt: skip
_OF_PLACES: Final[dict[str, tuple[str, EntityType]]] = {
    "employer": ("works_at", "organization"), "company": ("works_at", "organization"),
    "home": ("lives_in", "place"), "hometown": ("comes_from", "place"),
    "home town": ("comes_from", "place"), "birthplace": ("born_in", "place"),
}  # fmt: skip
_ADDRESS: Final = r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
_BLOOD: Final = r"(?:AB|A|B|O)\s?(?:[+-]|positive|negative)"
_MONEY: Final = (
    r"(?:[$€£¥]\s?\d(?:[\d,.]*\d)?(?:\s?(?:k|m|million|thousand))?"
    r"|\d[\d,.]*\s?(?:dollars|euros|pounds|EUR|USD|GBP))"
)
_OF_VALUES: Final[dict[str, tuple[str, str]]] = {
    "email": ("email", _ADDRESS), "email address": ("email", _ADDRESS),
    "phone number": ("phone_number", r"\+?\d[\d\s()/-]{4,18}\d"), "shoe size": ("shoe_size", r"\d{1,2}(?:\.5)?"),
    "blood type": ("blood_type", _BLOOD),
}  # fmt: skip
_OF_THINGS: Final[dict[str, tuple[str, str]]] = {
    "price": ("price", _MONEY), "budget": ("budget", _MONEY), "version": ("version", r"v?\d+(?:\.\d+)+[\w-]*"),
    "capital": ("capital", ""), "headquarters": ("headquartered_in", ""),
}  # fmt: skip
_OF_DATES: Final[dict[str, str]] = {
    "deadline": "due_on", "due date": "due_on", "launch date": "launches_on", "release date": "releases_on",
    "start date": "starts_on", "end date": "ends_on", "launch": "launches_on", "release": "releases_on",
}  # fmt: skip


def _any(*words: str) -> str:
    return "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in sorted(words, key=len, reverse=True))


_MINE: Final = re.compile(
    rf"\b[Mm]y\s+(?:new\s+|current\s+)?(?P<what>{_any(*_OF_PEOPLE, *_OF_PLACES, *_OF_VALUES)}){_IS}"
)
_ROLE: Final = _any(*ROLES)
_OWNER: Final = r"(?P<owner>[A-Z][\w&-]*(?:\s+(?:[A-Z][\w&-]*|\d+)){0,4}|(?:the|our|this)\s+(?:[\w-]+\s+){0,3}?[\w-]+)"
_WHAT: Final = rf"(?:new\s+|current\s+)?(?P<what>{_ROLE}|{_any(*_OF_THINGS, *_OF_DATES)})"
_OF: Final = re.compile(rf"(?:^|(?<=[.,;:!]\s)|(?<=\band\s))[Tt]he\s+{_WHAT}\s+(?:of|for)\s+{_OWNER}{_BECAME}")
_POSSESSIVE: Final = re.compile(rf"(?:^|(?<=[.,;:!]\s)|(?<=\band\s)){_OWNER}['’]s\s+{_WHAT}{_BECAME}")  # noqa: RUF001
_KIN_OF: Final = re.compile(
    rf"(?:^|(?<=[.,;:!]\s)|(?<=\band\s))(?P<owner>[{UPPER}][\w-]*(?:\s+[{UPPER}][\w-]*){{0,2}})['’]s\s+(?P<kin>{_any(*KIN)}){_IS}(?={OPENS_NAME})"  # noqa: RUF001
)
_TURN: Final = frozenset(
    ("year", "month", "week", "day", "season", "game", "match", "moment")
)  # "the player of the year"
_SPACE: Final = re.compile(r"\s+")


def attributes(clause: Clause) -> Iterator[Statement]:
    """What a sentence says of its speaker's and of other things' attributes."""
    if clause.speaker is not None:
        for match in _MINE.finditer(clause.sentence):
            yield from _mine(clause, match, clause.speaker)
    for match in _KIN_OF.finditer(clause.sentence):
        yield from _kin(clause, match)
    for pattern in (_OF, _POSSESSIVE):
        for match in pattern.finditer(clause.sentence):
            yield from _of(clause, match)


def _mine(clause: Clause, match: re.Match[str], speaker: str) -> Iterator[Statement]:
    what = _SPACE.sub(" ", match.group("what"))
    span = match.start()
    shown = f"{speaker}'s {what} is {{o}}."
    if what in _OF_PEOPLE:
        if found := _name(clause, match.end(), most=3):
            yield _statement(clause, speaker, "person", _OF_PEOPLE[what], found, "person", shown, span)
    elif what in _OF_PLACES:
        relation, kind = _OF_PLACES[what]
        found = _name(clause, match.end(), most=6)
        if found and (relation != "lives_in" or is_place(clause.sentence[found[0] : found[1]])):
            yield _statement(clause, speaker, "person", relation, found, kind, shown, span)
    else:
        relation, value = _OF_VALUES[what]
        if found := _value(clause, match.end(), value):
            yield _statement(clause, speaker, "person", relation, found, "thing", shown, span)


def _kin(clause: Clause, match: re.Match[str]) -> Iterator[Statement]:
    """Who is kin of another: Uma's husband is Ben."""
    owner, found = match.group("owner"), _name(clause, match.end(), most=3)
    if found is None or not is_given(owner.split()[0]):
        return
    who, kin = clause.sentence[found[0] : found[1]], _SPACE.sub(" ", match.group("kin"))
    yield Statement(
        who, f"{kin.replace(' ', '_').replace('-', '_')}_of", owner, f"{who} is {kin} of {owner}.",
        (Span(clause.record_no, clause.offset + match.start(), clause.offset + found[1]),), "person", "person",
        confidence=0.85,
    )  # fmt: skip


def _of(clause: Clause, match: re.Match[str]) -> Iterator[Statement]:
    what, owner = (_SPACE.sub(" ", match.group(name)) for name in ("what", "owner"))
    named = owner[0].isupper() and owner.split()[0].casefold() not in ("the", "our", "this")
    if named and common_words().get(owner.split()[0].casefold()) == "always":
        return
    if owner.split()[-1].casefold() in _TURN:
        return
    owner = owner if named else owner.split(" ", 1)[1]
    span = match.start()
    shown = f"The {what} of {owner} is {{o}}."
    if what in _OF_DATES:
        near = (time for time in clause.times if 0 <= time.first - match.end() <= 4 and time.bound == "in")
        found = next(((time.first, time.last) for time in near), None)
        if found:
            yield _statement(clause, owner, "thing", _OF_DATES[what], found, "time", shown, span)
    elif what in _OF_THINGS:
        relation, value = _OF_THINGS[what]
        found = _value(clause, match.end(), value) if value else _name(clause, match.end(), most=4)
        if found:
            yield _statement(clause, owner, "thing", relation, found, "thing" if value else "place", shown, span)
    elif found := _name(clause, match.end(), most=4):
        who, relation = clause.sentence[found[0] : found[1]], f"{what.lower().replace(' ', '_').replace('-', '_')}_of"
        yield Statement(
            who, relation, owner, f"{who} is {what} of {owner}.",
            (Span(clause.record_no, clause.offset + span, clause.offset + found[1]),), "person",
            "organization" if named else "thing", confidence=0.85,
        )  # fmt: skip


def _name(clause: Clause, place: int, *, most: int) -> tuple[int, int] | None:
    found = name_at(clause.sentence, place)
    if found is None or len(clause.sentence[found[0] : found[1]].split()) > most:
        return None
    return found if names_alone(clause.sentence, found) else None


def _value(clause: Clause, place: int, pattern: str) -> tuple[int, int] | None:
    found = re.compile(rf"(?:{pattern})(?![\w@])").match(clause.sentence, place)
    return None if found is None else found.span()


def _statement(
    clause: Clause, subject: str, kind: EntityType, relation: str, found: tuple[int, int], object_type: EntityType,
    says: str, start: int,
) -> Statement:  # fmt: skip
    value = clause.sentence[found[0] : found[1]]
    spans = (Span(clause.record_no, clause.offset + start, clause.offset + found[1]),)
    return Statement(
        subject, relation, value, says.format(o=value), spans, kind, object_type, confidence=0.85,
    )  # fmt: skip
