"""Vectors in the database: storing them, and the records that wait for theirs."""

from collections.abc import Sequence
from dataclasses import dataclass

from muniment.database.pool import Scope


@dataclass(frozen=True, slots=True)
class PendingText:
    """A record that lacks its vector, with the text to embed: its own, then a line a field."""

    space: int
    record_no: int
    text: str


def vector_text(vector: Sequence[float]) -> str:
    """The vector as pgvector reads it; nine digits carry a float32 whole, so that only the server rounds it."""
    return "[" + ",".join([f"{value:.9g}" for value in vector]) + "]"


async def store_vectors(
    scope: Scope, model_no: int, space: int, record_nos: Sequence[int], vectors: Sequence[Sequence[float]]
) -> None:
    """Stores one unit vector a record and takes the records off the waiting list; a vector that is there stays.

    Inside the caller's transaction. A record whose content was erased meanwhile fails the statement, by design.
    """
    await _insert(scope, model_no, [space] * len(record_nos), record_nos, vectors)


async def store_pending_vectors(
    scope: Scope, model_no: int, pending: Sequence[PendingText], vectors: Sequence[Sequence[float]]
) -> None:
    """The same for what ``take_pending`` gave, whatever its spaces."""
    await _insert(scope, model_no, [row.space for row in pending], [row.record_no for row in pending], vectors)


async def _insert(
    scope: Scope, model_no: int, spaces: list[int], record_nos: Sequence[int], vectors: Sequence[Sequence[float]]
) -> None:
    if len(vectors) != len(record_nos):
        raise ValueError("there must be one vector a record")
    if not record_nos:
        return
    texts = [vector_text(vector) for vector in vectors]
    await scope.execute(
        "vector.insert_embeddings", model=model_no, spaces=spaces, records=list(record_nos), vectors=texts
    )
    await scope.execute("vector.delete_pending", records=list(record_nos))


async def mark_pending(scope: Scope, space: int, record_nos: Sequence[int]) -> None:
    """Puts records on the waiting list, inside the caller's transaction."""
    if record_nos:
        await scope.execute("vector.insert_pending", spaces=[space] * len(record_nos), records=list(record_nos))


async def take_pending(scope: Scope, model_no: int, limit: int, space: int | None = None) -> list[PendingText]:
    """Up to ``limit`` waiting records without a vector of the model, the oldest first, of one space or of all.

    Nothing is locked: two workers that take the same records store the same vectors.
    """
    rows = await scope.rows("vector.pending", model=model_no, space=space, limit=limit)
    return [PendingText(row["space_id"], row["record_no"], row["text"]) for row in rows]


async def take_texts(scope: Scope, model_no: int, record_nos: Sequence[int]) -> list[PendingText]:
    """Those of the records that lack a vector of the model, with their texts."""
    rows = await scope.rows("vector.texts", model=model_no, records=list(record_nos))
    return [PendingText(row["space_id"], row["record_no"], row["text"]) for row in rows]
