"""Facts of new records come by jobs, each record once, and every record ends in a counted state."""

from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import text

from muniment.database.pool import Database
from muniment.extraction.rules.extractor import EXTRACTOR
from muniment.jobs import extraction
from muniment.jobs.administration import cancel_job, list_jobs, requeue_job
from muniment.jobs.extraction import extract
from muniment.jobs.handlers import JobContext
from muniment.jobs.runner import JobRunner
from muniment.log.extraction import ask_for_facts
from muniment.log.lifecycle import forget, undo
from muniment.log.sources import list_sources
from muniment.log.validate import validate
from muniment.log.writer import Writer
from muniment.model.message import Message
from muniment.model.namespace import Namespace
from muniment.model.source import ExtractionCounts, SourceInput
from muniment.settings import Settings
from muniment.tenancy.tenants import Tenant

MAYA = Namespace(project_id="release", user_id="maya")


def settings_with(settings: Settings, **changes: Any) -> Settings:
    return settings.model_copy(update=changes)


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings_with(settings, extraction="rules")


@pytest.fixture
def writer(database: Database, settings: Settings) -> Writer:
    return Writer(database, None, None, settings)


def said(content: str, at: datetime | None = None, speaker: str = "Maya") -> Message:
    return Message(speaker=speaker, content=content, at=at)


async def drain(database: Database, settings: Settings) -> None:
    runner = JobRunner(database, {"extract": extract}, settings)
    await runner.drain()


async def facts(database: Database, tenant: Tenant) -> list[tuple[Any, ...]]:
    statement = """
      select f.subject, f.relation, f.object, f.kind, f.event_from, f.event_to, f.said_at
        from muniment.fact f join muniment.liveness l using (tenant_id, record_no)
       where l.live_to_commit is null order by f.record_no"""
    async with database.scope(tenant.number) as scope:
        return [tuple(row) for row in (await scope.connection.execute(text(statement))).all()]


async def counted(database: Database, tenant: Tenant, key: str) -> dict[str, ExtractionCounts]:
    sources, _ = await list_sources(database, tenant.number, MAYA)
    return next(source.extraction for source in sources if source.source_key == key)


async def test_every_record_ends_in_a_counted_state(
    writer: Writer, database: Database, tenant: Tenant, settings: Settings
) -> None:
    turns = [said("I live in Lisbon and I like tea."), said("How are you?"), said("I work at Northwind.")]
    await writer.ingest_messages(tenant.number, MAYA, turns, group_id="chat")
    assert await counted(database, tenant, "chat") == {"rules": ExtractionCounts(pending=3)}
    await drain(database, settings)
    assert await counted(database, tenant, "chat") == {"rules": ExtractionCounts(facts=2, none=1, found=3)}
    assert len(await facts(database, tenant)) == 3
    assert (await validate(database, tenant.number)).findings == []


async def test_a_job_run_twice_adds_nothing(
    writer: Writer, database: Database, tenant: Tenant, settings: Settings
) -> None:
    await writer.ingest_messages(tenant.number, MAYA, [said("I live in Lisbon."), said("Hi.")], group_id="chat")
    async with database.scope(tenant.number) as scope:
        found = text("select arguments from muniment.job where kind = 'extract'")
        (arguments,) = (await scope.connection.execute(found)).scalars()
    context = JobContext(database, settings)
    assert await extract(context, tenant.number, arguments) == {"facts": 1}
    assert await extract(context, tenant.number, arguments) == {"facts": 0}
    assert len(await facts(database, tenant)) == 1


async def test_a_record_that_cannot_be_read_fails_alone(
    writer: Writer, database: Database, tenant: Tenant, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = extraction.statements_of

    def fragile(turn: Any, before: Any = ()) -> Any:
        if "poison" in turn.text:
            raise RecursionError
        return whole(turn, before)

    monkeypatch.setattr(extraction, "statements_of", fragile)
    turns = [said("I live in Lisbon."), said("I like poison."), said("I like tea.")]
    await writer.ingest_messages(tenant.number, MAYA, turns, group_id="chat")
    await drain(database, settings)
    expected = ExtractionCounts(facts=2, failed=1, found=2, reasons={"extraction.rules_failed": 1})
    assert await counted(database, tenant, "chat") == {"rules": expected}


async def test_documents_give_facts_too_and_code_none(
    writer: Writer, database: Database, tenant: Tenant, settings: Settings
) -> None:
    await writer.ingest_sources(
        tenant.number,
        MAYA,
        [
            SourceInput(kind="text", text="Liam Vance leads Project Atlas.\n\nAna works at Acme.", source_key="memo"),
            SourceInput(kind="text", text="def f():\n    # Ana works at Acme.\n    pass\n", source_key="f.py"),
        ],
    )
    await drain(database, settings)
    assert {each[:3] for each in await facts(database, tenant)} >= {
        ("Liam Vance", "lead_of", "Project Atlas"),
        ("Ana", "works_at", "Acme"),
    }


async def test_switched_off_nothing_is_noted(database: Database, tenant: Tenant, settings: Settings) -> None:
    database.settings = settings_with(settings, extraction="off")
    writer = Writer(database, None, None, database.settings)
    await writer.ingest_messages(tenant.number, MAYA, [said("I live in Lisbon.")], group_id="chat")
    assert await counted(database, tenant, "chat") == {}


async def test_what_was_never_read_or_read_by_earlier_rules_is_read_on_request(
    writer: Writer, database: Database, tenant: Tenant, settings: Settings
) -> None:
    database.settings = settings_with(settings, extraction="off")
    turns = [said("I live in Lisbon."), said("I like tea."), said("Hi.")]
    await writer.ingest_messages(tenant.number, MAYA, turns, group_id="chat")
    assert await ask_for_facts(database, tenant.number, "rules", EXTRACTOR) == 3
    await drain(database, settings)
    assert await counted(database, tenant, "chat") == {"rules": ExtractionCounts(facts=2, none=1, found=2)}
    assert await ask_for_facts(database, tenant.number, "rules", EXTRACTOR) == 0
    async with database.scope(tenant.number) as scope:  # as if earlier rules had found something wrong in the last
        earlier = """update muniment.extraction set extractor = 'rules:0', state = 'facts', facts = 1
                      where record_no = (select max(record_no) from muniment.extraction)"""
        await scope.connection.execute(text(earlier))
    assert await ask_for_facts(database, tenant.number, "rules", EXTRACTOR) == 1
    await drain(database, settings)
    assert await counted(database, tenant, "chat") == {"rules": ExtractionCounts(facts=2, none=1, found=2)}
    assert len(await facts(database, tenant)) == 2


def march(day: int, hour: int = 0) -> datetime:
    return datetime(2026, 3, day, hour, tzinfo=UTC)


async def test_the_release_story_has_its_events_on_their_days_and_its_words_on_theirs(
    writer: Writer, database: Database, tenant: Tenant, settings: Settings
) -> None:
    """A failure on March 10, discussed on March 12, and a rule that is replaced on March 18."""
    discussed, replaced = march(12, 9), march(18, 9)
    turns = [
        said("The rollback test failed on March 10.", discussed, "Ana"),
        said("The release was postponed today because of that.", discussed, "Liam"),
        said("The launch requires rollback verification.", discussed, "Liam"),
        said("Starting today, the launch requires rollback verification in a production-like setup.", replaced, "Liam"),
    ]
    for turn in turns:
        await writer.ingest_messages(tenant.number, MAYA, [turn], group_id="release")
    await drain(database, settings)
    assert await facts(database, tenant) == [
        ("rollback test", "status", "failed", "event", march(10), march(11), discussed),
        ("release", "status", "postponed", "event", march(12), march(13), discussed),
        ("launch", "requires", "rollback verification", "statement", None, None, discussed),
        (
            "launch", "requires", "rollback verification in a production-like setup", "statement", march(18), None,
            replaced,
        ),
    ]  # fmt: skip


async def test_what_a_job_that_died_was_to_read_counts_as_failed_until_it_is_requeued(
    writer: Writer, database: Database, tenant: Tenant, settings: Settings
) -> None:
    async def failing(_context: JobContext, _tenant: int, _arguments: dict[str, Any]) -> dict[str, Any]:
        raise ValueError("a fault of the program")

    await writer.ingest_messages(tenant.number, MAYA, [said("I live in Lisbon."), said("Ok.")], group_id="chat")
    await JobRunner(database, {"extract": failing}, settings_with(settings, job_max_attempts=1)).drain()
    assert await counted(database, tenant, "chat") == {"rules": ExtractionCounts(failed=2, reasons={"job.dead": 2})}
    (job,) = (await list_jobs(database, tenant.number, state="dead")).jobs
    await requeue_job(database, tenant.number, job.id)
    assert await counted(database, tenant, "chat") == {"rules": ExtractionCounts(pending=2)}
    await drain(database, settings)
    assert await counted(database, tenant, "chat") == {"rules": ExtractionCounts(facts=1, none=1, found=1)}


async def test_what_a_cancelled_job_was_to_read_counts_as_failed_and_can_be_asked_for_again(
    writer: Writer, database: Database, tenant: Tenant, settings: Settings
) -> None:
    await writer.ingest_messages(tenant.number, MAYA, [said("I live in Lisbon."), said("Hi.")], group_id="chat")
    (job,) = (await list_jobs(database, tenant.number, kind="extract")).jobs
    await cancel_job(database, tenant.number, job.id)
    assert await counted(database, tenant, "chat") == {
        "rules": ExtractionCounts(failed=2, reasons={"job.cancelled": 2})
    }
    assert await ask_for_facts(database, tenant.number, "rules", EXTRACTOR) == 2
    await drain(database, settings)
    assert await counted(database, tenant, "chat") == {"rules": ExtractionCounts(facts=1, none=1, found=1)}


async def test_what_was_forgotten_before_it_was_read_is_read_once_it_counts_again(
    writer: Writer, database: Database, tenant: Tenant, settings: Settings
) -> None:
    written = await writer.ingest_messages(tenant.number, MAYA, [said("I live in Narvik.")], group_id="chat")
    forgotten = await forget(database, tenant.number, written.items[0].record_ids or [], "too early")
    await drain(database, settings)
    assert await facts(database, tenant) == []
    assert forgotten.commit is not None

    await undo(database, tenant.number, forgotten.commit, "it was right")
    await drain(database, settings)

    assert [row[:3] for row in await facts(database, tenant)] == [("Maya", "lives_in", "Narvik")]
    assert await counted(database, tenant, "chat") == {"rules": ExtractionCounts(facts=1, found=1)}
