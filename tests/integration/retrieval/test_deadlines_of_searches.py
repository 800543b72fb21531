"""Deadlines: what is too slow is left out, the rest is given, and the result says so."""

import asyncio
import time
from collections.abc import Sequence

import numpy as np
import pytest
from asking import ask, ids, search, write_text
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from muniment.database.pool import Database
from muniment.log.writer import Writer
from muniment.providers.embedding import Embedder
from muniment.retrieval import routing
from muniment.retrieval.answer import extractive
from muniment.retrieval.engine import Retriever
from muniment.retrieval.routes.registry import ROUTES
from muniment.retrieval.routes.route import Route
from muniment.retrieval.state import Found, Search
from muniment.settings import Settings
from muniment.tenancy.tenants import Tenant

HANG = 30.0


class Hanging:
    """An embedding model that takes half a minute for a question."""

    def __init__(self, like: Embedder) -> None:
        self.name, self.dimensions = like.name, like.dimensions

    async def embed(self, texts: Sequence[str]) -> list[np.ndarray]:
        await asyncio.sleep(HANG)
        return [np.ones(self.dimensions, dtype=np.float32) for _ in texts]

    async def close(self) -> None:
        """Holds nothing."""


@pytest.fixture
async def pier(writer: Writer, tenant: Tenant) -> str:
    (record,) = await write_text(writer, tenant, "The pier is blue.", "pier")
    return record


async def test_an_embedding_model_that_hangs_holds_no_search_beyond_its_timeout(
    database: Database, embedder: Embedder, model_no: int, settings: Settings, tenant: Tenant, pier: str
) -> None:
    retriever = Retriever(database, Hanging(embedder), model_no, settings)  # type: ignore[arg-type]
    start = time.perf_counter()
    result = await search(retriever, tenant, "pier", timeout=2.0)
    assert time.perf_counter() - start < HANG / 2
    assert result.partial and any("not embedded in time" in note for note in result.notes)
    assert ids(result) == [pier] and "lexical" in result.hits[0].routes


async def test_a_route_that_is_held_up_is_left_out_and_the_others_are_given(
    retriever: Retriever, admin_url: str, tenant: Tenant, pier: str
) -> None:
    engine = create_async_engine(admin_url)
    async with engine.begin() as connection:  # one that changes the times keeps the temporal route waiting
        await connection.execute(text("lock table muniment.record_time in access exclusive mode"))
        result = await search(retriever, tenant, "When was the pier blue?", timeout=3.0)
    await engine.dispose()
    assert result.partial and any("temporal route was left out" in note for note in result.notes)
    assert ids(result) == [pier] and "lexical" in result.hits[0].routes


async def test_filters_that_are_held_up_give_a_partial_result_and_never_what_they_leave_out(
    retriever: Retriever, admin_url: str, tenant: Tenant, pier: str
) -> None:
    engine = create_async_engine(admin_url)
    async with engine.begin() as connection:
        await connection.execute(text("lock table muniment.record_metadata in access exclusive mode"))
        result = await search(retriever, tenant, "pier", timeout=2.0, filters={"metadata": {"floor": 3}})
    await engine.dispose()
    assert result.partial and result.hits == []
    assert any("filters could not be applied in time" in note for note in result.notes)


async def test_records_that_cannot_be_read_in_time_leave_a_result_marked_partial(
    retriever: Retriever, admin_url: str, tenant: Tenant, pier: str
) -> None:
    engine = create_async_engine(admin_url)
    async with engine.begin() as connection:
        await connection.execute(text("lock table muniment.record_content in access exclusive mode"))
        found = await search(retriever, tenant, "pier", timeout=2.0)
        asked = await ask(retriever, tenant, "What is the pier?", timeout=2.0)
    await engine.dispose()
    assert found.partial and found.hits == []
    assert asked.partial and asked.abstain
    for result in (found, asked):
        assert any("could be read in time" in note for note in result.notes), result.notes


async def test_sentences_that_cannot_be_compared_in_time_are_quoted_as_partial(
    retriever: Retriever, tenant: Tenant, pier: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def wait(*given: object) -> list[object]:
        await asyncio.sleep(HANG)
        return []

    monkeypatch.setattr(extractive, "_terms_of", wait)
    result = await ask(retriever, tenant, "What is the pier?", timeout=2.0)
    assert result.partial and not result.abstain and result.citations[0].record_id == pier
    assert any("compared with the question in time" in note for note in result.notes), result.notes


async def test_without_time_for_any_route_there_still_is_a_result_marked_partial(
    retriever: Retriever, tenant: Tenant, pier: str
) -> None:
    result = await search(retriever, tenant, "pier", timeout=0.0001)
    assert result.partial and result.hits == []
    assert sum("route was left out" in note for note in result.notes) >= 2


async def test_a_search_with_ample_time_is_whole(retriever: Retriever, tenant: Tenant, pier: str) -> None:
    assert not (await search(retriever, tenant, "pier", timeout=600)).partial


@pytest.mark.parametrize("statements", [False, True], ids=["something else", "many short statements"])
async def test_a_route_that_waits_for_something_else_is_left_out_too(
    retriever: Retriever, tenant: Tenant, pier: str, monkeypatch: pytest.MonkeyPatch, statements: bool
) -> None:
    async def find(search: Search) -> list[Found]:
        if not statements:
            await asyncio.sleep(HANG)
        while True:
            await search.scope.execute("spaces.visible", project=None, user=None, agent=None, shared=False)

    monkeypatch.setattr(routing, "ROUTES", (*ROUTES, Route("slow", find)))
    start = time.perf_counter()
    result = await search(retriever, tenant, "pier", timeout=3.0)
    assert time.perf_counter() - start < HANG / 2
    assert result.partial and any(note.startswith("the slow route was left out") for note in result.notes)
    assert ids(result) == [pier]
