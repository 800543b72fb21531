"""The history tree against the definitions of RFC 9162, written down naively."""

from collections.abc import Callable
from functools import cache
from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.log import tree

LEAVES = [tree.leaf_hash(str(number).encode()) for number in range(1100)]


@cache
def naive_root(start: int, end: int) -> bytes:
    """MTH of RFC 9162, 2.1.1, over LEAVES[start:end]."""
    if start == end:
        return sha256(b"").digest()
    if end - start == 1:
        return LEAVES[start]
    half = 1
    while half * 2 < end - start:
        half *= 2
    return sha256(b"\x01" + naive_root(start, start + half) + naive_root(start + half, end)).digest()


def naive_path(index: int, start: int, end: int) -> list[bytes]:
    """PATH of RFC 9162, 2.1.3.1."""
    if end - start == 1:
        return []
    half = 1
    while half * 2 < end - start:
        half *= 2
    if index < half:
        return [*naive_path(index, start, start + half), naive_root(start + half, end)]
    return [*naive_path(index - half, start + half, end), naive_root(start, start + half)]


def naive_subproof(old: int, start: int, end: int, whole: bool) -> list[bytes]:
    """SUBPROOF of RFC 9162, 2.1.4.1."""
    if old == end - start:
        return [] if whole else [naive_root(start, end)]
    half = 1
    while half * 2 < end - start:
        half *= 2
    if old <= half:
        return [*naive_subproof(old, start, start + half, whole), naive_root(start + half, end)]
    return [*naive_subproof(old - half, start + half, end, False), naive_root(start, start + half)]


def stored(level: int, node: int) -> bytes:
    return naive_root(node << level, (node + 1) << level)


SIZES = st.one_of(
    st.integers(0, 40),
    st.sampled_from([127, 128, 255, 256, 257, 511, 512, 513, 768, 1023, 1024, 1025]),
    st.integers(0, 1100),
)


def test_the_root_of_every_size_is_that_of_the_definition() -> None:
    frontier = tree.Frontier()
    assert frontier.root() == naive_root(0, 0)
    for size, leaf in enumerate(LEAVES, 1):
        frontier.append(leaf)
        assert frontier.root() == naive_root(0, size), size


@settings(deadline=None, max_examples=60)
@given(SIZES, SIZES)
def test_a_frontier_taken_up_again_goes_on_as_if_it_had_never_stopped(one: int, other: int) -> None:
    first, size = sorted((one, other))
    frontier = tree.Frontier()
    completed = frontier.extend(LEAVES[:first])
    again = tree.Frontier(frontier.size, frontier.peaks)
    completed += again.extend(LEAVES[first:size])
    assert again.root() == naive_root(0, size)
    assert completed == [(8, node, stored(8, node)) for node in range(size // 256)]


def test_a_frontier_with_a_peak_too_few_is_refused() -> None:
    with pytest.raises(ValueError, match="peaks"):
        tree.Frontier(3, [LEAVES[0]])


def test_the_second_stored_level_completes_with_the_65536th_leaf() -> None:
    below = [sha256(bytes([node])).digest() for node in range(255)]
    peaks = [subtree_of(below, level, node) for level, node in tree.perfect((0, 255))]
    last_block = [sha256(bytes([node])).digest() for node in range(255)]
    peaks += [subtree_of(last_block, level, node) for level, node in tree.perfect((0, 255))]
    frontier = tree.Frontier(65535, peaks)
    final = sha256(b"final").digest()
    completed = frontier.append(final)
    eight = subtree_of([*last_block, final], 8, 0)
    assert completed == [(8, 255, eight), (16, 0, subtree_of([*below, eight], 8, 0))]
    assert frontier.peaks == [completed[1][2]]
    assert frontier.append(final) == [] and frontier.size == 65537


def subtree_of(hashes: list[bytes], level: int, node: int) -> bytes:
    if level == 0:
        return hashes[node]
    return tree.node_hash(subtree_of(hashes, level - 1, 2 * node), subtree_of(hashes, level - 1, 2 * node + 1))


@settings(deadline=None, max_examples=150)
@given(st.data())
def test_an_audit_path_is_that_of_the_definition_and_verifies_for_its_leaf_alone(data: st.DataObject) -> None:
    size = data.draw(SIZES.filter(bool))
    index = data.draw(st.integers(0, size - 1))
    path = tree.inclusion_proof(index, size, stored)
    assert path == naive_path(index, 0, size)
    root = naive_root(0, size)
    assert tree.verify_inclusion(LEAVES[index], index, size, path, root)
    assert not tree.verify_inclusion(tree.leaf_hash(b"another"), index, size, path, root)
    assert not tree.verify_inclusion(LEAVES[index], index, size, path, tree.leaf_hash(b"another"))
    assert not tree.verify_inclusion(LEAVES[index], index, size, [*path, root], root)
    assert not tree.verify_inclusion(LEAVES[index], index + size, size, path, root)
    if path:
        assert not tree.verify_inclusion(LEAVES[index], index, size, path[:-1], root)
        assert not tree.verify_inclusion(LEAVES[index], (index + 1) % size, size, path, root)


@settings(deadline=None, max_examples=150)
@given(SIZES, SIZES)
def test_a_consistency_proof_is_that_of_the_definition_and_fits_these_two_trees_alone(one: int, other: int) -> None:
    old, new = sorted((one, other))
    path = tree.consistency_proof(old, new, stored)
    old_root, new_root = naive_root(0, old), naive_root(0, new)
    assert path == ([] if old == 0 else naive_subproof(old, 0, new, True))
    assert tree.verify_consistency(old, new, old_root, new_root, path)
    if old:
        assert not tree.verify_consistency(old, new, tree.leaf_hash(b"another"), new_root, path)
        assert not tree.verify_consistency(old, new, old_root, tree.leaf_hash(b"another"), path)
        assert not tree.verify_consistency(old, new, old_root, new_root, [*path, new_root])
    if path:
        assert not tree.verify_consistency(old, new, old_root, new_root, path[:-1])
        changed = [path[0][::-1], *path[1:]]
        assert not tree.verify_consistency(old, new, old_root, new_root, changed)


@pytest.mark.parametrize("spans", [tree.inclusion_spans, tree.consistency_spans])
def test_what_a_tree_does_not_have_is_not_proved(spans: Callable[[int, int], list[tuple[int, int]]]) -> None:
    with pytest.raises(ValueError):
        spans(7, 6)
    assert not tree.verify_consistency(7, 6, naive_root(0, 7), naive_root(0, 6), [])
    assert not tree.verify_inclusion(LEAVES[0], 0, 0, [], tree.EMPTY_ROOT)


def test_a_path_at_the_edge_of_a_huge_tree_needs_few_subtrees() -> None:
    asked: list[tuple[int, int]] = []

    def fake(level: int, node: int) -> bytes:
        asked.append((level, node))
        return sha256(f"{level}/{node}".encode()).digest()

    size = (1 << 24) + 65536 + 3
    path = tree.inclusion_proof(size - 1, size, fake)
    root = tree.span_hash((0, size), fake)
    assert tree.verify_inclusion(fake(0, size - 1), size - 1, size, path, root)
    assert len(asked) < 60


def test_a_leaf_is_hashed_as_the_standard_says_and_never_as_a_node() -> None:
    """The first two are of the test vectors that RFC 6962 logs share: of no byte, and of one zero byte."""
    assert tree.leaf_hash(b"").hex() == "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"
    assert tree.leaf_hash(b"\x00").hex() == "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7"
    left, right = tree.leaf_hash(b"left"), tree.leaf_hash(b"right")
    assert tree.leaf_hash(left + right) != tree.node_hash(left, right)
