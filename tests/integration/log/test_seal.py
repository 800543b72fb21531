"""Sealing: gapless, in order, and one tree, whatever else goes on."""

import asyncio
from datetime import timedelta

import pytest
from log_seeding import insert_records, new_group, write
from sqlalchemy import text

from muniment.database.pool import Database
from muniment.log.leaves import entry_leaf
from muniment.log.seal import NewEntry, seal
from muniment.log.tree import Frontier
from muniment.model.identifiers import RECORD, SOURCE, new_id, public_id
from muniment.tenancy.tenants import Tenant


async def fetch(database: Database, tenant: Tenant, statement: str) -> list[tuple[object, ...]]:
    async with database.scope(tenant.number) as scope:
        return [tuple(row) for row in await scope.connection.execute(text(statement))]


async def test_commits_follow_each_other_and_carry_the_root_of_the_tree_so_far(
    database: Database, tenant: Tenant
) -> None:
    sealed = [await write(database, tenant.number, f"g{n}", ["a", "b", "c"][: n + 1]) for n in range(3)]
    assert [commit.number for commit, _ in sealed] == [1, 2, 3]
    assert [commit.first_entry for commit, _ in sealed] == [0, 1, 3]
    frontier = Frontier()
    for commit, entries in sealed:
        for ordinal, entry in enumerate(entries):
            frontier.append(
                entry_leaf(commit.number, ordinal, commit.at, "record", entry.record_id, entry.spine_digest, None)
            )
        assert commit.root == frontier.root()
    rows = await fetch(database, tenant, "select commits, entries, last_at, peaks from muniment.log_head")
    assert rows == [(3, 6, sealed[-1][0].at, frontier.peaks)]
    stored = await fetch(database, tenant, "select entry_no, commit_no, ordinal from muniment.log_entry order by 1")
    assert stored == [(0, 1, 0), (1, 2, 0), (2, 2, 1), (3, 3, 0), (4, 3, 1), (5, 3, 2)]


async def test_each_eighth_level_of_the_tree_is_stored_once_it_is_full(database: Database, tenant: Tenant) -> None:
    await write(database, tenant.number, "one", [f"text {n}" for n in range(200)])
    await write(database, tenant.number, "two", [f"text {n}" for n in range(400)])
    leaves = [row[0] for row in await fetch(database, tenant, "select leaf from muniment.log_entry order by entry_no")]
    nodes = await fetch(database, tenant, "select level, node_no, hash from muniment.tree_node order by 1, 2")
    assert nodes == Frontier().extend(leaves) and len(nodes) == 2


async def test_many_writers_of_whom_some_fail_leave_no_gap_and_one_tree(database: Database, tenant: Tenant) -> None:
    class Abandoned(Exception):
        pass

    groups = [await new_group(database, tenant.number, f"g{n}", 1 + n % 5) for n in range(24)]

    async def writer(number: int) -> None:
        try:
            async with database.scope(tenant.number, seconds=60) as scope:
                entries = await insert_records(scope, groups[number], ["x"] * (1 + number % 5))
                await seal(scope, entries, groups[number].space)
                if number % 3 == 0:
                    raise Abandoned
        except Abandoned:
            pass

    await asyncio.gather(*(writer(number) for number in range(24)))
    commits = await fetch(
        database, tenant, "select commit_no, first_entry, entries, at, root from muniment.log_commit order by 1"
    )
    assert [row[0] for row in commits] == list(range(1, 17))
    leaves = [row[0] for row in await fetch(database, tenant, "select leaf from muniment.log_entry order by entry_no")]
    frontier, last_at = Frontier(), commits[0][3]
    for _, first, entries, at, root in commits:
        assert first == frontier.size
        frontier.extend(leaves[first : first + entries])
        assert root == frontier.root()
        assert at >= last_at
        last_at = at
    assert frontier.size == len(leaves)


async def test_time_does_not_go_back_when_the_clock_does(database: Database, tenant: Tenant) -> None:
    first, _ = await write(database, tenant.number, "one", ["a"])
    ahead = first.at + timedelta(hours=1)
    async with database.scope(tenant.number) as scope:
        await scope.connection.execute(text("update muniment.log_head set last_at = :at"), {"at": ahead})
    second, _ = await write(database, tenant.number, "two", ["b"])
    assert second.at == ahead


async def test_closing_and_archiving_end_the_liveness_of_just_those_records(database: Database, tenant: Tenant) -> None:
    _, kept = await write(database, tenant.number, "kept", ["a", "b"])
    _, archived = await write(database, tenant.number, "archived", ["c", "d"])
    rows = await fetch(database, tenant, "select source_id from muniment.source where source_key = 'archived'")
    async with database.scope(tenant.number) as scope:
        space = kept[0].space
        await seal(
            scope,
            [
                NewEntry(
                    event="version",
                    space=space,
                    detail={"source": public_id(SOURCE, rows[0][0]), "version": 2, "archived": 1},  # type: ignore[arg-type]
                ),
                NewEntry(
                    event="close",
                    space=space,
                    record_no=kept[1].record_no,
                    record_id=kept[1].record_id,
                    detail={"replaced_by": public_id(RECORD, new_id())},
                ),
            ],
            space,
        )
    lives = await fetch(database, tenant, "select record_no, live_from_commit, live_to_commit from muniment.liveness")
    assert sorted(lives) == [
        (kept[0].record_no, 1, None),
        (kept[1].record_no, 1, 3),
        (archived[0].record_no, 2, 3),
        (archived[1].record_no, 2, 3),
    ]


async def test_two_commits_of_one_transaction_follow_each_other(database: Database, tenant: Tenant) -> None:
    group = await new_group(database, tenant.number, "g", 2)
    async with database.scope(tenant.number) as scope:
        entries = await insert_records(scope, group, ["a", "b"])
        first = await seal(scope, entries[:1], group.space)
        second = await seal(scope, entries[1:], group.space)
    assert (first.number, second.number, second.first_entry) == (1, 2, 1)


async def test_entries_that_make_no_sense_are_refused(database: Database, tenant: Tenant) -> None:
    record = {"record_no": 1, "record_id": new_id()}
    with pytest.raises(ValueError, match="spine"):
        NewEntry(event="close", space=1, spine_digest=b"x" * 32, **record)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="spine"):
        NewEntry(event="record", space=1, **record)  # type: ignore[arg-type]
    brought = NewEntry(event="record", space=1, spine_digest=b"x" * 32, group_no=1, position=0, **record)  # type: ignore[arg-type]
    async with database.scope(tenant.number) as scope:
        with pytest.raises(ValueError, match="at least one"):
            await seal(scope, [])
        with pytest.raises(ValueError, match="second commit"):
            await seal(scope, [brought, NewEntry(event="close", space=1, **record)])  # type: ignore[arg-type]


async def test_the_logs_of_two_tenants_are_apart(database: Database, tenant: Tenant, other_tenant: Tenant) -> None:
    await write(database, tenant.number, "g", ["a"])
    commit, _ = await write(database, other_tenant.number, "g", ["b"])
    assert (commit.number, commit.first_entry) == (1, 0)
