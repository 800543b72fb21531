"""The job ``extract_by_model``: the pending turns of a group, window by window, within the tenant's budget."""

import json
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from muniment.errors import MunimentError
from muniment.extraction.model.reading import CUT_OFF, Reading, estimated_tokens, extractor_of, read_window
from muniment.extraction.model.windows import NEW, OVERLAP, Window, first_window
from muniment.extraction.turns import Turn
from muniment.jobs.context import JobContext
from muniment.jobs.extraction import turn_of
from muniment.jobs.model_limits import affordable, tried_enough
from muniment.log.extraction import enqueue_extraction, spent_on_facts
from muniment.log.facts import Extracted, FactsWritten, write_facts
from muniment.model.identifiers import new_id
from muniment.providers.chat import ChatModel
from muniment.providers.withholding import withholding

_UNTIL_BUDGET: Final = 3600.0  # seconds until a group that had no budget is looked at again
_MOST_AWAY: Final = 2  # windows in a row without an answer, after which the endpoint counts as away


async def extract_by_model(context: JobContext, tenant: int, arguments: dict[str, Any]) -> dict[str, Any]:
    """Extracts what is pending in ``arguments["group"]`` from ``arguments["position"]`` on; the numbers of windows,
    facts and failures.

    A window that fails leaves the others be; one whose reply is cut off is read again in halves. Where the endpoint
    does not answer, its windows stay pending and ``provider.unavailable`` is raised at the end, so that the job is
    tried again.
    """
    chat = context.chat
    if chat is None:
        raise RuntimeError("this process has no model that extracts facts")
    group: int = arguments["group"]
    position: int = arguments["position"]
    told = {"windows": 0, "facts": 0, "failed": 0, "postponed": 0}
    passed: set[int] = set()
    away, most = 0, NEW
    while (found := await _next(context, tenant, group, position, passed, most)) is not None:
        window, space = found
        numbers = [turn.record_no for turn in window.new]
        if not await affordable(
            context, tenant, context.settings.extraction_budget, spent_on_facts, estimated_tokens(window)
        ):
            await _note(context, tenant, space, numbers, "pending", "extraction.budget_spent", chat)
            async with context.database.scope(tenant) as scope:
                await enqueue_extraction(scope, "model", space, group, position, _UNTIL_BUDGET)
            told["postponed"] += 1
            return told
        passed.update(numbers)
        told["windows"] += 1
        reading = await _read(context, tenant, group, space, window, chat, told)
        away = away + 1 if reading.away else 0
        if _is_divided(reading, window):
            passed.difference_update(numbers)
            most = len(numbers) // 2
            continue
        most = min(NEW, 2 * most)
        if away == _MOST_AWAY:
            break
    if told.pop("waiting", 0) or away == _MOST_AWAY:
        raise MunimentError("provider.unavailable", "the endpoint that extracts facts did not answer")
    return told


async def _read(
    context: JobContext, tenant: int, group: int, space: int, window: Window, chat: ChatModel, told: dict[str, int]
) -> Reading:
    started = time.perf_counter()
    only_machines = all(turn.by_machine for turn in window.new)
    reading = Reading() if only_machines else await read_window(chat, window, context.settings.extraction_timeout)
    numbers = [turn.record_no for turn in window.new]
    written = FactsWritten()
    if reading.reason is None:
        found = Extracted("model", extractor_of(chat), group, numbers, reading.statements)
        written = await write_facts(context.database, tenant, found)
        told["facts"] += written.new
    elif _is_divided(reading, window):
        await _note(context, tenant, space, numbers, "pending", reading.reason, chat)
    elif not reading.away or await tried_enough(
        context, tenant, "model", numbers, context.settings.extraction_attempts
    ):
        await _note(context, tenant, space, numbers, "failed", reading.reason, chat)
        told["failed"] += 1
    else:
        await _note(context, tenant, space, numbers, "pending", reading.reason, chat)
        told["waiting"] = 1
    refused = dict(reading.refused)
    if written.refused:
        refused["evidence"] = refused.get("evidence", 0) + written.refused
    async with context.database.scope(tenant) as scope:
        await scope.execute(
            "extraction.insert_call",
            call_id=new_id(),
            space=space,
            extractor=extractor_of(chat),
            group_no=group,
            records=len(numbers),
            facts=written.new,
            refused=sum(refused.values()),
            refusals=json.dumps(refused),
            requests=reading.requests,
            reason=reading.reason,
            prompt_tokens=reading.prompt_tokens,
            completion_tokens=reading.completion_tokens,
            estimated=reading.estimated,
            duration_ms=(time.perf_counter() - started) * 1000,
        )
    return reading


def _is_divided(reading: Reading, window: Window) -> bool:
    """Whether fewer turns at once are to be asked about: a reply about these has no room."""
    return reading.reason == CUT_OFF and len(window.new) > 1


async def _next(
    context: JobContext, tenant: int, group: int, position: int, passed: set[int], most: int
) -> tuple[Window, int] | None:
    """The window of the first pending turns, at ``most`` so many, that this run has not passed, and their space."""
    async with context.database.scope(tenant) as scope:
        pending = await scope.rows(
            "extraction.pending_in_group", method="model", group_no=group, position=position, limit=most + len(passed)
        )
        left = [row for row in pending if row["record_no"] not in passed][:most]
        if not left:
            return None
        before = await scope.rows(
            "extraction.before_in_group", group_no=group, position=left[0]["position"], limit=OVERLAP
        )
        numbers = [row["record_no"] for row in (*before, *left)]
        rows = await scope.rows("extraction.texts", records=numbers)
        screen = await withholding(scope)
    new_numbers = {row["record_no"] for row in left}
    turns: dict[bool, list[Turn]] = {True: [], False: []}
    texts = [row["text"] for row in rows]
    shown = texts if screen is None else await screen.blotted(texts)  # in place, for spans are counted in it
    for row, text in zip(rows, shown, strict=True):
        turns[row["record_no"] in new_numbers].append(replace(turn_of(row), text=text))
    if not turns[True]:
        return None
    return first_window(turns[False], turns[True]), rows[0]["space_id"]


async def _note(
    context: JobContext, tenant: int, space: int, numbers: Sequence[int], state: str, reason: str, chat: ChatModel
) -> None:
    async with context.database.scope(tenant) as scope:
        await scope.execute(
            "extraction.finish", records=list(numbers), states=[state] * len(numbers), facts=[0] * len(numbers),
            method="model", extractor=extractor_of(chat), space=space, reason=reason,
        )  # fmt: skip
