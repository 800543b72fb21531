"""The registry of relations: whether a subject has one value of a relation at a time, and under which names it goes."""

from muniment.database.pool import Database, Row, Scope
from muniment.database.spaces import intern_space
from muniment.errors import MunimentError
from muniment.log.seal import NewEntry, seal
from muniment.log.stale_claims import KIND
from muniment.model.claims import Relation, RelationChange, admit_relation_name
from muniment.model.namespace import Namespace
from muniment.queue import enqueue


async def list_relations(database: Database, tenant: int) -> list[Relation]:
    """Every relation in force, by name: the tenant's own and the defaults. One that is not listed has many values."""
    async with database.scope(tenant) as scope:
        return [_relation(row) for row in await scope.rows("relations.list")]


async def get_relation(database: Database, tenant: int, name: str) -> Relation:
    """The relation of this name, not one that has it as an alias; raises ``relation.not_found``."""
    for relation in await list_relations(database, tenant):
        if relation.relation == name:
            return relation
    raise MunimentError("relation.not_found", "there is no relation of this name", name=name)


async def put_relation(database: Database, tenant: int, name: str, change: RelationChange) -> Relation:
    """Says from now on what a relation is; logged, and claims follow. The same again changes nothing.

    Raises ``input.invalid`` for a name that is none, and where an alias is a relation, or the name of another, itself.
    """
    admit_relation_name(name)
    space = await intern_space(database, tenant, Namespace())
    async with database.scope(tenant, seconds=database.settings.write_timeout) as scope:
        known = {row["relation"]: _relation(row) for row in await scope.rows("relations.list")}
        before = known.get(name)
        if before is not None and before.set_by == "person" and _same(before, change):
            return before
        _refuse_taken(name, change, known)
        told = {
            "aliases": change.aliases, "inverses": change.inverses, "policy": "relation", "relation": name,
            "single": change.single,
        }  # fmt: skip
        commit = (await seal(scope, [NewEntry("policy", space, detail=told)], None)).number
        await scope.execute("relations.close", relation=name, commit=commit)
        await scope.execute(
            "relations.insert", relation=name, commit=commit, single=change.single, aliases=change.aliases,
            inverses=change.inverses, set_by="person",
        )  # fmt: skip
        names = {name, *change.aliases, *change.inverses}
        if before is not None:
            names |= {*before.aliases, *before.inverses}
        await _mark(scope, commit, names)
    return Relation(
        relation=name, single=change.single, aliases=change.aliases, inverses=change.inverses, set_by="person",
        commit=commit,
    )  # fmt: skip


async def _mark(scope: Scope, commit: int, names: set[str]) -> None:
    if await scope.value("relations.mark", commit=commit, names=sorted(names)):
        await enqueue(scope, KIND, {}, dedup=KIND)


def _same(relation: Relation, change: RelationChange) -> bool:
    return (relation.single, relation.aliases, relation.inverses) == (change.single, change.aliases, change.inverses)


def _refuse_taken(name: str, change: RelationChange, known: dict[str, Relation]) -> None:
    for alias in (*change.aliases, *change.inverses):
        if alias == name:
            if alias in change.aliases:
                raise MunimentError("input.invalid", "a relation is no alias of itself", alias=alias)
            continue
        if alias in known:
            raise MunimentError("input.invalid", f"{alias} is a relation itself", alias=alias)
        for other in known.values():
            if other.relation != name and alias in (*other.aliases, *other.inverses):
                raise MunimentError("input.invalid", f"{alias} is a name of {other.relation}", alias=alias)
    if set(change.aliases) & set(change.inverses):
        raise MunimentError("input.invalid", "a name is an alias or an inverse, not both")


def _relation(row: Row) -> Relation:
    return Relation(
        relation=row["relation"], single=row["single"], aliases=row["aliases"], inverses=row["inverses"],
        set_by=row["set_by"], commit=row["commit_no"],
    )  # fmt: skip
