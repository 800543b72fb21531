"""Runs that fail are kept with the code of their error, are listed and told of, and cannot be replayed."""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import Any

import numpy as np
import pytest
from asking import LAUNCH, ask, search, write_text
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from muniment.database.pool import Database
from muniment.errors import MunimentError
from muniment.log.writer import Writer
from muniment.model.query_runs import QueryRun
from muniment.providers.embedding import Embedder
from muniment.retrieval.engine import Retriever
from muniment.retrieval.explain.explaining import explain
from muniment.retrieval.replay import replay_run
from muniment.retrieval.runs import get_query_run, list_query_runs
from muniment.settings import Settings
from muniment.tenancy.tenants import Tenant

SECRET = "Zanzibar"


class Broken:
    """An embedding model that fails as none of ours does."""

    def __init__(self, like: Embedder) -> None:
        self.name, self.dimensions = like.name, like.dimensions

    async def embed(self, texts: Sequence[str]) -> list[np.ndarray]:
        raise RuntimeError(f"cannot embed {texts}")

    async def close(self) -> None:
        """Holds nothing."""


async def only_run(database: Database, tenant: Tenant) -> QueryRun:
    (summary,) = (await list_query_runs(database, tenant.number)).runs
    run = await get_query_run(database, tenant.number, summary.id)
    assert (summary.state, summary.error) == (run.state, run.error)
    return run


@pytest.mark.parametrize(("held_up", "known_at"), [("posting_block", 1), ("log_head", None)])
async def test_a_search_that_the_database_holds_up_leaves_a_failed_run_that_is_told_of(
    retriever: Retriever, writer: Writer, database: Database, admin_url: str, tenant: Tenant,
    caplog: pytest.LogCaptureFixture, held_up: str, known_at: int | None,
) -> None:  # fmt: skip
    (record,) = await write_text(writer, tenant, LAUNCH, "memo")
    engine = create_async_engine(admin_url)
    with caplog.at_level(logging.INFO):
        async with engine.begin() as connection:
            await connection.execute(text(f"lock table muniment.{held_up} in access exclusive mode"))
            with pytest.raises(MunimentError) as caught:
                await search(retriever, tenant, f"Who launched {SECRET}?", timeout=0.5)
    await engine.dispose()
    assert caught.value.code == "store.busy"
    assert "store.busy" in caplog.text and SECRET not in caplog.text
    run = await only_run(database, tenant)
    assert run.known_at == known_at
    assert (run.state, run.error, run.hits, run.question) == ("failed", "store.busy", [], f"Who launched {SECRET}?")
    told = await explain(database, retriever.tools, tenant.number, run.id, record)
    assert told.record is not None and (told.record.fell, told.record.returned) == ("run_failed", False)
    assert any("store.busy" in note for note in told.notes) and told.hits == []
    with pytest.raises(MunimentError) as caught:
        await replay_run(database, retriever.tools, tenant.number, run.id)
    assert caught.value.code == "run.failed"


@pytest.mark.parametrize("do", [search, ask])
async def test_a_fault_inside_leaves_a_failed_run_with_the_steps_before_it(
    database: Database, writer: Writer, embedder: Embedder, model_no: int, settings: Settings, tenant: Tenant, do: Any
) -> None:
    await write_text(writer, tenant, LAUNCH, "memo")
    retriever = Retriever(database, Broken(embedder), model_no, settings)  # type: ignore[arg-type]
    with pytest.raises(RuntimeError):
        await do(retriever, tenant, "Which launch is confirmed?")
    run = await only_run(database, tenant)
    assert (run.state, run.error) == ("failed", "internal") and run.stages[0].name == "plan"


async def test_a_request_that_cannot_be_is_no_run(retriever: Retriever, database: Database, tenant: Tenant) -> None:
    with pytest.raises(MunimentError):
        await search(retriever, tenant, "x", known_at=99)
    assert (await list_query_runs(database, tenant.number)).runs == []


async def test_a_run_that_its_deadline_cut_short_is_marked_in_its_replay(
    retriever: Retriever, writer: Writer, database: Database, tenant: Tenant
) -> None:
    await write_text(writer, tenant, LAUNCH, "memo")
    short, whole = await search(retriever, tenant, "launch", timeout=0.0001), await search(retriever, tenant, "launch")
    states = {run.id: run.state for run in (await list_query_runs(database, tenant.number)).runs}
    assert states == {short.query_id: "partial", whole.query_id: "succeeded"}
    marked = [
        (await replay_run(database, retriever.tools, tenant.number, run.query_id)).partial for run in (short, whole)
    ]
    assert marked == [True, False]


async def test_a_flood_that_has_no_turn_asks_nothing_of_the_database_and_another_tenant_is_served(
    retriever: Retriever, writer: Writer, database: Database, tenant: Tenant, other_tenant: Tenant
) -> None:
    await write_text(writer, other_tenant, LAUNCH, "memo")
    async with AsyncExitStack() as held:
        for number in range(1, 1000):
            try:  # all turns are taken by tenants who hold them
                await held.enter_async_context(database.traffic.search(-number, 0.01))
            except MunimentError:
                break
        flood = await asyncio.gather(
            *(search(retriever, tenant, f"Who launched {n}?", timeout=0.2) for n in range(40)), return_exceptions=True
        )
        assert [error.code for error in flood if isinstance(error, MunimentError)] == ["store.busy"] * 40
        waiting = [asyncio.create_task(search(retriever, tenant, "Who?", timeout=5)) for _ in range(20)]
        await asyncio.sleep(0.05)
        served = asyncio.create_task(search(retriever, other_tenant, "Who launched it?", timeout=20))
        await asyncio.sleep(0.05)
    await served
    assert sum(task.done() for task in waiting) < 20
    await asyncio.gather(*waiting)
    assert len((await list_query_runs(database, tenant.number)).runs) == 20
