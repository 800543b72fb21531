"""The conversations of an export: their turns join what is known of each, so that a later export adds what is new.

The export itself is a source with its original and no records of its own. Each conversation is written in a
transaction of its own, with an item of a run of messages that names the original: an erasure finds it by that.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

from muniment.database.numbers import allocate
from muniment.database.pool import Database
from muniment.extraction.languages import languages_of_turns
from muniment.log.admission import AdmittedMessage
from muniment.log.attempts import persist
from muniment.log.batches import Batch
from muniment.log.documents import Document
from muniment.log.messages import Numbers, number_batch, store_messages
from muniment.log.recognition import Incoming, recognise
from muniment.log.runs import AlreadyFinished
from muniment.log.vectors import Embedding, Wait, embed_early, embedded_text
from muniment.model.identifiers import new_id
from muniment.model.namespace import Namespace
from muniment.sources.parsed import Conversation

_NOT_IN_PLACE = ("kind", "message_id", "turn", "chunk")  # what the locator of a message says otherwise


@dataclass(slots=True)
class Joined:
    """What the conversations of an export came to: the records that it brought."""

    records: int = 0
    record_ids: list[UUID] = field(default_factory=list)


async def join_conversations(
    database: Database, tenant: int, namespace: Namespace, document: Document, embedding: Embedding, wait: Wait
) -> Document:
    """Stores the conversations of an export; the document that is left has no chunks, and names their records.

    Raises ``source.key_taken`` where a document has the key of a conversation, and ``store.*``.
    """
    talks = document.parsed.conversations
    if talks is None:
        return document
    session = document.source.session_id or namespace.session_id
    namespace = namespace.model_copy(update={"session_id": session})
    small = len(document.parsed.chunks) <= database.settings.embed_inline_limit
    run_no = (await persist(lambda: allocate(database, tenant, "run")))[0]
    joined = Joined()
    for item_no, talk in enumerate(talks):
        batch = await _batch(database, tenant, namespace, document, talk, embedding, wait if small else "lexical")
        await _join(database, tenant, namespace, document, batch, embedding, (run_no, item_no, len(talks)), joined)
    parsed = replace(document.parsed, chunks=[])
    return replace(
        document, parsed=parsed, said=[], vectors=None, marks=None, turns=joined.record_ids, brought=joined.records
    )


async def _batch(
    database: Database, tenant: int, namespace: Namespace, document: Document, talk: Conversation,
    embedding: Embedding, wait: Wait,
) -> Batch:  # fmt: skip
    messages = _messages(document, talk)
    said = [Incoming(each.content, each.speaker, each.role, each.metadata) for each in messages]
    served = await recognise(database, tenant, namespace, said)
    some = messages[: database.settings.embed_inline_limit + 1]
    texts = [embedded_text(each.content, each.fields) for each in some]
    return Batch(talk.key, messages, await embed_early(embedding, texts, wait, database.settings), served)


def _messages(document: Document, talk: Conversation) -> Sequence[AdmittedMessage]:
    first, end = talk.turns
    chunks = document.parsed.chunks[first:end]
    marks = document.marks or [{}] * len(document.parsed.chunks)
    told = languages_of_turns([chunk.text for chunk in chunks])
    about = {**document.parsed.metadata, **document.source.metadata}
    messages = []
    for chunk, said, marked, language in zip(chunks, document.said[first:end], marks[first:end], told, strict=True):
        spoken = document.source.language or language
        identity = chunk.locator.get("message_id")
        place = {name: value for name, value in chunk.locator.items() if name not in _NOT_IN_PLACE}
        messages.append(
            AdmittedMessage(
                chunk.text, len(chunk.text.encode()), chunk.role, chunk.speaker, said, identity,
                None if identity is not None else chunk.locator["turn"], {**about, **chunk.metadata, **marked},
                None if spoken == "english" else spoken, place, chunk.fields,
            )
        )  # fmt: skip
    return messages


async def _join(
    database: Database, tenant: int, namespace: Namespace, document: Document, batch: Batch, embedding: Embedding,
    item: tuple[int, int, int], joined: Joined,
) -> None:  # fmt: skip
    run_no, item_no, items = item
    numbers = await persist(lambda: number_batch(database, tenant, namespace, batch.group_id, len(batch.messages)))
    numbers = replace(numbers, run_no=run_no)

    async def attempt() -> tuple[int, Sequence[UUID]]:
        return await _write(database, tenant, namespace, document, batch, embedding, numbers, (item_no, items))

    try:
        records, record_ids = await persist(attempt)
    except AlreadyFinished:  # a try whose answer was lost
        return
    joined.records += records
    joined.record_ids += record_ids


async def _write(
    database: Database, tenant: int, namespace: Namespace, document: Document, batch: Batch, embedding: Embedding,
    numbers: Numbers, item: tuple[int, int],
) -> tuple[int, Sequence[UUID]]:  # fmt: skip
    settings, space = database.settings, numbers.space
    item_no, items = item
    async with database.scope(tenant, spaces=[space], seconds=settings.write_timeout) as scope:
        if item_no == 0:
            await scope.execute(
                "runs.insert", run_no=numbers.run_no, space=space, run_id=new_id(), kind="messages", items=items,
                session=namespace.session_id, open=False,
            )  # fmt: skip
            await scope.execute(
                "sources.insert_blob", space=space, sha256=document.sha256, content=document.source.data
            )
        outcome = await store_messages(scope, namespace, batch, numbers, embedding, settings, item_no, document.sha256)
        if outcome.state == "stored":
            await database.quotas.require_fit(scope)
    return outcome.records, outcome.record_ids
