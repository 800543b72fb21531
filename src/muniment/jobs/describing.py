"""The job ``describe``: what an image shows, in the words of a model that sees, within the tenant's budget."""

import asyncio
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from muniment.database.pool import Row
from muniment.errors import MunimentError
from muniment.extraction.vision.asking import Seen, ask_about, estimated_tokens
from muniment.extraction.vision.chunks import described
from muniment.extraction.vision.prompt import describer_of, messages_for
from muniment.jobs.context import JobContext
from muniment.jobs.model_limits import affordable, tried_enough
from muniment.log.descriptions import Described, note_description, spent_on_descriptions, write_description
from muniment.log.documents import screened_chunks
from muniment.log.extraction import enqueue_extraction
from muniment.log.reading import read_in_turn
from muniment.log.screening import screen_of
from muniment.log.vectors import Embedding
from muniment.model.identifiers import new_id
from muniment.providers.chat import ChatModel, Picture
from muniment.providers.withholding import withholding
from muniment.sources.registry import show_source

_UNTIL_BUDGET: Final = 3600.0  # seconds until an image that had no budget is looked at again


@dataclass(frozen=True, slots=True)
class _Task:
    """An image that is pending, and who is to describe it."""

    context: JobContext
    tenant: int
    group: int
    image: Row
    chat: ChatModel

    async def note(self, state: str, reason: str) -> None:
        describer = describer_of(self.chat)
        await note_description(self.context.database, self.tenant, self.image, describer, state, reason)


async def describe(context: JobContext, tenant: int, arguments: dict[str, Any]) -> dict[str, Any]:
    """Describes the image of ``arguments["group"]`` that is pending; the number of records that came of it.

    What cannot be described is kept as it is, with the reason. Where the endpoint does not answer it stays pending, and
    ``provider.unavailable`` is raised so that the job is tried again. A second run finds nothing pending.
    """
    chat = context.vision_chat
    if chat is None:
        raise RuntimeError("this process has no model that describes images")
    async with context.database.scope(tenant) as scope:
        image = await scope.row("descriptions.image", group_no=arguments["group"])
        withheld = await withholding(scope) is not None
    if image is None:
        return {"records": 0}
    task = _Task(context, tenant, arguments["group"], image, chat)
    if withheld:  # what is withheld from texts cannot be found in pixels
        await task.note("failed", "vision.withheld")
        return {"records": 0}
    if image["content"] is None:
        await task.note("failed", "source.no_original")
        return {"records": 0}
    picture = await _picture(task)
    if picture is None:
        return {"records": 0}
    tokens = estimated_tokens(messages_for(picture))
    if not await affordable(context, tenant, context.settings.vision_budget, spent_on_descriptions, tokens):
        await task.note("pending", "vision.budget_spent")
        async with context.database.scope(tenant) as scope:
            await enqueue_extraction(scope, "vision", image["space_id"], task.group, 0, _UNTIL_BUDGET)
        return {"records": 0}
    return {"records": await _described(task, picture)}


async def _picture(task: _Task) -> Picture | None:
    """The image as the model is shown it; None, and noted, where it cannot be shown."""
    image, settings = task.image, task.context.settings
    names = bytes(image["content"]), image["media_type"], image["filename"]
    try:
        shown = await read_in_turn(True, settings, show_source, *names, settings)
    except MunimentError as error:
        await task.note("failed", error.code)
        return None
    return Picture(shown.data, "image/jpeg" if shown.media_type == "image/jpeg" else "image/png")


async def _described(task: _Task, picture: Picture) -> int:
    context, started, records = task.context, time.perf_counter(), 0
    seen = await ask_about(task.chat, picture, context.settings.vision_timeout)
    try:
        if seen.description is not None:
            records = await _written(task, seen)
        elif seen.away and not await tried_enough(
            context, task.tenant, "vision", [task.image["record_no"]], context.settings.vision_attempts
        ):
            await task.note("pending", str(seen.reason))
            raise MunimentError("provider.unavailable", "the endpoint that describes images did not answer")
        else:
            await task.note("failed", str(seen.reason))
    finally:
        await _count(task, seen, records, (time.perf_counter() - started) * 1000)
    return records


async def _written(task: _Task, seen: Seen) -> int:
    image, context = task.image, task.context
    assert seen.description is not None
    payload = image["payload"] or {}
    size = payload.get("image_width", 0), payload.get("image_height", 0)
    describer = describer_of(task.chat)
    parsed = described(
        seen.description, describer, image["locator"], image["fields"] or {}, size, context.settings.chunk_characters,
        reads_text="describes" in image["locator"],
    )  # fmt: skip
    marks: Sequence[dict[str, bool]] = [{}] * len(parsed.chunks)
    screen = await screen_of(context.database, task.tenant)
    if screen is not None:
        try:
            marks = await asyncio.to_thread(screened_chunks, parsed, screen)
        except MunimentError as error:
            if error.code != "policy.refused":
                raise
            seen.reason = error.code
            await task.note("failed", error.code)
            return 0
    found = Described(task.group, image, describer, parsed.chunks, marks)
    try:
        return await write_description(
            context.database, task.tenant, found, Embedding(context.embedder, context.model_no)
        )
    except MunimentError as error:
        if not error.code.startswith("quota."):
            raise
        seen.reason = error.code
        await task.note("failed", error.code)
        return 0


async def _count(task: _Task, seen: Seen, records: int, milliseconds: float) -> None:
    async with task.context.database.scope(task.tenant) as scope:
        await scope.execute(
            "extraction.insert_call",
            call_id=new_id(),
            space=task.image["space_id"],
            extractor=describer_of(task.chat),
            group_no=task.group,
            records=1,
            facts=records,
            refused=seen.refused,
            refusals=json.dumps({"form": seen.refused} if seen.refused else {}),
            requests=seen.requests,
            reason=seen.reason,
            prompt_tokens=seen.prompt_tokens,
            completion_tokens=seen.completion_tokens,
            estimated=seen.estimated,
            duration_ms=milliseconds,
        )
