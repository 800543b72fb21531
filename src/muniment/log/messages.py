"""Messages of a conversation: one batch is one transaction, and a message is known again by id or position.

A conversation is a source of kind ``conversation`` with the group's name as its key and one version that grows. Its
row is locked while a batch is written, so that positions have one order.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from muniment.database.numbers import take_numbers
from muniment.database.pool import Database, Scope
from muniment.database.spaces import find_space, intern_space
from muniment.errors import MunimentError
from muniment.log.admission import AdmittedMessage
from muniment.log.batches import Batch, Known, Plan, known_keys, plan_batch
from muniment.log.drafts import SLICE, Place, as_json, insert_drafts
from muniment.log.extraction import expect_facts
from muniment.log.idempotency import finish
from muniment.log.merging import enqueue_merge
from muniment.log.resting import resting_on
from muniment.log.runs import AlreadyFinished, Outcome, Ticket, finish_item, stored_item
from muniment.log.seal import Commit, NewEntry, seal
from muniment.log.vectors import Embedding, store_vectors
from muniment.model.identifiers import RECORD, RUN, SOURCE, new_id, public_id
from muniment.model.namespace import Namespace
from muniment.model.source import IngestionRun
from muniment.settings import Settings

MEDIA_TYPE: Final = "application/vnd.muniment.conversation+json"
_LANGUAGE: Final = "english"


@dataclass(frozen=True, slots=True)
class _Conversation:
    """The locked rows of a conversation. ``new`` says that this batch made it."""

    source_no: int
    source_id: UUID
    group_no: int
    next_position: int
    new: bool


@dataclass(frozen=True, slots=True)
class Numbers:
    """The space of a batch, and fresh numbers that it may need; what it does not use is lost, which means nothing."""

    space: int
    run_no: int
    records: range
    source_no: int
    group_no: int


async def number_batch(database: Database, tenant: int, namespace: Namespace, group_id: str, count: int) -> Numbers:
    """Numbers for a run of ``count`` messages, those of the conversation only where it is not known yet."""
    while True:
        async with database.scope(tenant) as scope:
            space = await find_space(scope, namespace)
            if space is not None:
                known = await scope.row("sources.find", space=space, source_key=group_id)
                run_no = (await take_numbers(scope, "run"))[0]
                records = await take_numbers(scope, "record", count)
                if known is not None and known["group_no"] is not None:
                    return Numbers(space, run_no, records, known["source_no"], known["group_no"])
                source_no = (await take_numbers(scope, "source"))[0]
                return Numbers(space, run_no, records, source_no, (await take_numbers(scope, "group"))[0])
        await intern_space(database, tenant, namespace)


async def store_batch(
    database: Database,
    tenant: int,
    namespace: Namespace,
    batch: Batch,
    numbers: Numbers,
    embedding: Embedding,
    idempotency_key: str | None,
) -> IngestionRun:
    """Writes a run with its batch of messages in one transaction, and ends its idempotency key with it.

    Raises ``AlreadyFinished`` where the run is there already, which says that its batch is; and what
    ``store_messages`` raises.
    """
    run_id = new_id()
    settings = database.settings
    async with database.scope(tenant, spaces=[numbers.space], seconds=settings.write_timeout) as scope:
        created_at = await scope.value(
            "runs.insert",
            run_no=numbers.run_no,
            space=numbers.space,
            run_id=run_id,
            kind="messages",
            items=1,
            session=namespace.session_id,
            open=False,
        )
        if created_at is None:
            raise AlreadyFinished
        outcome = await store_messages(scope, namespace, batch, numbers, embedding, settings)
        if outcome.state == "stored":
            await database.quotas.require_fit(scope)
        await finish(scope, idempotency_key)
    shown = namespace.model_copy(update={"include_shared": False})
    return IngestionRun(
        id=public_id(RUN, run_id),
        kind="messages",
        state="succeeded",
        namespace=shown,
        created_at=created_at,
        items=[stored_item(0, outcome)],
    )


async def store_messages(
    scope: Scope, namespace: Namespace, batch: Batch, numbers: Numbers, embedding: Embedding, settings: Settings,
    item_no: int = 0, original: bytes | None = None,
) -> Outcome:  # fmt: skip
    """Writes a batch and the end of its item into the scope's transaction, sealed last.

    ``original`` is the hash of the export that the messages stand in: with one of them it is erased too.

    Raises ``source.key_taken`` where a document has the key, ``input.message_invalid`` where two
    messages claim one place, and ``store.*``.
    """
    space, ticket = numbers.space, Ticket(numbers.run_no, item_no)
    conversation = await _lock(scope, space, namespace, batch.group_id, numbers)
    known = await _known(scope, conversation.group_no, batch.messages)
    arguments = (batch, known, numbers.records, conversation.next_position, namespace.session_id)
    large = len(batch.messages) > SLICE
    plan = await asyncio.to_thread(plan_batch, *arguments) if large else plan_batch(*arguments)
    outcome = Outcome(
        "stored" if plan.drafts else "unchanged", batch.group_id, conversation.source_no, conversation.source_id, 1,
        len(plan.drafts), plan.record_ids, original, served=plan.served,
    )  # fmt: skip
    if plan.drafts:
        place = Place(
            space, namespace, conversation.source_no, conversation.source_id, 1, conversation.group_no, batch.group_id
        )
        await _write(scope, place, conversation, plan, ticket, outcome, embedding, settings)
    else:
        await _put_keys(scope, space, conversation.group_no, plan)
        await finish_item(scope, space, ticket, outcome)
    return outcome


async def _lock(scope: Scope, space: int, namespace: Namespace, group_id: str, numbers: Numbers) -> _Conversation:
    source = await scope.row("sources.lock", space=space, source_key=group_id)
    if source is None:
        await scope.execute(
            "sources.insert", source_no=numbers.source_no, space=space, source_id=new_id(), source_key=group_id,
            kind="conversation",
        )  # fmt: skip
        source = await scope.row("sources.lock", space=space, source_key=group_id)
        assert source is not None
    group = await scope.row("messages.lock_group", space=space, group_key=group_id)
    new = group is None
    if source["kind"] == "conversation" and group is None:
        await scope.execute(
            "messages.insert_group", group_no=numbers.group_no, space=space, group_key=group_id,
            source_no=source["source_no"], session=namespace.session_id,
        )  # fmt: skip
        group = await scope.row("messages.lock_group", space=space, group_key=group_id)
    if source["kind"] != "conversation" or group is None or group["source_no"] != source["source_no"]:
        raise MunimentError("source.key_taken", "a document has this group_id as its source key", group_id=group_id)
    return _Conversation(source["source_no"], source["source_id"], group["group_no"], group["next_position"], new)


async def _known(scope: Scope, group_no: int, messages: Sequence[AdmittedMessage]) -> dict[str, list[Known | None]]:
    """What stands under the id, and under the explicit position, of each message."""
    if len(messages) > SLICE:
        await scope.execute("scope.forget_plans")
    found: dict[str, list[Known | None]] = {"id": [None] * len(messages), "position": [None] * len(messages)}
    for kind, column in found.items():
        keyed = [(n, key) for n, key in enumerate(known_keys(messages, kind)) if key is not None]
        for start in range(0, len(keyed), SLICE):
            part = keyed[start : start + SLICE]
            asked = [messages[n] for n, _ in part]
            rows = await scope.rows(
                "messages.known",
                group_no=group_no,
                keys=[key for _, key in part],
                texts=[message.content for message in asked],
                payloads=[as_json(message.metadata) for message in asked],
                speakers=[message.speaker for message in asked],
                roles=[message.role for message in asked],
                said_ats=[message.said and message.said.at for message in asked],
                said_offsets=[message.said and message.said.offset for message in asked],
            )
            for row in rows:
                column[part[row["n"]][0]] = Known(
                    row["record_no"], row["record_id"], row["position"], row["message_id"], row["same"]
                )
    return found


async def _write(
    scope: Scope, place: Place, conversation: _Conversation, plan: Plan, ticket: Ticket, outcome: Outcome,
    embedding: Embedding, settings: Settings,
) -> None:  # fmt: skip
    entries: list[NewEntry] = []
    if conversation.new:
        detail = {"source": public_id(SOURCE, place.source_id), "version": 1, "archived": None}
        entries.append(NewEntry(event="version", space=place.space, detail=detail))
    entries += await insert_drafts(scope, place, plan.drafts, _LANGUAGE)
    entries += [
        NewEntry(
            event="close",
            space=place.space,
            record_no=known.record_no,
            record_id=known.record_id,
            detail={"replaced_by": public_id(RECORD, successor)},
        )
        for known, successor in plan.replaced
    ]
    entries += await resting_on(scope, [known.record_no for known, _ in plan.replaced])
    numbers = [draft.record_no for draft in plan.drafts]
    await _put_keys(scope, place.space, place.group_no, plan)
    if plan.next_position != conversation.next_position:
        await scope.execute("messages.advance", group_no=place.group_no, next_position=plan.next_position)
    await store_vectors(scope, place.space, numbers, embedding, plan.vectors)
    await finish_item(scope, place.space, ticket, outcome)
    if plan.drafts:
        position = min(draft.position for draft in plan.drafts)
        await expect_facts(scope, place.space, place.group_no, position, numbers, settings)
    await enqueue_merge(scope, place.space, numbers, settings)
    commit = await seal(scope, entries, place.space)
    await _grow(scope, place, plan, commit)


async def _put_keys(scope: Scope, space: int, group_no: int, plan: Plan) -> None:
    keys = list(plan.keys.items())
    for start in range(0, len(keys), 2 * SLICE):
        part = keys[start : start + 2 * SLICE]
        await scope.execute(
            "messages.put_keys", group_no=group_no, space=space, keys=[key for key, _ in part],
            records=[record for _, record in part],
        )  # fmt: skip


async def _grow(scope: Scope, place: Place, plan: Plan, commit: Commit) -> None:
    await scope.execute(
        "sources.grow_conversation", source_no=place.source_no, space=place.space, media_type=MEDIA_TYPE,
        bytes=plan.bytes, records=len(plan.drafts) - len(plan.replaced), commit=commit.number,
    )  # fmt: skip
