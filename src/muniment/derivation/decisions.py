"""Taking a decision back: logged like every change, so that the definition of claims reads it ever after."""

from muniment.database.pool import Database
from muniment.errors import MunimentError
from muniment.log.seal import NewEntry, seal
from muniment.log.stale_claims import KIND
from muniment.model.claims import UndoneDecision
from muniment.model.identifiers import DECISION, parse_id
from muniment.queue import enqueue


async def undo_decision(database: Database, tenant: int, decision_id: str) -> UndoneDecision:
    """Takes back that a value ended another, or that a name means an entity. What then holds at once is contested.

    Raises ``claim.decision_not_found``, and ``claim.decision_not_undone`` where it was taken back already or follows
    from no decision at all (``no_order``).
    """
    parsed = parse_id(DECISION, decision_id)
    async with database.scope(tenant, seconds=database.settings.write_timeout) as scope:
        row = None if parsed is None else await scope.row("claims.decision", decision_id=parsed)
        if row is None:
            raise MunimentError("claim.decision_not_found", "there is no decision of this id")
        if row["rule"] == "no_order":
            raise MunimentError(
                "claim.decision_not_undone", "nothing was decided here: correct one of the two facts", rule=row["rule"]
            )
        entry = NewEntry(
            "undo", row["space_id"], record_no=row["record_no"], record_id=row["record_id"],
            detail={"decision": decision_id},
        )  # fmt: skip
        commit = (await seal(scope, [entry], row["space_id"])).number
        about_claim = row["name"] is None
        if about_claim:
            undone = await scope.value(
                "claims.undo_decision", decision_id=parsed, space=row["space_id"], commit=commit, rule=row["rule"],
                record=row["record_no"], by_record=row["by_record_no"],
            )  # fmt: skip
        else:
            undone = await scope.value("claims.undo_alias", decision_id=parsed, commit=commit)
        if undone is None:
            raise MunimentError("claim.decision_not_undone", "this decision was taken back before", rule=row["rule"])
        if about_claim:
            await scope.execute("claims.mark_facts", commit=commit, records=[row["record_no"], row["by_record_no"]])
        else:
            await scope.execute(
                "claims.mark_name", commit=commit, space=row["space_id"], entity_type=row["entity_type"],
                name=row["name"],
            )  # fmt: skip
        await enqueue(scope, KIND, {}, dedup=KIND)
    return UndoneDecision(id=decision_id, commit=commit)
