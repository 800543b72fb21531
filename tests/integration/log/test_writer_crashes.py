"""The database goes away in the middle of a write: nothing half-written, and what is tried again is stored once."""

from collections.abc import Awaitable, Callable
from typing import Any

import psycopg
import pytest
from writing import ATLAS, all_records, assert_sealed_without_gaps, counts, memo, turns

from muniment.database.pool import Database
from muniment.database.setup import driver_conninfo
from muniment.errors import MunimentError
from muniment.log import attempts, documents, ingestion, messages
from muniment.log import writer as writing_module
from muniment.log.writer import Writer
from muniment.model.source import IngestionRun
from muniment.tenancy.tenants import Tenant

Write = Callable[[], Awaitable[IngestionRun]]
Kill = Callable[[], None]


@pytest.fixture(params=["sources", "messages"])
def write(request: pytest.FixtureRequest, writer: Writer, tenant: Tenant) -> Write:
    """One write of either kind."""
    if request.param == "sources":
        return lambda: writer.ingest_sources(tenant.number, ATLAS, [memo("one")])
    return lambda: writer.ingest_messages(tenant.number, ATLAS, turns("one"), group_id="chat")


@pytest.fixture
def kill(admin_url: str) -> Kill:
    """Ends every connection of the service, as a crash of the server would."""

    def end_all() -> None:
        with psycopg.connect(driver_conninfo(admin_url), autocommit=True) as connection:
            connection.execute(
                "select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = 'muniment_app'"
                " and datname = current_database()"
            )

    return end_all


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorter waits between attempts."""
    monkeypatch.setattr(attempts, "_DELAYS", (0.01, 0.01, 0.01))


def break_at(
    monkeypatch: pytest.MonkeyPatch, modules: list[Any], name: str, kill: Kill, *, times: int, after: bool = False
) -> list[int]:
    """Kills the connections before (or after) the first ``times`` calls of a function; counts the calls."""
    calls: list[int] = []
    for module in modules:
        original = getattr(module, name)

        async def broken(*args: Any, _original: Any = original, **named: Any) -> Any:
            calls.append(1)
            dies = len(calls) <= times
            if dies and not after:
                kill()
            result = await _original(*args, **named)
            if dies and after:
                kill()
            return result

        monkeypatch.setattr(module, name, broken)
    return calls


@pytest.mark.parametrize("after", [False, True], ids=["before the seal", "after the seal, before the commit"])
async def test_a_write_whose_connection_dies_is_tried_again_and_stored_once(
    write: Write, database: Database, tenant: Tenant, monkeypatch: pytest.MonkeyPatch, kill: Kill, after: bool
) -> None:
    calls = break_at(monkeypatch, [documents, messages], "seal", kill, times=2, after=after)
    run = await write()
    assert (run.state, run.items[0].state, len(calls)) == ("succeeded", "stored", 3)
    assert [record.text for record in await all_records(database, tenant, include_closed=True)] == ["one"]
    assert await assert_sealed_without_gaps(database, tenant) == 1


async def test_a_write_that_never_gets_through_leaves_nothing(
    write: Write, database: Database, tenant: Tenant, monkeypatch: pytest.MonkeyPatch, kill: Kill
) -> None:
    break_at(monkeypatch, [documents, messages], "seal", kill, times=100)
    try:
        run = await write()
        assert run.items[0].error is not None and run.items[0].error.code == "store.unavailable"
    except MunimentError as error:
        assert error.code == "store.unavailable"
    left = await counts(database, tenant)
    assert {table: left[table] for table in left if table != "blob" and left[table]} == {}
    monkeypatch.undo()
    again = await write()
    assert again.items[0].state == "stored"
    assert [record.text for record in await all_records(database, tenant)] == ["one"]


async def test_a_commit_whose_answer_was_lost_is_not_repeated(
    write: Write, database: Database, tenant: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost: list[int] = []

    def losing(original: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def lose(*args: Any, **named: Any) -> Any:
            result = await original(*args, **named)
            if not lost:
                lost.append(1)
                raise MunimentError("store.unavailable", "the database went away")
            return result

        return lose

    monkeypatch.setattr(ingestion, "store_document", losing(ingestion.store_document))
    monkeypatch.setattr(writing_module, "store_batch", losing(writing_module.store_batch))
    run = await write()
    assert lost and (run.state, run.items[0].state, run.items[0].attempts) == ("succeeded", "stored", 1)
    assert [record.text for record in await all_records(database, tenant, include_closed=True)] == ["one"]
    assert await assert_sealed_without_gaps(database, tenant) == 1


async def test_an_item_that_failed_for_the_database_can_be_retried(
    writer: Writer, database: Database, tenant: Tenant, monkeypatch: pytest.MonkeyPatch, kill: Kill
) -> None:
    break_at(monkeypatch, [documents], "seal", kill, times=4)
    run = await writer.ingest_sources(tenant.number, ATLAS, [memo("one", "a", metadata={"x": 1}), memo("two", "b")])
    assert [item.state for item in run.items] == ["failed", "stored"]
    assert run.items[0].error is not None and run.items[0].error.code == "store.unavailable"
    again = await writer.retry(tenant.number, run.id)
    assert (again.id, again.state, again.items[0].attempts) == (run.id, "succeeded", 2)
    found = await all_records(database, tenant)
    assert [(record.text, record.source_key, record.metadata) for record in found] == [
        ("two", "b", {}), ("one", "a", {"x": 1}),
    ]  # fmt: skip
