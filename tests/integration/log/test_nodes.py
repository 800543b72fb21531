"""Proofs from the stored tree where it is large: few hashes are read, and they are the right ones."""

from collections.abc import Iterator
from hashlib import sha256

import pytest
from sqlalchemy import create_engine, text

from muniment.database.pool import Database, Scope
from muniment.errors import MunimentError
from muniment.log import tree
from muniment.log.nodes import load_subtrees
from muniment.tenancy.tenants import Tenant

SIZE = 66_000
LEAVES = [sha256(str(number).encode()).digest() for number in range(SIZE)]


@pytest.fixture
def large(admin_url: str, tenant: Tenant) -> Iterator[None]:
    """A tree of more than 65,536 leaves, that is with a node of level 16, without records behind them."""
    completed = tree.Frontier().extend(LEAVES)
    engine = create_engine(admin_url)
    with engine.begin() as connection:
        connection.execute(text("set session_replication_role = replica"))
        connection.execute(
            text(
                "insert into muniment.log_entry (tenant_id, entry_no, commit_no, ordinal, space_id, event, leaf)"
                " select :tenant, n, 1, n, 1, 'policy', sha256(convert_to(n::text, 'UTF8'))"
                " from generate_series(0, :last) n"
            ),
            {"tenant": tenant.number, "last": SIZE - 1},
        )
        connection.execute(
            text(
                "insert into muniment.tree_node (tenant_id, level, node_no, hash)"
                " select :tenant, l, n, h"
                " from unnest(cast(:l as int[]), cast(:n as int[]), cast(:h as bytea[])) x (l, n, h)"
            ),
            {"tenant": tenant.number, **dict(zip("lnh", map(list, zip(*completed, strict=True)), strict=True))},
        )
    engine.dispose()
    yield


def root_of(size: int) -> bytes:
    frontier = tree.Frontier()
    frontier.extend(LEAVES[:size])
    return frontier.root()


@pytest.mark.usefixtures("large")
async def test_every_kind_of_leaf_of_a_large_tree_is_proved_from_few_hashes(database: Database, tenant: Tenant) -> None:
    root, read = root_of(SIZE), 0
    async with database.scope(tenant.number) as scope:
        original = scope.rows

        async def counting(name: str, /, **parameters: object):  # type: ignore[no-untyped-def]
            nonlocal read
            rows = await original(name, **parameters)
            read = max(read, len(rows))
            return rows

        scope.rows = counting  # type: ignore[method-assign]
        for index in (0, 255, 256, 40_000, 65_535, 65_536, 65_791, 65_792, SIZE - 1):
            subtree = await load_subtrees(scope, tree.inclusion_spans(index, SIZE))
            path = tree.inclusion_proof(index, SIZE, subtree)
            assert tree.verify_inclusion(LEAVES[index], index, SIZE, path, root), index
    assert read <= 2 * 255


@pytest.mark.usefixtures("large")
async def test_a_large_tree_is_shown_to_extend_its_earlier_sizes(database: Database, tenant: Tenant) -> None:
    root = root_of(SIZE)
    async with database.scope(tenant.number) as scope:
        for old in (1, 255, 256, 257, 65_535, 65_536, 65_537, SIZE - 1):
            subtree = await load_subtrees(scope, tree.consistency_spans(old, SIZE))
            path = tree.consistency_proof(old, SIZE, subtree)
            assert tree.verify_consistency(old, SIZE, root_of(old), root, path), old


@pytest.mark.usefixtures("large")
async def test_a_tree_that_lacks_a_hash_is_said_to_be_broken(
    database: Database, tenant: Tenant, admin_url: str
) -> None:
    engine = create_engine(admin_url)
    with engine.begin() as connection:
        connection.execute(text("delete from muniment.tree_node where level = 16"))
    engine.dispose()

    async def path(scope: Scope, index: int) -> list[bytes]:
        return tree.inclusion_proof(index, SIZE, await load_subtrees(scope, tree.inclusion_spans(index, SIZE)))

    async with database.scope(tenant.number) as scope:
        assert len(await path(scope, 1)) == 17
        with pytest.raises(MunimentError) as raised:
            await path(scope, SIZE - 1)
    assert raised.value.code == "log.invalid"
