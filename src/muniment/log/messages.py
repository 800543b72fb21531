"""Messages of a conversation: one batch is one transaction, and a message is known again by id or position.

A conversation is a source of kind ``conversation`` with the group's name as its key and one version that grows. Its
row is locked while a batch is written, so that positions have one order.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from muniment.database.numbers import allocate
from muniment.database.pool import Database, Scope
from muniment.errors import MunimentError
from muniment.log.admission import AdmittedMessage
from muniment.log.batches import Batch, Known, Plan, known_keys, plan_batch
from muniment.log.drafts import SLICE, Place, as_json, insert_drafts
from muniment.log.merging import enqueue_merge
from muniment.log.runs import Outcome, Ticket, finish_item
from muniment.log.seal import Commit, NewEntry, seal
from muniment.log.vectors import Embedding, store_vectors
from muniment.model.identifiers import RECORD, SOURCE, new_id, public_id
from muniment.model.namespace import Namespace
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


async def store_messages(
    scope: Scope,
    space: int,
    namespace: Namespace,
    batch: Batch,
    numbers: "Numbers",
    ticket: Ticket,
    embedding: Embedding,
    settings: Settings,
) -> Outcome:
    """Writes a batch and the end of its item into the scope's transaction, sealed last.

    Raises ``AlreadyFinished``, ``source.key_taken`` where a document has the key, ``input.message_invalid`` where two
    messages claim one place, and ``store.*``.
    """
    conversation = await _lock(scope, space, namespace, batch.group_id, numbers)
    known = await _known(scope, conversation.group_no, batch.messages)
    plan = plan_batch(batch, known, numbers.records, conversation.next_position, namespace.session_id)
    outcome = Outcome(
        "stored" if plan.drafts else "unchanged", batch.group_id, conversation.source_no, 1, len(plan.drafts),
        plan.record_ids,
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


@dataclass(frozen=True, slots=True)
class Numbers:
    """Fresh numbers that a batch may need; what it does not use is lost, which means nothing."""

    source_no: int
    group_no: int
    records: range


async def allocate_numbers(database: Database, tenant: int, space: int, batch: Batch) -> Numbers:
    """Numbers for a batch, those of the conversation only where it is not known yet."""
    async with database.scope(tenant, spaces=[space]) as scope:
        known = await scope.row("sources.find", space=space, source_key=batch.group_id)
    if known is not None and known["group_no"] is not None:
        source_no, group_no = known["source_no"], known["group_no"]
    else:
        source_no = (await allocate(database, tenant, "source"))[0]
        group_no = (await allocate(database, tenant, "group"))[0]
    return Numbers(source_no, group_no, await allocate(database, tenant, "record", len(batch.messages)))


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
    numbers = [draft.record_no for draft in plan.drafts]
    await _put_keys(scope, place.space, place.group_no, plan)
    if plan.next_position != conversation.next_position:
        await scope.execute("messages.advance", group_no=place.group_no, next_position=plan.next_position)
    await store_vectors(scope, place.space, numbers, embedding, plan.vectors)
    await finish_item(scope, place.space, ticket, outcome)
    await enqueue_merge(scope, place.space, numbers, settings.posting_merge_rows)
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
