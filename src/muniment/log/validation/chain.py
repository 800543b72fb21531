"""The chain: every entry's leaf made again from what the tables hold, and the tree made again from the leaves.

A thing that was changed is to be named, not everything that hangs on it. So the tree is made twice from the first
leaf that is not what it should be: once with the leaves as stored, once with those made again. Whoever changed a
leaf left the tree of the others, whoever changed a record left the tree of the stored; both are already named.
"""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Final

from muniment.database.pool import Row, Scope
from muniment.log.leaves import Spine, commitment, entry_leaf
from muniment.log.notes import Checkpoint
from muniment.log.tree import STORED_LEVELS, Frontier
from muniment.log.validation.findings import LISTED, Findings
from muniment.model.identifiers import RECORD, public_id

BATCH_ENTRIES: Final = 2000
BATCH_BYTES: Final = 16 * 1024 * 1024


class Trees:
    """The tree of the stored leaves and, where a leaf differs, the tree of the leaves as they should be."""

    def __init__(self) -> None:
        self.stored = Frontier()
        self.made: Frontier | None = None
        self.whole = True

    @property
    def size(self) -> int:
        return self.stored.size

    def append(self, stored: bytes, made: bytes) -> list[tuple[int, int, set[bytes]]]:
        """Adds an entry's leaf; returns what it completed at the stored levels, with the hashes that would be right."""
        if self.made is None and made != stored:
            self.made = Frontier(self.stored.size, self.stored.peaks)
        completed = self.stored.append(stored)
        others = completed if self.made is None else self.made.append(made)
        return [
            (level, node, {one, other}) for (level, node, one), (_, _, other) in zip(completed, others, strict=True)
        ]

    def roots(self) -> set[bytes]:
        """The roots that would be right."""
        return {self.stored.root(), (self.made or self.stored).root()}

    def peaks(self) -> list[list[bytes]]:
        """The peaks that would be right."""
        return [self.stored.peaks, (self.made or self.stored).peaks]


async def check_chain(
    scope: Scope, findings: Findings, head: Row, checkpoints: Mapping[int, Sequence[Checkpoint]]
) -> tuple[Trees, set[int]]:
    """Checks commits, entries, leaves, contents, roots, tree nodes and the head against each other.

    Also compares the tree, at their sizes, with checkpoints that are trusted; returns the tree at the end and the
    sizes at which a checkpoint agreed.
    """
    await _check_commits(scope, findings, head)
    trees, agreed = Trees(), set[int]()
    _compare(trees, findings, checkpoints, agreed)
    after = -1
    while batch := await scope.rows("validate.entries", after=after, limit=BATCH_ENTRIES, bytes=BATCH_BYTES):
        after = batch[-1]["entry_no"]
        made = await asyncio.to_thread(_made_leaves, batch, findings)
        completed = []
        for entry, leaf in zip(batch, made, strict=True):
            _check_place(entry, trees, findings)
            completed += trees.append(entry["leaf"], leaf)
            _check_root(entry, trees, findings)
            _compare(trees, findings, checkpoints, agreed)
        await _check_nodes(scope, findings, completed, trees)
    await _check_end(scope, findings, head, trees)
    return trees, agreed


async def _check_commits(scope: Scope, findings: Findings, head: Row) -> None:
    for row in await scope.rows("validate.commits", limit=LISTED + 1):
        number = row["commit_no"]
        if row["number_wrong"]:
            findings.add("commits", f"commit {number} follows commit {row['previous_no']}", commit=number)
        elif row["entry_wrong"]:
            findings.add("commits", f"commit {number} does not begin where the one before ends", commit=number)
        if row["time_wrong"]:
            findings.add("commit_times", f"commit {number} is dated before the one it follows", commit=number)
    last = await scope.row("validate.last_commit")
    found = (0, 0) if last is None else (last["commit_no"], last["end_entry"])
    if found != (head["commits"], head["entries"]):
        findings.add(
            "head", "the head is not at the last commit", commits=head["commits"], entries=head["entries"], found=found
        )
    if last is not None and head["last_at"] != last["at"]:
        findings.add("commit_times", "the last commit is not dated as the head says", commit=last["commit_no"])


def _made_leaves(batch: Sequence[Row], findings: Findings) -> list[bytes]:
    """The leaves as they should be; where what they are made of is missing, which is a finding, those stored."""
    return [_made_leaf(entry, findings) for entry in batch]


def _made_leaf(entry: Row, findings: Findings) -> bytes:
    number = entry["entry_no"]
    findings.looked("entries")
    stored: bytes = entry["leaf"]
    spine = None
    if entry["event"] == "record":
        findings.looked("contents")
        if entry["record_id"] is None or entry["source_id"] is None or entry["group_key"] is None:
            what = "record" if entry["record_id"] is None else "source or group"
            findings.add("records", f"the {what} of entry {number} is missing", entry=number)
            return stored
        _check_content(entry, findings)
        spine = entry["spine_digest"]  # of an erased record, whose spine has lost its names
        if spine is None:
            spine = Spine(**{name: entry[name] for name in Spine.__slots__}).digest()
    elif entry["record_no"] is not None and entry["record_id"] is None:
        findings.add("records", f"the record of entry {number} is missing", entry=number)
        return stored
    if entry["at"] is None:
        findings.add("entries", f"entry {number} belongs to no commit", entry=number)
        return stored
    leaf = entry_leaf(
        entry["commit_no"], entry["ordinal"], entry["at"], entry["event"], entry["record_id"], spine, entry["detail"]
    )
    findings.looked("leaves")
    if leaf != stored:
        findings.add("leaves", f"entry {number} is not what its leaf says", entry=number, **_record(entry))
    return leaf


def _check_content(entry: Row, findings: Findings) -> None:
    if entry["text"] is None:
        if not entry["erased"]:
            findings.add("contents", "a record has lost its content without an erase", **_record(entry))
        return
    found = commitment(entry["salt"], entry["text"], entry["fields"], entry["payload"])
    if found != entry["commitment"]:
        findings.add("contents", "the content of a record is not what it was", **_record(entry))
    if entry["content_space"] != entry["record_space"]:
        findings.add("contents", "the content of a record lies in another space", **_record(entry))


def _check_place(entry: Row, trees: Trees, findings: Findings) -> None:
    number = entry["entry_no"]
    if number != trees.size and trees.whole:
        findings.add("entries", f"entry {trees.size} is missing, so the tree ends there", entry=trees.size)
        trees.whole = False
    if entry["first_entry"] is not None and number - entry["first_entry"] != entry["ordinal"]:
        findings.add("entries", f"entry {number} has another place in its commit", entry=number)
    if entry["record_space"] is not None and entry["space_id"] != entry["record_space"]:
        findings.add("entries", f"entry {number} lies in another space than its record", entry=number)


def _check_root(entry: Row, trees: Trees, findings: Findings) -> None:
    if not trees.whole or entry["root"] is None or entry["first_entry"] + entry["entries"] != trees.size:
        return
    findings.looked("roots")
    if entry["root"] not in trees.roots():
        number = entry["commit_no"]
        findings.add("roots", f"the root of commit {number} is not that of the tree", commit=number)


def _compare(
    trees: Trees, findings: Findings, checkpoints: Mapping[int, Sequence[Checkpoint]], agreed: set[int]
) -> None:
    for checkpoint in checkpoints.get(trees.size, ()) if trees.whole else ():
        if checkpoint.root in trees.roots():
            agreed.add(trees.size)
        else:
            findings.add(
                "checkpoints", f"the log is not the one that was signed at {trees.size} entries", entries=trees.size
            )


async def _check_nodes(
    scope: Scope, findings: Findings, completed: Sequence[tuple[int, int, set[bytes]]], trees: Trees
) -> None:
    if not completed or not trees.whole:
        return
    rows = await scope.rows(
        "proofs.nodes",
        levels=[level for level, _, _ in completed],
        firsts=[node for _, node, _ in completed],
        lasts=[node + 1 for _, node, _ in completed],
    )
    stored = {(row["level"], row["node_no"]): row["hash"] for row in rows}
    for level, node, right in completed:
        findings.looked("tree_nodes")
        if stored.get((level, node)) not in right:
            findings.add("tree_nodes", f"node {node} of level {level} is not that of the tree", level=level, node=node)


async def _check_end(scope: Scope, findings: Findings, head: Row, trees: Trees) -> None:
    if not trees.whole:
        return
    if trees.size != head["entries"]:
        findings.add("head", "the log has other entries than the head says", found=trees.size, entries=head["entries"])
    elif head["peaks"] not in trees.peaks():
        findings.add("head", "the peaks of the head are not those of the tree")
    findings.looked("head")
    expected, level = 0, STORED_LEVELS
    while trees.size >> level:
        expected += trees.size >> level
        level += STORED_LEVELS
    sizes = await scope.value("validate.tree_nodes")
    if sizes > expected:
        findings.add("tree_nodes", "there are nodes that no tree of this size has", found=sizes, expected=expected)


def _record(entry: Row) -> dict[str, Any]:
    return {} if entry["record_id"] is None else {"record": public_id(RECORD, entry["record_id"])}
