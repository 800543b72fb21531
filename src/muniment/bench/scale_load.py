"""Fills a store for the scale benchmark: straight into the tables, as the administrator, with what a write would store.

The lexical index is made by the functions that writes use; vectors, edges and entities are drawn, not computed.
"""

import asyncio
import io
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from psycopg import Connection as DriverConnection
from sqlalchemy import Connection, create_engine
from sqlalchemy.pool import NullPool

from muniment.bench.scale_corpus import DIMENSIONS, GROUP, Batch, Vectors, batches
from muniment.database.pool import Database
from muniment.database.queries import query, statements
from muniment.database.vector_index import ensure_index
from muniment.tenancy.tenants import create_tenant

Advance = Callable[..., None]
_COPY_HEADER = b"PGCOPY\n\xff\r\n\x00" + bytes(8)
_COPY_END = b"\xff\xff"


@dataclass(frozen=True, slots=True)
class Load:
    """One tenant to make: so many records, in groups of 20, spread over ``spaces`` users' spaces."""

    records: int
    spaces: int
    seed: int


class Loader:
    """Loads tenants over one connection of the administrator's."""

    def __init__(self, database: Database, admin_url: str, words: list[str], model_no: int, advance: Advance) -> None:
        self._database = database
        self._admin_url = admin_url
        self._words = words
        self._model_no = model_no
        self._advance = advance

    async def load(self, loads: list[Load]) -> list[int]:
        """Makes the tenants with their vector indexes and gives their numbers, in the order of ``loads``."""
        tenants = [(await create_tenant(self._database, "scale")).number for _ in loads]
        await asyncio.to_thread(self._fill, list(zip(tenants, loads, strict=True)))
        for tenant in tenants:
            await ensure_index(self._database, self._admin_url, tenant, self._model_no)
        return tenants

    def _fill(self, pairs: list[tuple[int, Load]]) -> None:
        engine = create_engine(self._admin_url, poolclass=NullPool)
        try:
            with engine.connect() as connection:
                for name in ("scale.be_replica", "scale.lazily", "scale.make_given"):
                    connection.execute(query(name))
                connection.commit()
                for tenant, load in pairs:
                    self._fill_tenant(connection, tenant, load)
                connection.execution_options(isolation_level="AUTOCOMMIT")
                connection.execute(query("scale.vacuum"))
                connection.execute(query("scale.shrink_tail"))
        finally:
            engine.dispose()

    def _fill_tenant(self, connection: Connection, tenant: int, load: Load) -> None:
        connection.execute(query("scale.insert_spaces"), {"tenant": tenant, "count": load.spaces})
        for batch in batches(self._words, load.records, load.seed):
            spaces = _spaces(batch, load)
            self._write(connection, tenant, batch, spaces)
            connection.commit()
            self._advance(len(batch.texts))
        if load.spaces == 1:
            connection.execute(query("scale.pack"), {"tenant": tenant, "space": 1})
        connection.execute(query("scale.close_log"), {"tenant": tenant, "records": load.records})
        connection.commit()

    def _write(self, connection: Connection, tenant: int, batch: Batch, spaces: list[int]) -> None:
        driver: DriverConnection = connection.connection.driver_connection  # type: ignore[assignment]
        _copy(driver, "scale.copy_given", _given(batch, spaces))
        connection.execute(query("scale.insert_records"), {"tenant": tenant})
        connection.execute(query("scale.index_records"), {"tenant": tenant})
        _copy(driver, "scale.copy_vectors", _vector_rows(tenant, self._model_no, batch.first, spaces, batch.vectors))
        edges = "".join(f"{tenant}\t{a}\t{b}\t{spaces[a - batch.first]}\t{w:.4f}\n" for a, b, w in batch.edges)
        _copy(driver, "scale.copy_edges", edges.encode())


def space_of(record_no: int, load: Load) -> int:
    """The space in which a record lies: whole groups, so many a space."""
    groups = -(-load.records // GROUP)
    return (record_no - 1) // GROUP * load.spaces // groups + 1


def _spaces(batch: Batch, load: Load) -> list[int]:
    return [space_of(batch.first + offset, load) for offset in range(len(batch.texts))]


def _given(batch: Batch, spaces: list[int]) -> bytes:
    lines = io.StringIO()
    for offset, text in enumerate(batch.texts):
        place = batch.first + offset - 1
        group, position = place // GROUP + 1, place % GROUP
        lines.write(
            f"{place + 1}\t{spaces[offset]}\t{group}\t{position}\t{batch.speakers[offset]}\t{text}\t"
            f"{batch.entities[offset]}\n"
        )
    return lines.getvalue().encode()


def _vector_rows(tenant: int, model_no: int, first: int, spaces: list[int], vectors: Vectors) -> bytes:
    """The rows of a binary COPY: each field after its length, big-endian; a halfvec is its dimensions, 0, halves."""
    row = np.dtype(
        [("fields", ">i2"), ("l1", ">i4"), ("tenant", ">i8"), ("l2", ">i4"), ("model", ">i4"), ("l3", ">i4"),
         ("space", ">i8"), ("l4", ">i4"), ("record", ">i8"), ("l5", ">i4"), ("dimensions", ">i2"), ("unused", ">i2"),
         ("halves", ">f2", (DIMENSIONS,))]
    )  # fmt: skip
    rows = np.zeros(len(vectors), dtype=row)
    rows["fields"], rows["l1"], rows["l2"], rows["l3"], rows["l4"] = 5, 8, 4, 8, 8
    rows["l5"], rows["dimensions"] = 4 + 2 * DIMENSIONS, DIMENSIONS
    rows["tenant"], rows["model"], rows["space"] = tenant, model_no, spaces
    rows["record"] = np.arange(first, first + len(vectors))
    rows["halves"] = vectors
    return _COPY_HEADER + rows.tobytes() + _COPY_END


def _copy(driver: DriverConnection, name: str, data: bytes) -> None:
    with driver.cursor() as cursor, cursor.copy(statements()[name].encode()) as copying:
        copying.write(data)
