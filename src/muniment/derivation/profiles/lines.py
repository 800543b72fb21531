"""The lines of a profile from the live facts about an entity, and what changes from one version to the next."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any, Final

from muniment.derivation.profiles.aspects import ASPECTS, Aspect, aspect_of

_REPEATED: Final = 2  # times that something happened from which on it counts as an interest


@dataclass(frozen=True, slots=True)
class ProfileFact:
    """A live fact about an entity; ``at`` is when it happened or began to hold, else when it was said.

    ``meant`` is what the registry of relations calls its relation, ``single`` whether one value of that holds at a
    time, ``refined`` whether a later value that says all of an earlier one takes its place, ``words`` where the words
    stand that tell it. With ``as_object`` it is a fact about somebody else that tells of the entity too, and ``object``
    is its subject.
    """

    record_no: int
    relation: str
    object: str
    object_key: str
    object_type: str
    negated: bool
    kind: str
    text: str
    at: datetime | None
    meant: str
    single: bool = False
    refined: bool = False
    words: str | None = None
    as_object: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """A line with the facts it rests on. ``explicit`` where one of them says it, else it is inferred from all."""

    aspect: Aspect
    relation: str
    object_key: str
    text: str
    facts: tuple[int, ...]
    explicit: bool = True
    single: bool = False

    def stored(self) -> dict[str, Any]:
        """As JSON values."""
        return {"aspect": self.aspect, "relation": self.relation, "object": self.object_key, "text": self.text,
                "facts": list(self.facts), "explicit": self.explicit, "single": self.single}  # fmt: skip


def lines_of(facts: Iterable[ProfileFact]) -> list[Line]:
    """The lines in the order of aspects, then of time.

    Of several facts with the same value the latest tells the line. One that denies a value ends its line; a denial of
    what was never said is a line itself. Of a relation with one value at a time the latest value stays, of one
    whose values are refined what says the most.
    """
    ordered = sorted(facts, key=lambda fact: (fact.meant, fact.object_key, *_when(fact)))
    kept: list[tuple[ProfileFact, Line]] = []
    for (relation, key), several in groupby(ordered, key=lambda fact: (fact.meant, fact.object_key)):
        same = list(several)
        last = same[-1]
        if last.negated and not all(fact.negated for fact in same):
            continue
        of_it = tuple(sorted(fact.record_no for fact in same))
        aspect = aspect_of(last.relation, last.kind, last.object_type)
        kept.append((last, Line(aspect, relation, key, last.text, of_it, single=last.single)))
    standing = [(fact, line) for fact, line in kept if not _overtaken(fact, kept)]
    inferred = [(fact, line) for fact, line in ((fact, _habit(fact, line)) for fact, line in standing) if line]
    placed = sorted([*standing, *inferred], key=lambda each: (ASPECTS.index(each[1].aspect), *_when(each[0])))
    return [line for _, line in placed]


def tells_of(fact: ProfileFact) -> bool:
    """Whether a fact belongs in the profile: of those about somebody else, how the two stand to each other."""
    return not fact.as_object or aspect_of(fact.relation, fact.kind, fact.object_type) in ("relations", "work")


def changes(before: Sequence[Mapping[str, Any]], after: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What happened to lines between two versions: ``add``, ``update`` or ``delete``; what stayed is not told.

    A line whose relation has one value at a time is updated by the next value.
    """
    old, new = ({_place(line): line for line in lines} for lines in (before, after))
    told = [_change("update" if place in old else "add", line) for place, line in new.items() if old.get(place) != line]
    return told + [_change("delete", line) for place, line in old.items() if place not in new]


def _place(line: Mapping[str, Any]) -> tuple[Any, ...]:
    value = None if line.get("single") else line["object"]
    return line["aspect"], line["explicit"], line["relation"], value


def _change(operation: str, line: Mapping[str, Any]) -> dict[str, Any]:
    return {"operation": operation, "aspect": line["aspect"], "text": line["text"], "facts": line["facts"]}


def _overtaken(fact: ProfileFact, others: Iterable[tuple[ProfileFact, Line]]) -> bool:
    return not fact.negated and any(
        other.meant == fact.meant and not other.negated and _when(other) > _when(fact) and _replaces(other, fact)
        for other, _ in others
    )


def _replaces(later: ProfileFact, fact: ProfileFact) -> bool:
    """Whether a later value ends one: as it does of a claim."""
    if fact.single:
        if (
            fact.words is not None
            and fact.words == later.words
            and fact.at == later.at
            and fact.negated == later.negated
        ):
            return False  # told in one breath
        return fact.kind != "intention" and later.kind != "intention"
    more = later.object_key != fact.object_key and f" {fact.object_key} " in f" {later.object_key} "
    return fact.refined and more and "intention" not in (fact.kind, later.kind)


def _habit(fact: ProfileFact, line: Line) -> Line | None:
    """That something is done time and again; None where it was not."""
    if line.aspect != "events" or fact.negated or len(line.facts) < _REPEATED:
        return None
    text = f"{fact.relation.replace('_', ' ').capitalize()} {fact.object} {len(line.facts)} times."
    return Line("interests", line.relation, line.object_key, text, line.facts, explicit=False)


def _when(fact: ProfileFact) -> tuple[float, int]:
    return (float("-inf") if fact.at is None else fact.at.timestamp()), fact.record_no
