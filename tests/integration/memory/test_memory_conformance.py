"""One suite for every way to a memory: the store in this process, and a server's REST API."""

import asyncio
import base64
from collections.abc import AsyncIterator
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
from pydantic import SecretStr

from muniment.api.app import create_app
from muniment.errors import MunimentError
from muniment.log.proofs import verify_record_proof
from muniment.memory import AsyncMuniment
from muniment.memory.local import LocalMuniment
from muniment.memory.remote import RemoteMuniment
from muniment.model.message import Message
from muniment.model.namespace import Namespace
from muniment.model.source import SourceInput
from muniment.runtime import open_runtime
from muniment.settings import Settings
from muniment.tenancy.keys import create_key
from muniment.tenancy.principal import SCOPES

MAYA = Namespace(project_id="atlas-core", user_id="maya")
NOAH = Namespace(project_id="atlas-core", user_id="noah")
CHAT = [
    {"role": "Alex", "content": "Maya, who will serve as the tech lead for Project Atlas?"},
    {"role": "Maya", "content": "Liam Vance is assigned as the tech lead starting Monday."},
]


@pytest.fixture
def store_settings(admin_url: str, tmp_path: Path) -> Settings:
    """A store without an embedding model, in a database of the test's own."""
    return Settings(
        database_url=SecretStr(admin_url), data_dir=tmp_path / "store", embedding_provider="none", pool_size=4
    )


@pytest.fixture(params=["local", "remote"])
async def memory(request: pytest.FixtureRequest, store_settings: Settings) -> AsyncIterator[AsyncMuniment]:
    if request.param == "local":
        async with LocalMuniment(store_settings, MAYA) as opened:
            yield opened
        return
    async with open_runtime(store_settings, run_jobs=True) as runtime:
        app = create_app(store_settings, nullcontext(runtime))
        app.state.runtime = runtime  # what the lifespan does, which must end in the task that began it
        key = await create_key(runtime.database, runtime.tenant.number, "test", SCOPES)
        transport = httpx.ASGITransport(app=app)
        async with RemoteMuniment("http://server", key.secret, MAYA, 60.0, transport=transport) as opened:
            yield opened


async def _error(awaitable: Any) -> MunimentError:
    with pytest.raises(MunimentError) as caught:
        await awaitable
    return caught.value


async def test_facts_come_of_what_is_said_and_are_asked_for_anew(memory: AsyncMuniment) -> None:
    await memory.ingest_messages(messages=CHAT, group_id="chat:facts")
    for _ in range(200):
        (source,) = await memory.sources()
        if not source.extraction["rules"].pending:
            break
        await asyncio.sleep(0.05)
    counts = source.extraction["rules"]
    assert (counts.pending, counts.facts + counts.none, counts.failed) == (0, 2, 0)
    assert len((await memory.records(kind="fact")).records) == counts.found
    assert (await memory.extract()).records == 0
    assert (await _error(memory.extract("model"))).code == "input.invalid"


async def test_a_policy_is_set_and_holds_for_what_comes_in(memory: AsyncMuniment) -> None:
    assert (await memory.policy()).commit == 0
    made = await memory.put_policy(
        classes={"email": {"ingest": "mask"}, "phone": {"ingest": "mark", "answer": "withhold"}},
        retention=[{"days": 30, "action": "erase", "sensitive": "phone"}, {"days": 400.5, "action": "close"}],
        reason="the new rules",
    )
    assert (await memory.policy()) == made == (await memory.policies())[0]
    assert (made.reason, made.classes["phone"].answer, made.retention[1].days) == ("the new rules", "withhold", 400.5)
    run = await memory.ingest(SourceInput(kind="text", text="Mail maya@example.com or call +49 30 901820."))
    assert (await memory.record(run.items[0].record_ids[0])).text == "Mail [email] or call +49 30 901820."
    assert (await memory.search("call")).hits[0].text == "Mail [email] or call [phone]."
    wrong: list[dict[str, Any]] = [
        {"classes": {"shoe_size": {}}}, {"classes": {"email": {"ingest": "eat"}}}, {"retention": [{"days": 0}]},
        {"retention": [{"days": 1, "action": "burn"}]}, {"classes": {"email": {"ingets": "mask"}}},
        {"retention": [{"days": 1, "action": "close", "sensitive": "email"}]}, {"reason": ""},
    ]  # fmt: skip
    for each in wrong:
        assert (await _error(memory.put_policy(**({"reason": "x"} | each)))).code.startswith("input."), each
    assert (await memory.put_policy(reason="no more")).classes == {}
    run = await memory.ingest(SourceInput(kind="text", text="Mail noah@example.com."))
    assert (await memory.record(run.items[0].record_ids[0])).text == "Mail noah@example.com."


async def test_what_was_asked_can_be_looked_up_explained_and_made_again(memory: AsyncMuniment) -> None:
    await memory.ingest_messages(messages=CHAT, group_id="chat:sync-9")
    found = await memory.search("tech lead of Atlas", top_k=1)
    page = await memory.query_runs(limit=1)
    assert [run.id for run in page.runs] == [found.query_id]
    run = await memory.query_run(found.query_id)
    assert [hit.record_id for hit in run.hits] == [hit.record_id for hit in found.hits]
    assert run.stages[0].name == "plan" and run.stages[0].detail is None
    (told,) = (await memory.explain(found.query_id)).hits
    assert sum(part.contribution for part in told.parts) == pytest.approx(found.hits[0].score, abs=1e-6)
    records = (await memory.records()).records
    (other,) = [record.id for record in records if record.id != told.record_id]
    fallen = (await memory.explain(found.query_id, other)).record
    assert fallen is not None and fallen.fell == "below_the_cut"
    again = await memory.replay(found.query_id)
    assert {each.reason for each in again.differences} <= {"derived", "edges"}  # derived while it was asked
    assert again.identical == (not again.differences) and again.hits[0].record_id == told.record_id
    assert (await _error(memory.query_run("q_nothing"))).code == "run.not_found"
    assert (await _error(memory.explain(found.query_id, "d_nothing"))).code == "record.not_found"


async def test_what_was_said_is_found_and_cited(memory: AsyncMuniment) -> None:
    run = await memory.ingest_messages(messages=CHAT, group_id="chat:sync-9")
    assert (run.state, run.kind, run.items[0].records) == ("succeeded", "messages", 2)
    found = await memory.search("tech lead of Atlas", top_k=1)
    assert len(found.hits) == 1
    assert found.hits[0].group_id == "chat:sync-9"
    result = await memory.query("Who is the tech lead for Project Atlas?")
    assert not result.abstain
    assert "Liam Vance" in result.answer
    record = await memory.record(result.citations[0].record_id)
    assert result.citations[0].excerpt in (record.text or "")
    assert record.namespace == MAYA
    assert record.locator == result.citations[0].locator


async def test_a_file_is_ingested_by_its_path_under_its_key(memory: AsyncMuniment, tmp_path: Path) -> None:
    path = tmp_path / "q3-brief.md"
    path.write_text("# Brief\n\nAtlas launches on 14 October 2026.\n", encoding="utf-8")
    run = await memory.ingest(SourceInput(kind="file", path=path, source_key="doc:q3-brief"))
    assert run.items[0].state == "stored"
    source = await memory.source(run.items[0].source_id or "")
    assert (source.source_key, source.versions[0].filename) == ("doc:q3-brief", "q3-brief.md")
    assert [item.source_key for item in await memory.sources()] == ["doc:q3-brief"]
    again = await memory.ingest(SourceInput(kind="file", path=path, source_key="doc:q3-brief"))
    assert again.items[0].state == "unchanged"
    named = await memory.ingest(SourceInput(kind="file", path=path))
    assert named.items[0].source_key == "q3-brief.md"


async def test_bytes_in_base64_are_a_file_too(memory: AsyncMuniment) -> None:
    content = base64.b64encode(b"Maya announced Liam Vance as tech lead.").decode()
    run = await memory.ingest(SourceInput(kind="file", filename="notes.md", content_base64=content))
    assert run.items[0].state == "stored"


async def test_a_single_source_that_fails_raises_unless_told_not_to(memory: AsyncMuniment) -> None:
    empty = SourceInput(kind="text", text="   ", source_key="empty")
    error = await _error(memory.ingest(empty))
    assert (error.code, error.facts["index"]) == ("input.empty_text", 0)
    run = await memory.ingest(empty, raise_on_failure=False)
    assert run.state == "failed"
    assert run.items[0].error is not None
    assert run.items[0].error.code == "input.empty_text"


async def test_of_several_sources_each_succeeds_or_fails_alone(memory: AsyncMuniment) -> None:
    sources = [
        SourceInput(kind="text", text="Atlas ships.", source_key="a"),
        SourceInput(kind="url", url="http://127.0.0.1/handbook"),
        SourceInput(kind="text", text="Atlas floats.", source_key="b"),
    ]
    run = await memory.ingest(sources)
    assert [item.state for item in run.items] == ["stored", "failed", "stored"]
    assert run.state == "partial"
    error = await _error(memory.ingest(sources, raise_on_failure=True))
    assert (error.code, error.facts["index"]) == ("source.url_refused", 1)
    assert (await memory.run(run.id)).model_dump() == run.model_dump()
    assert run.id in [known.id for known in await memory.runs()]


async def test_a_file_that_cannot_be_read_is_said_so(memory: AsyncMuniment, tmp_path: Path) -> None:
    error = await _error(memory.ingest(SourceInput(kind="file", path=tmp_path / "missing.md")))
    assert error.code == "source.unreadable"
    assert str(tmp_path) not in error.detail


async def test_messages_come_as_mappings_or_messages_and_a_bad_one_is_named(memory: AsyncMuniment) -> None:
    at = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)
    given = [Message(role="Maya", content="First.", at=at), {"speaker": "Alex", "content": "Second.", "id": "m2"}]
    run = await memory.ingest_messages(given, group_id="chat")
    first, second = [await memory.record(record) for record in run.items[0].record_ids]
    assert (first.said_at, first.role, second.speaker) == (at, "Maya", "Alex")
    for bad, code in [
        ({"role": "Maya"}, "input.message_invalid"),
        ({"content": "who?"}, "input.message_invalid"),
        ({"role": "Maya", "content": "x", "mood": "good"}, "input.message_invalid"),
        ({"role": "Maya", "content": " "}, "input.empty_text"),
        ({"role": "Maya", "content": "x", "at": "2026-03-01T09:30:00"}, "input.time_without_zone"),
        ({"role": "Maya", "content": "half \ud83d"}, "input.encoding_invalid"),
    ]:
        error = await _error(memory.ingest_messages([given[0], bad], group_id="bad"))
        assert error.code == code, bad
    assert (await _error(memory.ingest_messages([], group_id="bad"))).code.startswith("input.")
    assert (await _error(memory.ingest_messages("text", group_id="bad"))).code == "input.message_invalid"
    assert (await memory.records(group_id="bad")).records == []


async def test_records_come_in_pages_in_the_order_of_the_log(memory: AsyncMuniment) -> None:
    turns = [{"role": "Maya", "content": f"Turn {n}."} for n in range(7)]
    await memory.ingest_messages(turns, group_id="talk")
    await memory.ingest_messages(CHAT, group_id="other")
    seen: list[str | None] = []
    cursor: str | None = None
    while True:
        page = await memory.records(limit=3, cursor=cursor, group_id="talk")
        seen += [record.text for record in page.records]
        cursor = page.next
        if cursor is None:
            break
    assert seen == [f"Turn {n}." for n in range(7)]
    assert len((await memory.records()).records) == 9


async def test_closed_records_are_listed_where_asked_for(memory: AsyncMuniment) -> None:
    for text in ("Old plan.", "New plan."):
        await memory.ingest(SourceInput(kind="text", text=text, source_key="plan"))
    assert [record.text for record in (await memory.records()).records] == ["New plan."]
    both = (await memory.records(include_closed=True)).records
    assert [(record.text, record.live) for record in both] == [("Old plan.", False), ("New plan.", True)]
    page = await memory.records(source_id=both[0].source_id)
    assert len(page.records) == 1


async def test_a_call_may_name_another_namespace_and_sees_nothing_else(memory: AsyncMuniment) -> None:
    await memory.ingest_messages(CHAT, group_id="chat")
    await memory.ingest(SourceInput(kind="text", text="Noah sails."), namespace=NOAH)
    assert len((await memory.records(namespace=NOAH)).records) == 1
    assert len((await memory.records()).records) == 2
    assert len((await memory.records(namespace=Namespace(project_id="atlas-core"))).records) == 3
    assert [hit.text for hit in (await memory.search("who sails", namespace=NOAH)).hits] == ["Noah sails."]
    assert (await memory.search("sails")).hits == [] or "Noah" not in (await memory.search("sails")).hits[0].text
    assert (await memory.query("Who sails?", namespace=Namespace(user_id="nobody"))).abstain
    assert len(await memory.sources(namespace=NOAH)) == 1


async def test_a_write_under_one_key_is_done_once(memory: AsyncMuniment) -> None:
    first = await memory.ingest_messages(CHAT, group_id="chat", idempotency_key="once")
    second = await memory.ingest_messages(CHAT, group_id="chat", idempotency_key="once")
    assert second.id == first.id
    assert len((await memory.records()).records) == 2
    error = await _error(memory.ingest_messages(CHAT[:1], group_id="chat", idempotency_key="once"))
    assert error.code == "idempotency.mismatch"


@pytest.mark.parametrize("key", ["", " ", "ключ", "a\nb", "k" * 256])
async def test_a_key_that_cannot_be_one_is_refused(memory: AsyncMuniment, key: str) -> None:
    error = await _error(memory.ingest_messages(CHAT, group_id="chat", idempotency_key=key))
    assert error.code == "idempotency.key_invalid"


@pytest.mark.parametrize("identifier", ["d_" + "0" * 32, "nonsense", "", "../runs", "d_%2f", "s_\x00"])
async def test_what_is_not_there_is_not_found(memory: AsyncMuniment, identifier: str) -> None:
    assert (await _error(memory.record(identifier))).code == "record.not_found"
    assert (await _error(memory.proof(identifier))).code == "record.not_found"
    assert (await _error(memory.source(identifier))).code == "source.not_found"
    assert (await _error(memory.run(identifier))).code == "run.not_found"
    assert (await _error(memory.retry(identifier))).code == "run.not_found"


async def test_a_run_without_failures_has_nothing_to_retry(memory: AsyncMuniment) -> None:
    run = await memory.ingest(SourceInput(kind="text", text="Fine."))
    assert (await _error(memory.retry(run.id))).code == "source.retry_impossible"


@pytest.mark.parametrize("top_k", [0, -1, 101, 10**9])
async def test_a_number_of_hits_out_of_bounds_is_refused(memory: AsyncMuniment, top_k: int) -> None:
    assert (await _error(memory.search("Atlas", top_k=top_k))).code.startswith("input.")
    assert (await _error(memory.query("Atlas?", top_k=top_k))).code.startswith("input.")


async def test_a_question_too_long_or_broken_is_refused(memory: AsyncMuniment) -> None:
    assert (await _error(memory.query("why " * 20_000))).code == "input.question_too_long"
    assert (await _error(memory.search("half \ud83d"))).code == "input.encoding_invalid"


async def test_a_record_is_proven_to_be_in_the_log(memory: AsyncMuniment) -> None:
    run = await memory.ingest_messages(CHAT, group_id="chat")
    proof = await memory.proof(run.items[0].record_ids[1])
    verify_record_proof(proof)
    note = await memory.checkpoint()
    assert note == await memory.checkpoint()
    report = await memory.validate(checkpoint=note)
    assert (report.valid, report.findings, report.records) == (True, [], 2)
    assert (await _error(memory.validate(checkpoint="nonsense"))).code == "checkpoint.invalid"


async def test_a_rebuild_changes_no_answer(memory: AsyncMuniment) -> None:
    await memory.ingest_messages(CHAT, group_id="chat")
    before = await memory.search("tech lead")
    sizes = await memory.rebuild()
    assert (sizes["liveness"], sizes["lexical"]) == (2, 2)
    after = await memory.search("tech lead")
    assert [(hit.record_id, hit.score) for hit in after.hits] == [(hit.record_id, hit.score) for hit in before.hits]


async def test_many_tasks_share_one_memory(memory: AsyncMuniment) -> None:
    await asyncio.gather(
        *(memory.ingest_messages([{"role": "Maya", "content": f"Fact {n}."}], group_id=f"g{n}") for n in range(8))
    )
    found = await asyncio.gather(*(memory.search(f"fact {n}", top_k=20) for n in range(8)))
    assert all(len(result.hits) == 8 for result in found)
    assert (await memory.validate()).valid


async def test_after_closing_every_call_says_so(memory: AsyncMuniment) -> None:
    await memory.close()
    await memory.close()
    for call in (
        memory.search("x"), memory.query("x"), memory.records(), memory.sources(), memory.runs(), memory.start(),
        memory.ingest(SourceInput(kind="text", text="x")), memory.ingest_messages(CHAT, group_id="g"),
    ):  # fmt: skip
        assert (await _error(call)).code == "memory.closed"
