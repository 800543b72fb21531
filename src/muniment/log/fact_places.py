"""Where facts stand: in a group of their own beside the records that they rest on, with both held."""

from collections.abc import Sequence

from muniment.database.pool import Row, Scope
from muniment.log.fact_records import FactPlace
from muniment.model.identifiers import SOURCE, public_id


class Overtaken(Exception):
    """Evidence was closed while facts about it were written."""


async def hold_place(scope: Scope, group_no: int, records: Sequence[int], fresh: int) -> FactPlace | None:
    """Where facts about records of a group stand, with both groups locked; None where none of the records is live.

    ``fresh`` is the number of the group of the facts where they have none yet.
    """
    evidence = await scope.row("facts.share_group", group_no=group_no)
    rows = await live_bases(scope, group_no, records)
    if evidence is None or not rows:
        return None
    space, version = rows[0]["space_id"], rows[0]["source_version"]
    key = f"{public_id(SOURCE, evidence['source_id'])}:{version}:facts"
    await scope.execute(
        "messages.insert_group", group_no=fresh, space=space, group_key=key, source_no=evidence["source_no"],
        session=None,
    )  # fmt: skip
    group = await scope.row("messages.lock_group", space=space, group_key=key)
    assert group is not None
    return FactPlace(group["group_no"], key, space, group["next_position"], evidence)


async def live_bases(scope: Scope, group_no: int, records: Sequence[int]) -> Sequence[Row]:
    """Those of some records of a group that are live, as ``draft_facts`` needs them."""
    return await scope.rows("facts.bases", group_no=group_no, records=list(records))
