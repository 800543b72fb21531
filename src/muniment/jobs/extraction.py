"""The job ``extract``: facts of new records, by rules."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import groupby
from typing import Any, Final

import structlog

from muniment.database.pool import Row
from muniment.extraction.rules.extractor import EXTRACTOR, looks_back, statements_of
from muniment.extraction.rules.mending import TURNS_BACK
from muniment.extraction.statements import Statement
from muniment.extraction.turns import Turn
from muniment.jobs.context import JobContext
from muniment.log.facts import Extracted, write_facts

BATCH: Final = 256
_THREAD_FROM: Final = 8  # records; below, a thread costs more than it frees

_log = structlog.get_logger(__name__)


async def extract(context: JobContext, tenant: int, arguments: dict[str, Any]) -> dict[str, Any]:
    """Extracts by rules from what is pending in ``arguments["group"]`` from ``arguments["position"]`` on.

    What the same extractor has read is pending no more, so that a second run costs a look.
    """
    group: int = arguments["group"]
    position: int = arguments["position"]
    facts, first = 0, None
    while True:
        async with context.database.scope(tenant) as scope:
            rows = await scope.rows(
                "extraction.pending_in_group", method="rules", group_no=group, position=position, limit=BATCH
            )
        if not rows or rows[0]["record_no"] == first:
            return {"facts": facts}
        first, position = rows[0]["record_no"], rows[0]["position"]
        facts += await _by_rules(context, tenant, [row["record_no"] for row in rows])


async def _by_rules(context: JobContext, tenant: int, records: Sequence[int]) -> int:
    async with context.database.scope(tenant) as scope:
        states = {
            row["record_no"]: row
            for row in await scope.rows("extraction.states", records=list(records), method="rules")
        }
        left = [number for number in records if not _is_done(states.get(number))]
        rows = await scope.rows("extraction.texts", records=left)
    if not rows:
        return 0
    read = await _off_the_loop(rows, await _before(context, tenant, rows))
    failed = [number for number, found in read.items() if found is None]
    plain = [
        number for number, found in read.items()
        if found is not None and not found and (number not in states or not states[number]["facts"])
    ]  # fmt: skip
    await _finish(context, tenant, rows[0]["space_id"], failed, "failed", "extraction.rules_failed")
    await _finish(context, tenant, rows[0]["space_id"], plain, "none", None)
    facts = 0
    for group, members in groupby(rows, key=lambda row: row["group_no"]):
        ends = [row["record_no"] for row in members if row["record_no"] not in {*plain, *failed}]
        if ends:
            statements = [each for number in ends for each in read[number] or ()]
            found = Extracted("rules", EXTRACTOR, group, ends, statements)
            facts += (await write_facts(context.database, tenant, found)).new
    return facts


async def _before(context: JobContext, tenant: int, rows: Sequence[Row]) -> dict[int, list[Turn]]:
    """The turns before those records that may put right or take back what was said there, or mean whom it named."""
    found: dict[int, list[Turn]] = {}
    for row in rows:
        if not looks_back(row["text"]):
            continue
        async with context.database.scope(tenant) as scope:
            numbers = await scope.rows(
                "extraction.before_in_group", group_no=row["group_no"], position=row["position"], limit=TURNS_BACK
            )
            texts = await scope.rows("extraction.texts", records=[each["record_no"] for each in numbers])
        found[row["record_no"]] = [turn_of(each) for each in texts]
    return found


async def _off_the_loop(rows: Sequence[Row], before: Mapping[int, Sequence[Turn]]) -> dict[int, list[Statement] | None]:
    if len(rows) >= _THREAD_FROM:
        with suppress(RuntimeError):  # the interpreter is ending and starts no thread any more
            return await asyncio.to_thread(_read, rows, before)
    return _read(rows, before)


def _is_done(state: Row | None) -> bool:
    return state is not None and state["state"] in ("facts", "none") and state["extractor"] == EXTRACTOR


def turn_of(row: Row) -> Turn:
    """The turn of a row of ``extraction.texts``."""
    return Turn(
        record_no=row["record_no"],
        text=row["text"],
        speaker=row["speaker"],
        role=row["role"],
        said_at=row["said_at"],
        said_offset=row["said_offset"],
        language=row["language"],
        modality=row["modality"],
    )


def _read(rows: Sequence[Row], before: Mapping[int, Sequence[Turn]]) -> dict[int, list[Statement] | None]:
    """The statements of each record, None where reading it failed: one that fails leaves the others be."""
    read: dict[int, list[Statement] | None] = {}
    for row in rows:
        try:
            read[row["record_no"]] = statements_of(turn_of(row), before.get(row["record_no"], ()))
        except Exception as error:
            _log.warning("extraction_failed", error=type(error).__name__)
            read[row["record_no"]] = None
    return read


async def _finish(
    context: JobContext, tenant: int, space: int, records: Sequence[int], state: str, reason: str | None
) -> None:
    if not records:
        return
    async with context.database.scope(tenant) as scope:
        await scope.execute(
            "extraction.finish", records=list(records), states=[state] * len(records), facts=[0] * len(records),
            method="rules", extractor=EXTRACTOR, space=space, reason=reason,
        )  # fmt: skip
