"""Quotas hold across processes, give back what a dead one held and store nothing by halves; usage is counted by day."""

import asyncio
import time
from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from muniment.database.pool import Database
from muniment.errors import MunimentError
from muniment.log.erasure import erase
from muniment.log.writer import Writer
from muniment.model.message import Message
from muniment.model.namespace import Namespace
from muniment.model.quotas import QuotaChange
from muniment.model.source import SourceInput
from muniment.settings import Settings
from muniment.tenancy.quotas import get_quota, get_usage, put_quota
from muniment.tenancy.tenants import Tenant

HOME = Namespace(user_id="ann")


@pytest.fixture
async def other_process(app_url: str, settings: Settings) -> AsyncIterator[Database]:
    """The pool of a second process on the same database."""
    opened = Database(app_url, settings)
    yield opened
    await opened.close()


@pytest.fixture
async def admin(admin_url: str) -> AsyncIterator[AsyncEngine]:
    engine = create_async_engine(admin_url)
    yield engine
    await engine.dispose()


@pytest.fixture
def writer(database: Database, settings: Settings) -> Writer:
    return Writer(database, None, None, settings)


async def take(database: Database, tenant: Tenant) -> str:
    try:
        await database.requests.take(tenant.number)
    except MunimentError as error:
        return error.code
    return "taken"


async def _entries(database: Database, tenant: Tenant) -> int:
    """How many notes of the tenant's usage are not added up yet."""
    async with database.scope(tenant.number) as scope:
        statement = text("select count(*) from muniment.usage_entry where tenant_id = :tenant")
        return (await scope.connection.execute(statement, {"tenant": tenant.number})).scalar_one()


async def write(writer: Writer, tenant: Tenant, group: str, *texts: str, key: str | None = None) -> int:
    messages = [Message(speaker="Ann", content=each) for each in texts]
    run = await writer.ingest_messages(tenant.number, HOME, messages, group_id=group, idempotency_key=key)
    return run.items[0].records


async def held(database: Database, tenant: Tenant) -> tuple[int, int]:
    quota = await get_quota(database, tenant.number)
    return quota.records.used, quota.bytes.used


async def test_processes_share_one_bucket_and_other_tenants_have_their_own(
    database: Database, other_process: Database, tenant: Tenant, other_tenant: Tenant
) -> None:
    await put_quota(database, tenant.number, QuotaChange(requests_per_minute=12))
    start = time.monotonic()
    told = await asyncio.gather(*(take(each, tenant) for _ in range(15) for each in (database, other_process)))
    refilled = (time.monotonic() - start) * 12 / 60
    assert 12 <= told.count("taken") <= 12 + refilled + 1
    assert set(told) == {"taken", "quota.requests_exceeded"}
    assert await take(other_process, other_tenant) == "taken"
    assert (await get_quota(database, tenant.number)).requests_per_minute.used >= 11


async def test_the_bucket_refills_and_says_when(database: Database, tenant: Tenant, admin: AsyncEngine) -> None:
    await put_quota(database, tenant.number, QuotaChange(requests_per_minute=2))
    assert [await take(database, tenant) for _ in range(2)] == ["taken"] * 2
    with pytest.raises(MunimentError) as caught:
        await database.requests.take(tenant.number)
    assert 20 <= caught.value.facts["retry_after"] <= 30 and caught.value.facts["limit"] == 2
    async with admin.begin() as connection:
        await connection.execute(text("update muniment.ration set filled_at = filled_at - interval '30 seconds'"))
    database.requests._buckets.clear()  # as after the wait
    assert [await take(database, tenant) for _ in range(2)] == ["taken", "quota.requests_exceeded"]


async def test_a_large_limit_costs_a_statement_for_many_requests(
    database: Database, tenant: Tenant, admin: AsyncEngine
) -> None:
    await put_quota(database, tenant.number, QuotaChange(requests_per_minute=6000))
    rates = [await database.requests.take(tenant.number) for _ in range(100)]
    async with admin.connect() as connection:
        tokens = (await connection.execute(text("select tokens from muniment.ration"))).scalar_one()
    assert tokens == 5900  # all hundred by one statement: the bucket was not looked at again
    assert [rate.remaining for rate in rates if rate] == list(range(5999, 5899, -1))


async def test_searches_at_once_are_counted_over_processes_and_given_back(
    database: Database, other_process: Database, tenant: Tenant
) -> None:
    await put_quota(database, tenant.number, QuotaChange(concurrent_searches=2))
    async with database.searches.search(tenant.number):
        async with other_process.searches.search(tenant.number):
            assert (await get_quota(database, tenant.number)).concurrent_searches.used == 2
            for each in (database, other_process):
                with pytest.raises(MunimentError) as caught:
                    async with each.searches.search(tenant.number):
                        raise AssertionError("there were three")
                assert caught.value.code == "quota.searches_exceeded"
                assert caught.value.facts == {"limit": 2, "retry_after": 1}
        await asyncio.gather(*other_process.searches._tasks)  # it gives its slot back
        await asyncio.sleep(0.06)  # nobody asks again right after there was none
        async with database.searches.search(tenant.number):
            pass


async def test_a_limit_that_was_raised_or_lowered_leaves_as_many_requests_used_as_there_were(
    database: Database, tenant: Tenant
) -> None:
    used = []
    for limit in (60, 60_000, 600):
        await put_quota(database, tenant.number, QuotaChange(requests_per_minute=limit))
        assert [await take(database, tenant) for _ in range(3)] == ["taken"] * 3
        used.append((await get_quota(database, tenant.number)).requests_per_minute.used)
    assert max(used) <= 9, used  # not what the larger bucket lacked, nor the thousand that the process took in advance


async def test_slots_that_are_held_without_a_search_are_neither_told_as_used_nor_kept_for_long(
    app_url: str, settings: Settings, database: Database, tenant: Tenant, admin: AsyncEngine
) -> None:
    await put_quota(database, tenant.number, QuotaChange(concurrent_searches=64))
    elsewhere = Database(app_url, settings.model_copy(update={"search_lease": 0.6}))

    async def told() -> set[int]:
        return {(await get_quota(each, tenant.number)).concurrent_searches.used for each in (database, elsewhere)}

    async with elsewhere.searches.search(tenant.number):
        assert await told() == {1}
        async with admin.connect() as connection:
            assert (await connection.execute(text("select slots from muniment.search_lease"))).scalar_one() == 5
    assert (await get_quota(elsewhere, tenant.number)).concurrent_searches.used == 0
    for _ in range(50):
        async with admin.connect() as connection:
            if not (await connection.execute(text("select from muniment.search_lease"))).all():
                break
        await asyncio.sleep(0.1)
    else:
        raise AssertionError("an idle process kept what it does not need")
    assert await told() == {0}
    await elsewhere.close()


async def test_the_searches_of_a_dead_process_come_back_and_those_of_a_living_one_do_not(
    app_url: str, settings: Settings, database: Database, tenant: Tenant
) -> None:
    await put_quota(database, tenant.number, QuotaChange(concurrent_searches=1))
    short = settings.model_copy(update={"search_lease": 0.6})
    dying, living = Database(app_url, short), Database(app_url, short)
    search = dying.searches.search(tenant.number)
    await search.__aenter__()
    assert dying.searches._keeper is not None
    await asyncio.sleep(1.2)  # twice its lease, which it prolongs
    with pytest.raises(MunimentError):
        async with living.searches.search(tenant.number):
            raise AssertionError("the lease of a living process ended")
    dying.searches._keeper.cancel()  # it prolongs nothing any more
    await asyncio.sleep(0.8)
    async with living.searches.search(tenant.number):
        pass
    await dying.engine.dispose()
    await living.close()


async def test_what_does_not_fit_is_not_stored_and_can_be_sent_again(
    database: Database, writer: Writer, tenant: Tenant
) -> None:
    await put_quota(database, tenant.number, QuotaChange(records=3))
    assert await write(writer, tenant, "chat", "one", "two") == 2
    with pytest.raises(MunimentError) as caught:
        await write(writer, tenant, "chat", "three", "four", key="again")
    assert (caught.value.code, caught.value.kind.status) == ("quota.records_exceeded", 403)
    assert await held(database, tenant) == (2, 6)
    await put_quota(database, tenant.number, QuotaChange(records=4))
    assert await write(writer, tenant, "chat", "three", "four", key="again") == 2
    assert await write(writer, tenant, "chat", "three", "four", key="again") == 2  # told again, though it is full
    with pytest.raises(MunimentError, match="the store holds 4 records"):
        await write(writer, tenant, "chat", "five")
    assert await held(database, tenant) == (4, 6 + 9)


async def test_writes_at_once_do_not_pass_the_limit_together(
    database: Database, writer: Writer, tenant: Tenant
) -> None:
    await put_quota(database, tenant.number, QuotaChange(records=3))
    tries = [write(writer, tenant, f"chat-{n}", f"said {n}") for n in range(8)]
    told = await asyncio.gather(*tries, return_exceptions=True)
    assert [each for each in told if each == 1] == [1] * 3
    assert {each.code for each in told if isinstance(each, MunimentError)} == {"quota.records_exceeded"}
    assert (await held(database, tenant))[0] == 3


async def test_a_source_that_does_not_fit_fails_alone_and_leaves_no_bytes(
    database: Database, writer: Writer, tenant: Tenant
) -> None:
    await put_quota(database, tenant.number, QuotaChange(bytes=100))
    sources = [
        SourceInput(kind="text", source_key="small", text="It fits."),
        SourceInput(kind="text", source_key="large", text="It does not fit. " * 20),
    ]
    run = await writer.ingest_sources(tenant.number, HOME, sources)
    assert [item.state for item in run.items] == ["stored", "failed"]
    assert run.items[1].error is not None and run.items[1].error.code == "quota.bytes_exceeded"
    assert await held(database, tenant) == (1, 16)  # the text and its original


async def test_erasing_makes_room(database: Database, writer: Writer, tenant: Tenant) -> None:
    said = [Message(speaker="Ann", content="forget me")]
    run = await writer.ingest_messages(tenant.number, HOME, said, group_id="chat")
    assert await held(database, tenant) == (1, 9)
    record = (run.items[0].record_ids or [])[0]
    await erase(database, tenant.number, records=[record], reason="asked for")
    assert await held(database, tenant) == (0, 0)
    (today,) = (await get_usage(database, tenant.number, 1)).days
    assert (today.records, today.records_erased, today.bytes, today.bytes_erased) == (1, 1, 9, 9)


async def test_usage_is_added_up_once_whoever_notes_it(
    database: Database, other_process: Database, writer: Writer, tenant: Tenant, other_tenant: Tenant
) -> None:
    await write(writer, tenant, "chat", "hello")
    for _ in range(5):
        for each in (database, other_process):
            each.usage.count(tenant.number, requests=1, searches=2, prompt_tokens=1_000_000)
            await each.usage.note()
    await asyncio.gather(*(each.usage.note() for each in (database, other_process)))
    database.settings.prompt_token_price = 0.5
    (today,) = (await get_usage(database, tenant.number, 30)).days
    assert today.day == datetime.now(UTC).date()
    assert (today.records, today.bytes, today.requests, today.searches) == (1, 5, 10, 20)
    assert (today.prompt_tokens, today.cost) == (10_000_000, 5.0)
    assert (await get_usage(database, other_tenant.number, 30)).days == []
    with pytest.raises(MunimentError, match="days must be"):
        await get_usage(database, tenant.number, 0)


async def test_what_is_noted_every_few_seconds_counts_before_it_is_added_up(database: Database, tenant: Tenant) -> None:
    database.settings.usage_period = 0.02
    for noted in (0, 1, 2):  # the first is added up with its note
        database.usage.count(tenant.number, searches=1)
        async with asyncio.timeout(10):
            while await _entries(database, tenant) < noted or database.usage._counts:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        (today,) = (await get_usage(database, tenant.number, 1)).days
        assert today.searches == noted + 1
    assert await _entries(database, tenant) == 2
    await database.usage.close()
    assert await _entries(database, tenant) == 2  # nothing was left to note
    database.usage._closed = False
    database.usage.count(tenant.number, searches=1)
    await database.usage.note()
    assert await _entries(database, tenant) == 0


async def test_models_are_not_asked_when_they_took_what_they_may(database: Database, tenant: Tenant) -> None:
    await put_quota(database, tenant.number, QuotaChange(model_tokens_per_day=100))
    await database.quotas.require_model_tokens(tenant.number)
    database.usage.count(tenant.number, prompt_tokens=90, completion_tokens=10)
    await database.usage.note()
    with pytest.raises(MunimentError) as caught:
        await database.quotas.require_model_tokens(tenant.number)
    assert (caught.value.code, caught.value.kind.status) == ("quota.model_tokens_exceeded", 429)
    assert 0 < caught.value.facts["retry_after"] <= 86_400


async def test_an_analyst_sees_the_usage_of_its_own_tenant(
    database: Database, writer: Writer, tenant: Tenant, other_tenant: Tenant, admin: AsyncEngine
) -> None:
    await write(writer, tenant, "chat", "hello")
    await write(writer, other_tenant, "chat", "a", "b")
    async with admin.begin() as connection:
        await connection.execute(text("create role usage_reader login in role muniment_analyst"))
        try:
            await connection.execute(
                text("insert into muniment_auth.sql_login (tenant_id, login) values (:tenant, 'usage_reader')"),
                {"tenant": tenant.number},
            )
            await connection.execute(text("set session authorization usage_reader"))
            rows = (await connection.execute(text("select records, bytes from analytics.quota_usage"))).all()
        finally:
            await connection.execute(text("reset session authorization"))
        await connection.rollback()
    assert [tuple(row) for row in rows] == [(1, 5)]
