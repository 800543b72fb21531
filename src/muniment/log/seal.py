"""The end of every write: under the head lock, one commit and its entries join the log.

This is the only place that takes the head lock, and it takes it last of all locks, so that writers wait for each
other only here and never in a circle. A transaction that fails afterwards gives its number back, since the number
lies in the row that was locked: commits have no gaps.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import rfc8785

from muniment.database.giving_way import hurry
from muniment.database.pool import Scope
from muniment.log.leaves import entry_leaf
from muniment.log.stale_claims import NameDecision, link_names, mark_stale
from muniment.log.stale_summaries import enqueue_summaries
from muniment.log.tree import Frontier
from muniment.model.identifiers import SOURCE, parse_id

_THREAD_FROM: Final = 1000  # entries; hashing fewer does not hold up the event loop for long


@dataclass(frozen=True, slots=True)
class NewEntry:
    """Something for the log, in the order in which it stands in the list that is sealed.

    - ``record``: a new record. ``spine_digest`` is ``Spine.digest()``, ``group_no`` and ``position`` its place.
    - ``version``: a source has a new current version. No record; ``detail`` is ``{"source": "s_...", "version": n,
      "archived": m}``, with ``archived`` the version whose records it closes, or None.
    - ``close``: ``record_no`` and ``record_id`` no longer count; ``detail`` says why, as ``{"replaced_by": "d_..."}``.
    - ``decide``: a name in the fact ``record_no`` means the entity of another; ``seal`` adds these itself.

    ``space`` is the number of the space to which the entry belongs. Details hold public ids, never numbers of rows.
    """

    event: str
    space: int
    record_no: int | None = None
    record_id: UUID | None = None
    spine_digest: bytes | None = None
    detail: Mapping[str, Any] | None = None
    group_no: int | None = None
    position: int | None = None

    def __post_init__(self) -> None:
        if (self.record_no is None) != (self.record_id is None):
            raise ValueError("an entry names a record by its number and its id, or none")
        if (self.event == "record") != (self.spine_digest is not None):
            raise ValueError("an entry has a spine exactly where it is a new record")
        if self.event == "record" and None in (self.record_no, self.group_no, self.position):
            raise ValueError("a new record has a number, a group and a position")
        if self.event != "record" and (self.group_no, self.position) != (None, None):
            raise ValueError("only a new record has a place in a group")


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit as sealed: ``number`` from 1, ``entries`` many from index ``first_entry``, the tree's ``size`` and
    ``root`` after it."""

    number: int
    at: datetime
    first_entry: int
    entries: int
    size: int
    root: bytes


async def seal(scope: Scope, entries: Sequence[NewEntry], space: int | None = None) -> Commit:
    """Appends one commit with these entries to the tenant's log and brings liveness up to it.

    ``space`` is the number of the space of the whole commit, None where it has several. Everything that the entries
    speak of must be in the transaction already, and no other lock may be taken after this; rows that carry the
    commit's number (``source_version.live_from_commit``) follow, inserted or locked before. Holds the head lock
    until the transaction ends; may be called again in the same transaction, for a second commit. Where new records
    are facts, decisions about their names join the commit after these entries, and claims that it makes stale are
    noted. Raises ValueError for no entries, and for a commit that closes a record that it brings.
    """
    brought = _brought(entries)
    decisions = await link_names(scope, sorted(number for number in brought if number is not None))
    entries = [*entries, *map(_decided, decisions or ())]
    details = [None if entry.detail is None else rfc8785.dumps(dict(entry.detail)).decode() for entry in entries]
    hurry()  # all writes of the tenant wait for this one now
    head = await scope.row("seal.lock_head")
    if head is None:
        raise LookupError("the tenant has no log")
    number, first, at = head["commits"] + 1, head["entries"], head["at"]
    frontier = Frontier(first, head["peaks"])
    grown = (frontier, entries, number, at)
    leaves, completed = await asyncio.to_thread(_grow, *grown) if len(entries) > _THREAD_FROM else _grow(*grown)
    commit = Commit(number, at, first, len(entries), frontier.size, frontier.root())
    await scope.execute(
        "seal.append",
        commit=number,
        space=space,
        at=at,
        first_entry=first,
        entries=len(entries),
        root=commit.root,
        peaks=frontier.peaks,
        spaces=[entry.space for entry in entries],
        events=[entry.event for entry in entries],
        records=[entry.record_no for entry in entries],
        details=details,
        leaves=[leaf.hex() for leaf in leaves],
        groups=[entry.group_no for entry in entries],
        positions=[entry.position for entry in entries],
        levels=[level for level, _, _ in completed],
        nodes=[node for _, node, _ in completed],
        hashes=[hashed for _, _, hashed in completed],
    )
    closed, archived = await _close(scope, number, entries)
    if decisions is not None or closed or archived:
        facts = [] if decisions is None else [record for record in brought if record is not None]
        await mark_stale(scope, number, brought=facts, closed=closed, archived=archived, decisions=decisions or ())
    await enqueue_summaries(scope)
    return commit


def _brought(entries: Sequence[NewEntry]) -> set[int | None]:
    """The records that a commit brings; raises ValueError for what is no commit."""
    if not entries:
        raise ValueError("a commit holds at least one entry")
    brought = {entry.record_no for entry in entries if entry.event == "record"}
    if any(entry.event == "close" and entry.record_no in brought for entry in entries):
        raise ValueError("a commit does not close what it brings: that takes a second commit")
    return brought


def _decided(decision: NameDecision) -> NewEntry:
    return NewEntry(
        "decide", decision.space, record_no=decision.record_no, record_id=decision.record_id, detail=decision.detail()
    )


def _grow(
    frontier: Frontier, entries: Sequence[NewEntry], commit: int, at: datetime
) -> tuple[list[bytes], list[tuple[int, int, bytes]]]:
    """The leaves of a commit, and the nodes that they complete in the tree, which grows by them."""
    leaves = [
        entry_leaf(commit, ordinal, at, entry.event, entry.record_id, entry.spine_digest, entry.detail)
        for ordinal, entry in enumerate(entries)
    ]
    return leaves, frontier.extend(leaves)


async def _close(scope: Scope, commit: int, entries: Sequence[NewEntry]) -> tuple[list[int], list[tuple[UUID, int]]]:
    """Ends the liveness of what the entries of one commit close; the records and the versions of sources that it is."""
    details = [entry.detail for entry in entries if entry.event == "version" and entry.detail]
    sources = [parse_id(SOURCE, detail["source"]) for detail in details if detail.get("archived") is not None]
    versions = [detail["archived"] for detail in details if detail.get("archived") is not None]
    archived = [(source, version) for source, version in zip(sources, versions, strict=True) if source is not None]
    if archived:
        await scope.execute(
            "seal.close_versions",
            commit=commit,
            sources=[source for source, _ in archived],
            versions=[version for _, version in archived],
        )
    closed = [entry.record_no for entry in entries if entry.event == "close" and entry.record_no is not None]
    if closed:
        await scope.execute("seal.close_records", commit=commit, records=closed)
    return closed, archived
