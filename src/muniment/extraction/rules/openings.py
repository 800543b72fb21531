"""Statements that a possessive opens: my name is, my favourite food is, my sister Ana, my dog Rex."""

import re
from collections.abc import Iterator
from datetime import UTC
from typing import Final

from muniment.extraction.rules.clauses import Clause, Subject
from muniment.extraction.rules.patterns import BIRTHDAY, FAVORITE, MY_KIN, MY_PET, NAMED, NICKNAMED
from muniment.extraction.rules.phrases import name_at, names_alone, phrase_at
from muniment.extraction.statements import EntityType, Span, Statement

_POINTING: Final = re.compile(r"\b(?:it|that|this|these|those|them|you|your|when|how|what|the\s+one)\b", re.IGNORECASE)
_YEAR: Final = re.compile(r"\b(?:18|19|20)\d\d\b")


def openings(clause: Clause) -> Iterator[Statement]:
    """What a sentence says of its speaker in these forms; nothing where the speaker is not known."""
    speaker, sentence = clause.speaker, clause.sentence
    if speaker is None:
        return
    for match in NAMED.finditer(sentence):
        if found := name_at(sentence, match.end()):
            yield _of(clause, match, found, speaker, "is_named", "{s} is named {o}.", "person")
    for match in NICKNAMED.finditer(sentence):
        if found := _single_name(sentence, match.end()):
            yield _of(clause, match, found, speaker, "also_known_as", "{s} is also known as {o}.", "person")
    for match in FAVORITE.finditer(sentence):
        found = phrase_at(sentence, match.end(), clause.times)
        if found and not _POINTING.search(sentence[found[0] : found[1]]):
            what = match.group("what")
            says = "{s}'s favorite " + what + " is {o}."
            yield _of(clause, match, found, speaker, f"favorite_{what.replace(' ', '_')}", says, "thing")
    for match in BIRTHDAY.finditer(sentence):
        time = next((time for time in clause.times if time.first - match.end() in range(3)), None)
        if time is not None:
            yield _of(clause, match, (time.first, time.last), speaker, "birthday", "{s}'s birthday is {o}.", "time")
    for match in MY_KIN.finditer(sentence):
        found = _single_name(sentence, match.end())
        if found and not (match.group("is") and not names_alone(sentence, found)):
            kin = match.group("kin")
            relation = f"{kin.replace(' ', '_').replace('-', '_')}_of"
            place, name = match.start(), sentence[found[0] : found[1]]
            yield Statement(
                name, relation, speaker, f"{name} is {kin} of {speaker}.",
                (Span(clause.record_no, clause.offset + place, clause.offset + found[1]),), "person", "person",
                confidence=0.85,
            )  # fmt: skip
    for match in MY_PET.finditer(sentence):
        if found := _single_name(sentence, match.end()):
            says = "{s} has a " + match.group("pet") + " called {o}."
            yield _of(clause, match, found, speaker, "has_pet", says, "thing")


def kin_named(clause: Clause) -> Iterator[Subject]:
    """Whom the speaker names with a kinship before what they do: my sister Clara works at Bosch."""
    for match in MY_KIN.finditer(clause.sentence):
        found = _single_name(clause.sentence, match.end())
        if found and not match.group("is"):
            yield Subject(clause.sentence[found[0] : found[1]], "person", match.start(), found[1])


def _single_name(sentence: str, place: int) -> tuple[int, int] | None:
    found = name_at(sentence, place)
    if found is None or len(sentence[found[0] : found[1]].split()) > 2:
        return None
    return found


def _of(
    clause: Clause,
    match: re.Match[str],
    found: tuple[int, int],
    speaker: str,
    relation: str,
    says: str,
    object_type: EntityType,
) -> Statement:
    text = clause.sentence[found[0] : found[1]]
    time = next((time for time in clause.times if time.first == found[0]), None)
    # true from the first on, for good; without a year the time is only the next one
    born = time.start if time is not None and relation == "birthday" and _YEAR.search(text) else None
    return Statement(
        subject=speaker,
        relation=relation,
        object=text,
        text=says.format(s=speaker, o=text),
        spans=(Span(clause.record_no, clause.offset + match.start(), clause.offset + found[1]),),
        subject_type="person",
        object_type=object_type,
        event_from=None if born is None else born.astimezone(UTC),
    )
