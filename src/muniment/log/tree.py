"""The history tree: the append-only Merkle tree of RFC 9162, section 2.1, as pure functions.

A hash is 32 bytes. A leaf is hashed as SHA-256(0x00 || data), an inner node as SHA-256(0x01 || left || right), so
that neither passes for the other. The *perfect* subtree (level, node_no) covers the leaves from
``node_no << level`` up to ``(node_no + 1) << level``; its hash never changes once these leaves exist. What is not
perfect, the right edge, is folded from perfect subtrees.
"""

from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from typing import Final

STORED_LEVELS: Final = 8
"""Every so many levels the hashes of perfect subtrees are stored; those between are hashed again from below."""

EMPTY_ROOT: Final = sha256(b"").digest()

Span = tuple[int, int]
"""The leaves [start, end), a subtree of the tree."""

Hash = Callable[[int, int], bytes]
"""Gives the hash of the perfect subtree (level, node_no)."""


def leaf_hash(data: bytes) -> bytes:
    """The hash of a leaf that holds ``data``."""
    return sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of an inner node."""
    return sha256(b"\x01" + left + right).digest()


def fold(peaks: Sequence[bytes]) -> bytes:
    """The root over the roots of perfect subtrees, largest first; of none, the root of the empty tree."""
    if not peaks:
        return EMPTY_ROOT
    root = peaks[-1]
    for peak in reversed(peaks[:-1]):
        root = node_hash(peak, root)
    return root


def perfect(span: Span) -> list[tuple[int, int]]:
    """The perfect subtrees (level, node_no) that a subtree is folded from, largest first."""
    start, end = span
    parts = []
    while start < end:
        level = (end - start).bit_length() - 1
        parts.append((level, start >> level))
        start += 1 << level
    return parts


class Frontier:
    """The right edge of a tree, which is all that appending needs."""

    def __init__(self, size: int = 0, peaks: Iterable[bytes] = ()) -> None:
        """A tree of ``size`` leaves with the roots of its perfect subtrees, largest first.

        Raises ValueError where there are not as many as the size has bits set.
        """
        self.size = size
        self.peaks = list(peaks)
        if len(self.peaks) != size.bit_count():
            raise ValueError(f"a tree of {size} leaves has {size.bit_count()} peaks, not {len(self.peaks)}")

    def append(self, leaf: bytes) -> list[tuple[int, int, bytes]]:
        """Adds the hash of a leaf; returns the (level, node_no, hash) it completed at the stored levels."""
        return self.extend((leaf,))

    def extend(self, leaves: Iterable[bytes]) -> list[tuple[int, int, bytes]]:
        """Adds the hashes of leaves in their order; returns all that they completed at the stored levels."""
        completed = []
        size, peaks = self.size, self.peaks
        for leaf in leaves:
            node, level, index = leaf, 0, size
            while index & 1:
                node = sha256(b"\x01" + peaks.pop() + node).digest()
                level += 1
                index >>= 1
                if level % STORED_LEVELS == 0:
                    completed.append((level, index, node))
            peaks.append(node)
            size += 1
        self.size = size
        return completed

    def root(self) -> bytes:
        """The root of the tree."""
        return fold(self.peaks)


def _split(start: int, end: int) -> int:
    """Where RFC 9162 splits these leaves: the largest power of two smaller than their number, from the start."""
    return start + (1 << ((end - start - 1).bit_length() - 1))


def inclusion_spans(index: int, size: int) -> list[Span]:
    """The subtrees whose hashes prove that leaf ``index`` is in the tree of ``size`` leaves, lowest first.

    Raises ValueError where the tree has no such leaf.
    """
    if not 0 <= index < size:
        raise ValueError(f"a tree of {size} leaves has no leaf {index}")
    spans = []
    start, end = 0, size
    while end - start > 1:
        middle = _split(start, end)
        if index < middle:
            spans.append((middle, end))
            end = middle
        else:
            spans.append((start, middle))
            start = middle
    return spans[::-1]


def consistency_spans(old: int, new: int) -> list[Span]:
    """The subtrees whose hashes prove that the tree of ``new`` leaves begins with the tree of ``old``, lowest first.

    None where the sizes are equal or the old tree is empty. Raises ValueError where the new tree is smaller.
    """
    if not 0 <= old <= new:
        raise ValueError(f"a tree of {new} leaves does not extend one of {old}")
    if old in (0, new):
        return []
    spans = []
    start, end = 0, new
    while old != end:
        middle = _split(start, end)
        if old <= middle:
            spans.append((middle, end))
            end = middle
        else:
            spans.append((start, middle))
            start = middle
    if start > 0:  # otherwise the old root, which the verifier has
        spans.append((start, end))
    return spans[::-1]


def span_hash(span: Span, subtree: Hash) -> bytes:
    """The hash of a subtree, folded from the perfect ones."""
    return fold([subtree(level, node) for level, node in perfect(span)])


def inclusion_proof(index: int, size: int, subtree: Hash) -> list[bytes]:
    """The audit path of leaf ``index`` in the tree of ``size`` leaves (RFC 9162, 2.1.3.1)."""
    return [span_hash(span, subtree) for span in inclusion_spans(index, size)]


def consistency_proof(old: int, new: int, subtree: Hash) -> list[bytes]:
    """The proof that the tree of ``new`` leaves extends the tree of ``old`` (RFC 9162, 2.1.4.1)."""
    return [span_hash(span, subtree) for span in consistency_spans(old, new)]


def verify_inclusion(leaf: bytes, index: int, size: int, path: Sequence[bytes], root: bytes) -> bool:
    """Whether the audit path leads from the leaf's hash to the root (RFC 9162, 2.1.3.2)."""
    if not 0 <= index < size:
        return False
    node, last, found = index, size - 1, leaf
    for sibling in path:
        if last == 0:
            return False
        if node & 1 or node == last:
            found = node_hash(sibling, found)
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            found = node_hash(found, sibling)
        node, last = node >> 1, last >> 1
    return last == 0 and found == root


def verify_consistency(old: int, new: int, old_root: bytes, new_root: bytes, path: Sequence[bytes]) -> bool:
    """Whether the proof shows that the new tree begins with the old (RFC 9162, 2.1.4.2).

    Every tree extends the empty one.
    """
    if old == new:
        return not path and old_root == new_root
    if old == 0:
        return not path and old_root == EMPTY_ROOT
    if not 0 < old < new or not path:
        return False
    hashes = list(path) if old & (old - 1) else [old_root, *path]
    node, last = old - 1, new - 1
    while node & 1:
        node, last = node >> 1, last >> 1
    found_old = found_new = hashes[0]
    for sibling in hashes[1:]:
        if last == 0:
            return False
        if node & 1 or node == last:
            found_old = node_hash(sibling, found_old)
            found_new = node_hash(sibling, found_new)
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            found_new = node_hash(found_new, sibling)
        node, last = node >> 1, last >> 1
    return last == 0 and found_old == old_root and found_new == new_root
