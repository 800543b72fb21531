"""What rests on records: derived records that no longer count where none of what they rest on does, or where what is
left of it does not say them."""

from collections.abc import Collection, Sequence
from itertools import groupby

from muniment.database.pool import Row, Scope
from muniment.extraction.support import still_said
from muniment.log.extraction import expect_again
from muniment.log.seal import NewEntry


async def resting_on(scope: Scope, records: Collection[int]) -> list[NewEntry]:
    """The entries that close what rests on these records alone: facts, and what rests on those in turn.

    To be sealed with the entries that close the records themselves. What rules took from these and from other turns
    together closes too, where the others alone do not say it, and they are read again. Whoever closes records holds the
    lock of their group, so that no fact about them is written meanwhile. One statement a level of derivation.
    """
    entries: list[NewEntry] = []
    gone = set(records)
    level = list(gone)
    if gone:
        unsaid = await _unsaid(scope, gone)
        entries += [_close(row) for row in unsaid]
        gone.update(row["record_no"] for row in unsaid)
    while level:
        rows = await scope.rows("facts.resting", records=sorted(gone))
        rows = [row for row in rows if row["record_no"] not in gone]
        level = [row["record_no"] for row in rows]
        entries += [_close(row) for row in rows]
        gone.update(level)
    return entries


async def _unsaid(scope: Scope, records: Collection[int]) -> list[Row]:
    """The facts that what is left does not say; what is left is to be read again."""
    rows = await scope.rows("facts.told_with", records=sorted(records))
    found: list[Row] = []
    again: dict[int, int] = {}
    for _, several in groupby(rows, key=lambda row: row["record_no"]):
        left: Sequence[Row] = list(several)
        quotes = [(row["words"], row["said_by"]) for row in left]
        if not still_said(left[0]["subject"], left[0]["object"], quotes, negated=left[0]["negated"]):
            found.append(left[0])
            again.update((row["basis_no"], row["basis_space"]) for row in left)
    if again:
        await scope.execute("extraction.ask_again", method="rules", records=list(again), spaces=list(again.values()))
        await expect_again(scope, list(again))
    return found


def _close(row: Row) -> NewEntry:
    return NewEntry(
        event="close", space=row["space_id"], record_no=row["record_no"], record_id=row["record_id"],
        detail={"reason": "evidence_closed"},
    )  # fmt: skip
