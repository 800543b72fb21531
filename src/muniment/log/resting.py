"""What rests on records: derived records that no longer count where none of what they rest on does."""

from collections.abc import Collection

from muniment.database.pool import Scope
from muniment.log.seal import NewEntry


async def resting_on(scope: Scope, records: Collection[int]) -> list[NewEntry]:
    """The entries that close what rests on these records alone: facts, and what rests on those in turn.

    To be sealed with the entries that close the records themselves. Whoever closes records holds the lock of their
    group, so that no fact about them is written meanwhile. One statement a level of derivation.
    """
    entries: list[NewEntry] = []
    gone = set(records)
    level = list(gone)
    while level:
        rows = await scope.rows("facts.resting", records=sorted(gone))
        level = [row["record_no"] for row in rows if row["record_no"] not in gone]
        entries += [
            NewEntry(
                event="close",
                space=row["space_id"],
                record_no=row["record_no"],
                record_id=row["record_id"],
                detail={"reason": "evidence_closed"},
            )
            for row in rows
            if row["record_no"] not in gone
        ]
        gone.update(level)
    return entries
