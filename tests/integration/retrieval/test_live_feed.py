"""The live feed: runs told to listeners while they go."""

import asyncio

import pytest
from asking import LAUNCH, LAUNCH_QUESTION, ask, search, write_text

from muniment.errors import MunimentError
from muniment.log.writer import Writer
from muniment.retrieval.engine import Retriever
from muniment.retrieval.feed import MOST_LISTENERS, MOST_WAITING
from muniment.tenancy.tenants import Tenant

SOON = 5.0


async def test_a_listener_hears_a_run_from_its_start_to_its_end_and_no_other_tenant_does(
    writer: Writer, retriever: Retriever, tenant: Tenant, other_tenant: Tenant
) -> None:
    await write_text(writer, tenant, LAUNCH, "launch-memo")
    feed = retriever.feed
    with feed.listen(tenant.number) as mine, feed.listen(other_tenant.number) as theirs:
        result = await ask(retriever, tenant, LAUNCH_QUESTION)
        events = []
        while not events or events[-1].type != "finished":
            event = await mine.next(SOON)
            assert event is not None and event.id == result.query_id
            events.append(event)
        assert await theirs.next(0.01) is None
    assert (events[0].type, events[0].question, events[0].mode) == ("started", LAUNCH_QUESTION, "query")
    stages = [event for event in events if event.type == "stage"]
    assert [stage.number for stage in stages] == list(range(1, len(stages) + 1))
    assert [stages[0].name, stages[-1].name] == ["plan", "answer"]
    assert (events[-1].hits, events[-1].abstain) == (1, False)
    assert 0 < max(stage.duration_ms or 0 for stage in stages) <= (events[-1].duration_ms or 0)
    assert not feed.runs(tenant.number, result.query_id)


async def test_a_run_that_goes_on_is_followed_from_its_beginning(retriever: Retriever, tenant: Tenant) -> None:
    feed = retriever.feed
    with feed.listen(tenant.number) as listening:
        asking = asyncio.create_task(search(retriever, tenant, LAUNCH_QUESTION))
        started = await listening.next(SOON)
        assert started is not None and started.id is not None
        assert (await listening.next(SOON)) is not None  # its first stage is over
        types = []
        with feed.follow(tenant.number, started.id) as following:
            assert following is not None
            while not types or types[-1] != "finished":
                event = await following.next(SOON)
                assert event is not None
                types.append(event.type)
        await asking
    assert types[:2] == ["started", "stage"]
    with feed.follow(tenant.number, started.id) as following:
        assert following is None


async def test_a_listener_that_lags_behind_is_told_how_much_it_lost(retriever: Retriever, tenant: Tenant) -> None:
    with retriever.feed.listen(tenant.number) as listening:
        for _ in range(MOST_WAITING // 5):  # a search has more than five events
            await search(retriever, tenant, LAUNCH_QUESTION)
        events = []
        while (event := await listening.next(0.01)) is not None:
            events.append(event)
    assert [event.type for event in events].count("gap") == 1 and events[-1].type == "gap"
    assert len(events) == MOST_WAITING + 1 and events[-1].lost and events[-1].lost > 0


async def test_a_run_that_fails_is_told_with_its_code(retriever: Retriever, tenant: Tenant) -> None:
    with retriever.feed.listen(tenant.number) as listening:
        with pytest.raises(MunimentError):
            await search(retriever, tenant, LAUNCH_QUESTION, known_at=99)
        started, failed = await listening.next(SOON), await listening.next(SOON)
    assert started is not None and failed is not None
    assert (failed.type, failed.error, failed.id) == ("failed", "input.invalid", started.id)


async def test_only_so_many_listen_to_a_tenant(retriever: Retriever, tenant: Tenant) -> None:
    opened = [retriever.feed.listen(tenant.number) for _ in range(MOST_LISTENERS + 1)]
    for each in opened[:-1]:
        each.__enter__()
    with pytest.raises(MunimentError) as caught:
        opened[-1].__enter__()
    assert caught.value.code == "feed.full"
    opened[0].__exit__(None, None, None)
    with retriever.feed.listen(tenant.number):
        pass
    for each in opened[1:-1]:
        each.__exit__(None, None, None)
