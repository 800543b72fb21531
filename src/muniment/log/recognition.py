"""Served context that comes back: recognised before it is stored, so that it is not new evidence.

An agent that stores what it was given would otherwise make each memory its own witness. A text is recognised by the
fingerprints of its sentences, where it is mostly such; or by the query run that its metadata names.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from muniment.database.pool import Database, Row, Scope
from muniment.database.served import find_served
from muniment.log.documents import Document
from muniment.model.identifiers import QUERY, parse_id
from muniment.model.namespace import Namespace
from muniment.model.served import MARK, is_served, says_it_again, telling


@dataclass(frozen=True, slots=True)
class Incoming:
    """A text that wants to be stored, and who says it."""

    text: str
    speaker: str | None = None
    role: str | None = None
    metadata: Mapping[str, Any] | None = None


async def recognise(
    database: Database, tenant: int, namespace: Namespace, texts: Sequence[Incoming]
) -> dict[int, list[UUID]]:
    """Which texts are served context, by their index, with the ids of the records that they came from.

    Asks the database nothing where all are short. One look-up a sentence, and one a text that is recognised.
    """
    days = database.settings.served_retention_days
    if days == 0:
        return {}
    sentences = list(dict.fromkeys(each for text in texts for each in telling(text.text)))
    marked = [(n, query) for n, text in enumerate(texts) if (query := _marked(text)) is not None]
    if not sentences and not marked:
        return {}
    async with database.scope(tenant) as scope:
        found = await find_served(scope, namespace, sentences, days) if sentences else {}
        served = await _by_words(scope, texts, found)
        for index, query in marked:
            rows = await scope.rows(
                "served.of_run", query_id=query, project=namespace.project_id, user=namespace.user_id
            )
            if rows:
                served[index] = [row["record_id"] for row in rows]
    return served


async def without_served(database: Database, tenant: int, namespace: Namespace, document: Document) -> Document:
    """The document without the chunks that are served context; those of a file only where its metadata says so."""
    about = document.source.metadata
    if document.source.kind != "text" and MARK not in about:
        return document
    texts = [Incoming(chunk.text, chunk.speaker, chunk.role, about) for chunk in document.parsed.chunks]
    served = await recognise(database, tenant, namespace, texts)
    if not served:
        return document
    left = [n for n in range(len(texts)) if n not in served]
    vectors, marks = document.vectors, document.marks
    return replace(
        document,
        parsed=replace(document.parsed, chunks=[document.parsed.chunks[n] for n in left]),
        said=[document.said[n] for n in left],
        vectors=None if vectors is None else [vectors[n] for n in left],
        marks=None if marks is None else [marks[n] for n in left],
        served=served,
    )


async def _by_words(
    scope: Scope, texts: Sequence[Incoming], found: Mapping[str, Sequence[Row]]
) -> dict[int, list[UUID]]:
    served: dict[int, dict[int, UUID]] = {}
    for index, text in enumerate(texts):
        if is_served(text.text, found):
            rows = [row for each in telling(text.text) for row in found.get(each, ())]
            served[index] = {row["record_no"]: row["record_id"] for row in rows}
    if not served:
        return {}
    numbers = sorted({number for records in served.values() for number in records})
    sources = {row["record_no"]: row for row in await scope.rows("served.texts", records=numbers)}
    return {
        index: list(records.values())
        for index, records in served.items()
        if not any(_repeats(texts[index], sources[number]) for number in records if number in sources)
    }


def _repeats(text: Incoming, record: Row) -> bool:
    same = (text.speaker, text.role) == (record["speaker"], record["role"])
    return same and says_it_again(text.text, record["text"], speaker=text.speaker, role=text.role)


def _marked(text: Incoming) -> UUID | None:
    """The query run that a text says it is from."""
    named = (text.metadata or {}).get(MARK)
    return parse_id(QUERY, named) if isinstance(named, str) else None
