"""The handlers: what is stored without vectors gets them, whatever fails in between, and twice does no harm."""

from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from sqlalchemy import create_engine, text

from muniment.database.pool import Database
from muniment.jobs.context import JobContext
from muniment.jobs.embedding import BATCH, embed, resume
from muniment.jobs.handlers import EMBEDDING_KINDS, HANDLERS, handlers_for
from muniment.jobs.linking import link
from muniment.jobs.merging import merge
from muniment.jobs.runner import JobRunner
from muniment.log.writer import Writer
from muniment.model.message import Message
from muniment.model.namespace import Namespace
from muniment.providers.models import register_model
from muniment.queue import enqueue
from muniment.settings import Settings
from muniment.tenancy.tenants import Tenant
from word_embedder import WordEmbedder

Rows = Callable[[str], list[tuple[Any, ...]]]


@pytest.fixture
def rows(admin_url: str) -> AsyncIterator[Rows]:
    """Runs a statement as the administrator."""
    engine = create_engine(admin_url)

    def run(statement: str) -> list[tuple[Any, ...]]:
        with engine.begin() as connection:
            result = connection.execute(text(statement))
            return [tuple(row) for row in result] if result.returns_rows else []

    yield run
    engine.dispose()


class Bench:
    """A writer and a runner over one database and one embedder."""

    def __init__(self, database: Database, tenant: Tenant, embedder: WordEmbedder, model_no: int) -> None:
        settings = database.settings
        self.tenant = tenant.number
        self.embedder = embedder
        self.context = JobContext(database, settings, embedder, model_no)
        self.writer = Writer(database, embedder, model_no, settings)
        self.runner = JobRunner(database, handlers_for(embedding=True), settings, embedder=embedder, model_no=model_no)

    async def say(self, *contents: str, group: str = "chat", **options: Any) -> None:
        messages = [Message(role="user", content=content) for content in contents]
        await self.writer.ingest_messages(self.tenant, Namespace(user_id="maya"), messages, group_id=group, **options)


@pytest.fixture
async def bench(app_url: str, settings: Settings, tenant: Tenant) -> AsyncIterator[Bench]:
    quick = settings.model_copy(update={"job_retry_delay": 0.01, "embed_inline_limit": 0})
    database = Database(app_url, quick)
    embedder = WordEmbedder()
    yield Bench(database, tenant, embedder, await register_model(database, embedder))
    await database.close()


def _counts(rows: Rows) -> tuple[Any, ...]:
    return rows(
        "select (select count(*) from muniment.record_content), (select count(*) from muniment.embedding), "
        "(select count(*) from muniment.embedding_pending), (select count(*) from muniment.similarity_linked), "
        "(select count(*) from muniment_jobs.queue)"
    )[0]


async def test_records_stored_without_vectors_get_them_and_are_linked(bench: Bench, rows: Rows) -> None:
    await bench.say(*(f"the ferry to pier {n} leaves at noon" for n in range(BATCH + 3)))
    assert _counts(rows)[:3] == (BATCH + 3, 0, BATCH + 3)
    await bench.runner.drain()
    assert _counts(rows) == (BATCH + 3, BATCH + 3, 0, BATCH + 3, 0)
    assert rows("select count(*) > 100 from muniment.similarity") == [(True,)]


async def test_running_a_job_again_changes_nothing_and_embeds_nothing(bench: Bench, rows: Rows) -> None:
    await bench.say("red fish", "blue fish", "red boat")
    await bench.runner.drain()
    records = [record for (record,) in rows("select record_no from muniment.record_content order by 1")]
    before = rows("select record_no, neighbour_no, weight from muniment.similarity order by 1, 2")
    embedded = len(bench.embedder.texts)
    assert await embed(bench.context, bench.tenant, {"records": records}) == {"embedded": 0}
    await link(bench.context, bench.tenant, {"records": records})
    assert len(bench.embedder.texts) == embedded
    assert rows("select record_no, neighbour_no, weight from muniment.similarity order by 1, 2") == before


async def test_while_the_model_is_away_records_wait_and_lose_nothing(bench: Bench, rows: Rows) -> None:
    bench.embedder.available = False
    await bench.say("a first word", "a second word")
    await bench.runner.drain()
    assert _counts(rows) == (2, 0, 2, 0, 1)
    ((error,),) = rows("select error from muniment.job where kind = 'embed'")
    assert error == "provider.unavailable: the model cannot be reached"
    bench.embedder.available = True
    rows("update muniment_jobs.queue set run_at = now()")
    await bench.runner.drain()
    assert _counts(rows) == (2, 2, 0, 2, 0)


async def test_a_sweep_embeds_all_that_waits_in_every_space(bench: Bench, rows: Rows) -> None:
    await bench.say("in mayas space", wait="lexical")
    messages = [Message(role="user", content="in another space")]
    await bench.writer.ingest_messages(
        bench.tenant, Namespace(user_id="noah"), messages, group_id="chat", wait="lexical"
    )
    rows("delete from muniment_jobs.queue")
    async with bench.context.database.scope(bench.tenant) as scope:
        await enqueue(scope, "embed", {})
    await bench.runner.drain()
    assert _counts(rows) == (2, 2, 0, 2, 0)


async def test_records_whose_jobs_died_are_swept_at_the_next_opening_and_others_left_to_their_jobs(
    bench: Bench, rows: Rows
) -> None:
    await bench.say("left behind", wait="lexical")
    await resume(bench.context.database, bench.tenant)
    assert rows("select count(*) from muniment_jobs.queue") == [(1,)]
    rows("update muniment_jobs.queue set state = 'dead'")
    await resume(bench.context.database, bench.tenant)
    await resume(bench.context.database, bench.tenant)
    assert rows("select state, count(*) from muniment_jobs.queue group by 1 order by 1") == [("dead", 1), ("queued", 1)]
    await bench.runner.drain()
    assert _counts(rows)[:4] == (1, 1, 0, 1)


async def test_a_record_erased_while_its_job_waits_is_left_out(bench: Bench, rows: Rows) -> None:
    await bench.say("stays", "goes away")
    rows("delete from muniment.record_content where text = 'goes away'")
    await bench.runner.drain()
    assert _counts(rows) == (1, 1, 0, 1, 0)
    assert "goes away" not in bench.embedder.texts


async def test_an_embedding_job_sees_nothing_of_another_tenant(bench: Bench, other_tenant: Tenant, rows: Rows) -> None:
    await bench.say("private words")
    records = [record for (record,) in rows("select record_no from muniment.record_content")]
    assert await embed(bench.context, other_tenant.number, {"records": records}) == {"embedded": 0}
    assert await embed(bench.context, other_tenant.number, {}) == {"embedded": 0}
    assert bench.embedder.texts == []


async def test_merging_empties_the_tail_of_its_space_alone_and_keeps_every_posting(bench: Bench, rows: Rows) -> None:
    for n in range(5):
        await bench.say(f"word{n} shared", group=f"chat {n}")
    messages = [Message(role="user", content="elsewhere")]
    await bench.writer.ingest_messages(bench.tenant, Namespace(user_id="noah"), messages, group_id="chat")
    ((space,),) = rows("select space_id from muniment.space where user_id = 'maya'")
    tail = """select t.space_id, u.term, u.record_no, u.tf
                from muniment.posting_tail t, muniment.unpack_tail(t.terms, t.ends, t.records, t.counts, t.lengths) u"""
    block = "select space_id, term, unnest(records), unnest(counts) from muniment.posting_block where term <> ''"
    before = sorted(rows(tail))
    result = await merge(bench.context, bench.tenant, {"space": space})
    assert result["merged"] >= 2
    assert sorted(rows(block)) == [posting for posting in before if posting[0] == space]
    assert sorted(rows(tail)) == [posting for posting in before if posting[0] != space] != []
    assert await merge(bench.context, bench.tenant, {"space": space}) == {"merged": 0}


def test_a_process_without_a_model_leaves_its_jobs_to_one_that_has_it() -> None:
    assert set(handlers_for(embedding=False)) == set(HANDLERS) - EMBEDDING_KINDS
    assert set(handlers_for(embedding=True)) == set(HANDLERS)
