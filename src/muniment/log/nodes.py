"""Hashes of the stored history tree: from ``muniment.tree_node``, and between its levels hashed from below.

A subtree between two stored levels costs at most 255 hashes of the level below, read as one range.
"""

from collections.abc import Iterable, Sequence

from muniment.database.pool import Scope
from muniment.errors import MunimentError
from muniment.log.tree import STORED_LEVELS, Hash, Span, node_hash, perfect


async def load_subtrees(scope: Scope, spans: Iterable[Span]) -> Hash:
    """The hashes of all perfect subtrees that these spans are folded from, read in at most two statements.

    The returned function raises ``log.invalid`` where the stored tree lacks a hash.
    """
    ranges = sorted({_stored_range(level, node) for span in spans for level, node in perfect(span)})
    known: dict[tuple[int, int], bytes] = {}
    leaves = [(first, last) for level, first, last in ranges if level == 0]
    if leaves:
        for row in await scope.rows("proofs.leaves", **_columns(leaves, "firsts", "lasts")):
            known[0, row["entry_no"]] = row["leaf"]
    nodes = [found for found in ranges if found[0] > 0]
    if nodes:
        for row in await scope.rows("proofs.nodes", **_columns(nodes, "levels", "firsts", "lasts")):
            known[row["level"], row["node_no"]] = row["hash"]

    def subtree(level: int, node: int) -> bytes:
        if level % STORED_LEVELS:
            return node_hash(subtree(level - 1, 2 * node), subtree(level - 1, 2 * node + 1))
        if (level, node) not in known:
            raise MunimentError("log.invalid", "the history tree is not whole: run muniment validate")
        return known[level, node]

    return subtree


def _stored_range(level: int, node: int) -> tuple[int, int, int]:
    """The stored hashes (level, first, last) that the perfect subtree (level, node) is hashed from."""
    above = level % STORED_LEVELS
    return level - above, node << above, (node + 1) << above


def _columns(rows: Sequence[tuple[int, ...]], *names: str) -> dict[str, list[int]]:
    return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
