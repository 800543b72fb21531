"""Statements that end something which others tell of, in the light of what is known: which relation, and to whom."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from muniment.extraction.grounding import sentence_of
from muniment.extraction.statements import EntityType, Span, Statement

_SAYS: Final = {
    "works_at": "{s} no longer works at {o}.", "lives_in": "{s} no longer lives in {o}.",
    "married_to": "{s} is not married to {o} any more.", "engaged_to": "{s} is not engaged to {o} any more.",
    "partner_of": "{s} and {o} are no longer a couple.", "owns": "{s} no longer owns {o}.",
    "drives": "{s} no longer drives {o}.", "has_pet": "{s} no longer has {o}.",
    "member_of": "{s} is no longer a member of {o}.", "studies_at": "{s} no longer studies at {o}.",
    "studies": "{s} no longer studies {o}.",
}  # fmt: skip
_TYPES: Final[dict[str, EntityType]] = {
    "works_at": "organization", "lives_in": "place", "married_to": "person", "engaged_to": "person",
    "partner_of": "person", "owns": "thing", "drives": "thing", "has_pet": "thing", "member_of": "organization",
    "studies_at": "organization", "studies": "thing",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Held:
    """What is known of a subject: a value of a relation, or that it is denied.

    ``told`` is the last record that says so, ``spans`` where in the same conversation.
    """

    subject: str
    relation: str
    object: str
    negated: bool
    told: int
    spans: tuple[Span, ...] = ()


def names_of_endings(statements: Sequence[Statement]) -> list[str]:
    """The subjects of whom something ends that others must tell of."""
    return sorted({each.subject for each in statements if each.ends})


def resolved(statements: Sequence[Statement], known: Sequence[Held]) -> list[Statement]:
    """The statements, in the order in which they were said, with those that end something made whole.

    One that ends something denies each relation among its ``ends`` whose value its object is by what is ``known`` from
    records before its own, or by a statement before it; without an object the last value that is. Where none is, its
    own relation is denied if it has one, and it is left out if not. One that is affirmed takes such an ending back.
    """
    held: dict[tuple[str, str], dict[str, Held]] = {}
    gone: dict[tuple[str, str], dict[str, Held]] = {}
    waiting = sorted(known, key=lambda fact: fact.told, reverse=True)
    found: list[Statement] = []
    for statement in statements:
        here = max(span.record_no for span in statement.spans)
        while waiting and waiting[-1].told < here:
            _learn(held, gone, waiting.pop())
        made = [statement]
        if statement.ends:
            made = _made_whole(statement, held) if statement.negated else _given_back(statement, gone)
        found += made
        for each in made:
            if each.kind != "intention":
                _learn(held, gone, Held(each.subject, each.relation, each.object, each.negated, here, each.spans))
    return found


def _learn(
    held: dict[tuple[str, str], dict[str, Held]], gone: dict[tuple[str, str], dict[str, Held]], fact: Held
) -> None:
    """Notes a value with those that hold, or where it is denied with those that are gone; the last said last."""
    key, value = (fact.subject.casefold(), fact.relation), fact.object.casefold()
    for values in (held.setdefault(key, {}), gone.setdefault(key, {})):
        values.pop(value, None)
    (gone if fact.negated else held)[key][value] = fact


def _given_back(statement: Statement, gone: dict[tuple[str, str], dict[str, Held]]) -> list[Statement]:
    """What a statement says that takes an ending back: that all which the same words ended is as it was."""
    records = {span.record_no for span in statement.spans}
    found = []
    for relation in statement.ends:
        for fact in gone.get((statement.subject.casefold(), relation), {}).values():
            if fact.told in records:
                kind = _TYPES.get(relation, "organization")
                whole = replace(statement, relation=relation, object=fact.object, object_type=kind, ends=())
                found.append(replace(whole, text=sentence_of(whole)))
    return found


def _made_whole(statement: Statement, held: dict[tuple[str, str], dict[str, Held]]) -> list[Statement]:
    found: list[Statement] = []
    for relation in statement.ends:
        values = held.get((statement.subject.casefold(), relation), {})
        fact = _meant(statement.object, values, _TYPES.get(relation, "organization"))
        if fact is None:
            continue
        said = statement.object and not fact.spans  # what the words of another conversation add is not in this one
        fact = replace(fact, object=statement.object) if said else fact
        spans = statement.spans + tuple(span for span in fact.spans if span not in statement.spans)
        text = _SAYS.get(relation) or f"{{s}} is no longer {relation.removesuffix('_of').replace('_', ' ')} of {{o}}."
        found.append(
            replace(
                statement, relation=relation, object=fact.object, text=text.format(s=statement.subject, o=fact.object),
                spans=spans, object_type=_TYPES.get(relation, "organization"), ends=(),
            )
        )  # fmt: skip
    if not found and statement.relation and statement.object:
        return [replace(statement, ends=())]
    return found


def _meant(object_: str, values: dict[str, Held], kind: EntityType) -> Held | None:
    if not object_:
        return next(reversed(values.values()), None)
    fact = values.get(object_.casefold())
    if fact is not None or kind not in ("thing", "person"):
        return fact
    # "my car" may be the red car, and Tom be Tom Baker
    words = object_.casefold().split()
    place = slice(-len(words), None) if kind == "thing" else slice(0, len(words))
    alike = [each for name, each in values.items() if name.split()[place] == words]
    return alike[0] if len(alike) == 1 else None
