"""The registry of relations: whether a subject has one value of a relation at a time, and under which names it goes."""

from collections.abc import Collection
from typing import Final, Literal

from muniment.audit.chain import record_act
from muniment.database.pool import Database, Row, Scope
from muniment.database.spaces import intern_space
from muniment.derivation.formulas.relation_cardinality import has_one_value
from muniment.errors import MunimentError
from muniment.log.seal import NewEntry, seal
from muniment.log.stale_claims import KIND
from muniment.log.stale_summaries import enqueue_summaries
from muniment.model.claims import Relation, RelationChange, admit_relation_name
from muniment.model.namespace import Namespace
from muniment.queue import enqueue

LOOKED_AT: Final = 2000
"""The last so many facts of a relation are looked at to learn what it is."""


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
        written = await _write(scope, space, name, change, before, "person")
        await record_act(scope, "relation.put", name, commit=written.commit)
        return written


async def learn_relations(database: Database, tenant: int, names: Collection[str]) -> list[Relation]:
    """Learns of these relations, from their facts, whether a subject has one value at a time; those that changed.

    What the defaults or a person say stands. What is learned is logged like what a person says, and may be overridden.
    """
    async with database.scope(tenant) as scope:
        rows = await scope.rows("relations.to_learn", relations=sorted(names), most=LOOKED_AT)
    found = [
        row for row in rows if has_one_value(row["replaced"], row["beside"], before=row["single"]) != row["single"]
    ]
    if not found:
        return []
    space = await intern_space(database, tenant, Namespace())
    learned = []
    for row in found:
        async with database.scope(tenant, seconds=database.settings.write_timeout) as scope:
            known = await scope.row("relations.current", relation=row["relation"])
            before = None if known is None else _relation(known)
            if before is not None and (before.set_by == "person" or before.single != row["single"]):
                continue  # said or learned by another meanwhile
            change = RelationChange(single=not row["single"])
            learned.append(await _write(scope, space, row["relation"], change, before, "learned"))
    return learned


async def _write(
    scope: Scope, space: int, name: str, change: RelationChange, before: Relation | None,
    set_by: Literal["learned", "person"],
) -> Relation:  # fmt: skip
    told = {
        "aliases": change.aliases, "inverses": change.inverses, "policy": "relation", "relation": name,
        "set_by": set_by, "single": change.single,
    }  # fmt: skip
    commit = (await seal(scope, [NewEntry("policy", space, detail=told)], None)).number
    await scope.execute("relations.close", relation=name, commit=commit)
    await scope.execute(
        "relations.insert", relation=name, commit=commit, single=change.single, aliases=change.aliases,
        inverses=change.inverses, set_by=set_by,
    )  # fmt: skip
    names = {name, *change.aliases, *change.inverses}
    if before is not None:
        names |= {*before.aliases, *before.inverses}
    await _mark(scope, commit, names)
    return Relation(
        relation=name, single=change.single, aliases=change.aliases, inverses=change.inverses, set_by=set_by,
        commit=commit,
    )  # fmt: skip


async def _mark(scope: Scope, commit: int, names: set[str]) -> None:
    if await scope.value("relations.mark", commit=commit, names=sorted(names)):
        await enqueue(scope, KIND, {}, dedup=KIND)
    await scope.execute("relations.mark_profiles", names=sorted(names))
    await enqueue_summaries(scope)


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
