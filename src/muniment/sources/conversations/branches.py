"""Conversations that are trees: an answer asked for again, or a question put otherwise, begins a branch."""

from collections.abc import Mapping, Sequence


def path_to(leaf: str | None, parents: Mapping[str, str | None]) -> list[str]:
    """The nodes from the root to a leaf. What leads round in a circle ends where it began."""
    path: list[str] = []
    seen: set[str] = set()
    while leaf is not None and leaf in parents and leaf not in seen:
        seen.add(leaf)
        path.append(leaf)
        leaf = parents[leaf]
    return path[::-1]


def newest_leaf(nodes: Sequence[str], parents: Mapping[str, str | None]) -> str | None:
    """The last of the nodes, in the order that they came in, that nothing follows."""
    inner = {parent for parent in parents.values() if parent is not None}
    return next((node for node in reversed(nodes) if node not in inner), None)
