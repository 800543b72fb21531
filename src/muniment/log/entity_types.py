"""Of what type the names are that an extractor gave none: the one by which the space, or the same text, knows them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from muniment.database.pool import Scope
from muniment.extraction.statements import EntityType, Statement

_UNTYPED: Final = ("unknown", "time", "quantity")
_OTHER_NAME: Final = "also_known_as"


async def typed(scope: Scope, space: int, statements: Sequence[Statement]) -> list[Statement]:
    """The statements with types for what had none, where all that is known of a name is of one type.

    Both names of *also known as* have the type of either, and are persons where they share their last of several words.
    What stays ``unknown`` is an entity of its own.
    """
    lacking = [each for each in statements if "unknown" in (each.subject_type, each.object_type)]
    if not lacking:
        return list(statements)
    told: dict[str, set[EntityType]] = {}
    for each in statements:
        for name, kind in ((each.subject, each.subject_type), (each.object, each.object_type)):
            if kind not in _UNTYPED:
                told.setdefault(name.casefold(), set()).add(kind)
    names = sorted({name for each in lacking for name in (each.subject, each.object)})
    for row in await scope.rows("facts.types_of_names", names=names, space=space):
        told.setdefault(row["name"].casefold(), set()).update(row["types"])
    only = {name: next(iter(kinds)) for name, kinds in told.items() if len(kinds) == 1}
    return [_typed(each, only) for each in statements]


def _typed(statement: Statement, only: dict[str, EntityType]) -> Statement:
    subject, object_ = statement.subject_type, statement.object_type
    if subject == "unknown":
        subject = only.get(statement.subject.casefold(), "unknown")
    if object_ == "unknown":
        object_ = only.get(statement.object.casefold(), "unknown")
    if statement.relation == _OTHER_NAME:
        either: EntityType = object_ if subject == "unknown" else subject
        if either == "unknown" and _share_family_name(statement.subject, statement.object):
            either = "person"
        subject = either if subject == "unknown" else subject
        object_ = either if object_ == "unknown" else object_
    if (subject, object_) == (statement.subject_type, statement.object_type):
        return statement
    return replace(statement, subject_type=subject, object_type=object_)


def _share_family_name(one: str, other: str) -> bool:
    first, second = one.casefold().split(), other.casefold().split()
    return len(first) > 1 and len(second) > 1 and first[-1] == second[-1]
