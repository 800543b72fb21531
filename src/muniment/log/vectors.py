"""Vectors of new records: made before the transaction opens where they are few, and else by jobs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import structlog

from muniment.database.pool import Scope
from muniment.database.vectors import mark_pending
from muniment.database.vectors import store_vectors as insert_vectors
from muniment.errors import MunimentError
from muniment.providers.embedding import Embedder
from muniment.queue import enqueue
from muniment.settings import Settings

Wait = Literal["default", "lexical", "indexed"]
EMBED_JOB_RECORDS: Final = 256

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Embedding:
    """How a writer embeds: with which model, under which number. Without an embedder nothing has or awaits a vector."""

    embedder: Embedder | None
    model_no: int | None


async def embed_early(
    embedding: Embedding, texts: Sequence[str], wait: Wait, settings: Settings
) -> list[list[float]] | None:
    """The vectors of a small write; None where jobs are to make them.

    A model that cannot be used now does not keep evidence out: the records wait for their vectors.
    """
    if embedding.embedder is None or wait == "lexical" or len(texts) > settings.embed_inline_limit:
        return None
    try:
        return await embedding.embedder.embed(texts)
    except MunimentError as error:
        if not error.code.startswith("provider."):
            raise
        _log.warning("embedding_postponed", code=error.code, records=len(texts))
        return None


def embedded_text(text: str, fields: Mapping[str, str]) -> str:
    """What the vector of a record is made of, here as in ``muniment.indexed_text``: its text, then a line a field.

    The fields stand in the order in which jsonb keeps them, shorter names first.
    """
    order = sorted(fields, key=lambda name: (len(name.encode()), name.encode()))
    return "\n".join([text, *(f"{name}: {fields[name]}" for name in order)])


async def store_vectors(
    scope: Scope,
    space: int,
    records: Sequence[int],
    embedding: Embedding,
    vectors: Sequence[Sequence[float]] | None,
) -> None:
    """Writes the vectors that there are, or marks the records as waiting; enqueues what then follows."""
    if embedding.embedder is None or embedding.model_no is None or not records:
        return
    if vectors is not None:
        await insert_vectors(scope, embedding.model_no, space, records, vectors)
        await enqueue(scope, "link", {"records": list(records)}, space=space)
        return
    await mark_pending(scope, space, records)
    for start in range(0, len(records), EMBED_JOB_RECORDS):
        await enqueue(scope, "embed", {"records": list(records[start : start + EMBED_JOB_RECORDS])}, space=space)
