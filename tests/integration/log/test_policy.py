"""What a policy refuses, masks and marks, by every way in: masked it is nowhere, not even as a hash of it."""

import base64
import io
import json
import zipfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, text

from muniment.database.pool import Database
from muniment.errors import MunimentError
from muniment.log import idempotency
from muniment.log.policies import get_policy, list_policies, put_policy
from muniment.log.records import list_records
from muniment.log.validate import validate
from muniment.log.writer import Writer
from muniment.model.message import Message
from muniment.model.namespace import Namespace
from muniment.model.policy import RetentionRule, SensitiveRule
from muniment.model.request import QueryRequest, SearchRequest
from muniment.model.source import IngestionRun, SourceInput
from muniment.providers import sensitive
from muniment.retrieval.engine import Retriever
from muniment.retrieval.explain.explaining import explain
from muniment.retrieval.runs import get_query_run
from muniment.settings import Settings
from muniment.tenancy.tenants import Tenant

SECRET = "quorlanda.thrumple@example.com"
WORDS = ("quorlanda", "thrumple")
SAID = f"Write to {SECRET} about the ferry."
HERE = Namespace(user_id="maya")


def _tables(admin_url: str) -> str:
    """All rows of all tables as text, bytes among them in hexadecimal digits."""
    engine = create_engine(admin_url)
    named = """select format('%I.%I', n.nspname, c.relname)
                 from pg_class c join pg_namespace n on n.oid = c.relnamespace
                where c.relkind = 'r' and n.nspname in ('muniment', 'muniment_jobs', 'muniment_auth')"""
    with engine.begin() as connection:
        tables = connection.execute(text(named)).scalars().all()
        rows = [connection.execute(text(f"select t::text from {table} t")).scalars().all() for table in tables]  # noqa: S608
    engine.dispose()
    return "\n".join(row for of_table in rows for row in of_table).lower()


def _found(admin_url: str) -> list[str]:
    everything = _tables(admin_url)
    forms = [word for word in WORDS] + [word.encode().hex() for word in WORDS]
    return [form for form in forms if form in everything]


def _base64(content: str | bytes) -> str:
    return base64.b64encode(content.encode() if isinstance(content, str) else content).decode()


async def _set(database: Database, tenant: Tenant, **classes: Any) -> None:
    rules = {name: SensitiveRule.model_validate(rule) for name, rule in classes.items()}
    await put_policy(database, tenant.number, classes=rules, retention=[], reason="a test")  # type: ignore[arg-type]


@pytest.fixture
async def masking(database: Database, tenant: Tenant) -> AsyncIterator[Database]:
    await _set(database, tenant, email={"ingest": "mask"})
    yield database


async def _ingest(writer: Writer, tenant: Tenant, *sources: dict[str, Any], key: str | None = None) -> IngestionRun:
    several = [SourceInput.model_validate(source) for source in sources]
    return await writer.ingest_sources(tenant.number, HERE, several, idempotency_key=key)


async def _texts(database: Database, tenant: Tenant) -> list[str | None]:
    return [record.text for record in (await list_records(database, tenant.number, HERE, limit=100)).records]


async def test_what_is_masked_is_in_no_table_by_whatever_way_it_came(
    masking: Database, writer: Writer, tenant: Tenant, admin_url: str, tmp_path: Path, settings: Settings
) -> None:
    chat = [{"role": "user", "content": SAID, "metadata": {"from": SECRET}}]
    escaped = json.dumps(chat).replace("@", "\\u0040")
    path = tmp_path / "note.md"
    path.write_text(f"---\nauthor: {SECRET}\n---\n# Ferry\n\n{SAID}\n")
    run = await _ingest(
        writer, tenant,
        {"kind": "text", "text": SAID, "title": f"From {SECRET}", "metadata": {"from": SECRET, "n": 1}},
        {"kind": "file", "filename": "a.md", "content_base64": _base64(f"# Ferry\n\n{SAID}\n")},
        {"kind": "file", "filename": "b.json", "content_base64": _base64(escaped)},
        {"kind": "file", "filename": "c.txt", "content_base64": _base64(SAID.encode("utf-16"))},
        {"kind": "file", "path": path},
        {"kind": "file", "filename": "broken.json", "content_base64": _base64(escaped[:-1])},
        {"kind": "file", "filename": "bytes.txt", "content_base64": _base64(SAID.encode() + b"\xff")},
        key="a key",
    )  # fmt: skip
    assert [item.state for item in run.items] == ["stored"] * 5 + ["failed"] * 2
    messages = [Message.model_validate(chat[0] | {"id": "m1"})]
    await writer.ingest_messages(tenant.number, HERE, messages, group_id="chat", idempotency_key="another")
    again = await writer.ingest_messages(tenant.number, HERE, messages, group_id="chat")
    assert again.items[0].state == "unchanged"
    first = (await list_records(masking, tenant.number, HERE)).records[0].id
    await writer.correct(tenant.number, first, f"No: {SAID}", reason="a mistake")
    await Retriever(masking, None, None, settings).search(tenant.number, SearchRequest(query=f"Who is {SECRET}?"))
    assert _found(admin_url) == []
    texts = await _texts(masking, tenant)
    assert len(texts) >= 6 and all("[email]" in (each or "") for each in texts)
    assert (await validate(masking, tenant.number)).findings == []


async def test_nothing_of_what_is_masked_is_hashed(
    masking: Database, writer: Writer, tenant: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    hashed: list[str] = []
    hash_of = idempotency.request_hash

    def noting(request: dict[str, Any]) -> bytes:
        hashed.append(json.dumps(request, default=str))
        return hash_of(request)

    monkeypatch.setattr(idempotency, "request_hash", noting)
    await _ingest(writer, tenant, {"kind": "text", "text": SAID}, key="one")
    await writer.ingest_messages(
        tenant.number, HERE, [Message(role="user", content=SAID)], group_id="chat", idempotency_key="two"
    )
    assert len(hashed) == 2 and not any(word in each for word in WORDS for each in hashed)


@pytest.mark.parametrize("action", ["refuse", "mask"])
async def test_names_that_hold_it_are_refused_and_nothing_of_the_request_is_kept(
    database: Database, writer: Writer, tenant: Tenant, admin_url: str, action: str
) -> None:
    await _set(database, tenant, email={"ingest": action})
    named: list[dict[str, Any]] = [
        {"text": "Hi.", "source_key": SECRET},
        {"kind": "file", "filename": f"{SECRET}.md", "content_base64": _base64("Hello.")},
        {"text": "Hi.", "metadata": {SECRET: 1}}, {"text": "Hi.", "session_id": SECRET},
    ]  # fmt: skip
    run = await _ingest(writer, tenant, *({"kind": "text"} | each for each in named))
    assert [item.error and item.error.code for item in run.items] == ["policy.refused"] * 4
    assert [item.source_key for item in run.items] == [None] * 4
    for message in ({"id": SECRET}, {"speaker": SECRET}, {"metadata": {SECRET: 1}}):
        with pytest.raises(MunimentError) as caught:
            spoken = [Message.model_validate({"role": "user", "content": "Hi."} | message)]
            await writer.ingest_messages(tenant.number, HERE, spoken, group_id="chat")
        assert (caught.value.code, caught.value.facts["index"]) == ("policy.refused", 0)
        assert SECRET not in str(caught.value.facts) + caught.value.detail
    with pytest.raises(MunimentError):
        await writer.ingest_messages(tenant.number, HERE, [Message(role="user", content="Hi.")], group_id=SECRET)
    assert _found(admin_url) == []


async def test_what_is_refused_fails_alone_and_a_batch_as_a_whole(
    database: Database, writer: Writer, tenant: Tenant, admin_url: str
) -> None:
    await _set(database, tenant, email={"ingest": "refuse"})
    run = await _ingest(
        writer, tenant, {"kind": "text", "text": SAID, "source_key": "notes/1"},
        {"kind": "text", "text": "The ferry leaves at noon."},
    )  # fmt: skip
    assert [item.state for item in run.items] == ["failed", "stored"]
    assert run.items[0].source_key == "notes/1"  # which says nothing of what is refused
    error = run.items[0].error
    assert error is not None and (error.code, error.facts["classes"]) == ("policy.refused", {"email": 1})
    with pytest.raises(MunimentError) as caught:
        messages = [Message(role="user", content="Hello."), Message(role="user", content=SAID)]
        await writer.ingest_messages(tenant.number, HERE, messages, group_id="chat")
    assert (caught.value.code, caught.value.facts["index"]) == ("policy.refused", 1)
    assert await _texts(database, tenant) == ["The ferry leaves at noon."]
    assert _found(admin_url) == []


@pytest.mark.parametrize("way", ["mask", "refuse"])
async def test_what_is_inside_a_container_is_not_kept_in_its_own_bytes(
    database: Database, writer: Writer, tenant: Tenant, admin_url: str, way: str
) -> None:
    """Not as they are either: uncompressed, in base64, or in a container inside a container."""
    await _set(database, tenant, email={"ingest": way})
    packed, outer = io.BytesIO(), io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("said.txt", SAID)
        archive.writestr("clean.txt", "The lighthouse is red.")
    with zipfile.ZipFile(outer, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("inner.zip", packed.getvalue())
        archive.writestr("good.zip", _zipped("The pier is closed."))
    run = await _ingest(
        writer, tenant,
        {"kind": "file", "filename": "outer.zip", "content_base64": _base64(outer.getvalue())},
        {"kind": "file", "filename": "good.zip", "content_base64": _base64(_zipped("The ferry leaves at noon."))},
    )  # fmt: skip
    states = {(item.source_key or str(item.index)): item.state for item in run.items}
    assert run.items[0].error is not None and run.items[0].error.code == "policy.refused"
    assert states["good.zip"] == states["outer.zip!/good.zip"] == states["outer.zip!/inner.zip!/clean.txt"] == "stored"
    assert "stored" not in {states.get("outer.zip"), states.get("outer.zip!/inner.zip")}
    stored = await _blobs(admin_url)
    assert stored and not any(SECRET.encode() in data for data in stored)
    again = await _ingest(
        writer, tenant, {"kind": "file", "filename": "outer.zip", "content_base64": _base64(outer.getvalue())}
    )
    assert again.items[0].state == "failed"


def _zipped(text: str) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("a.txt", text)
    return packed.getvalue()


async def _blobs(admin_url: str) -> list[bytes]:
    """The originals of all tenants, as they are stored."""
    engine = create_engine(admin_url)
    with engine.connect() as connection:
        found = [bytes(row[0]) for row in connection.execute(text("select content from muniment.blob"))]
    engine.dispose()
    return found


async def test_what_is_marked_is_stored_and_can_be_filtered_by(
    database: Database, writer: Writer, tenant: Tenant, settings: Settings
) -> None:
    await _set(database, tenant, email={"ingest": "mark"})
    await _ingest(writer, tenant, {"kind": "text", "text": SAID}, {"kind": "text", "text": "The ferry is late."})
    await writer.ingest_messages(tenant.number, HERE, [Message(role="user", content=SAID)], group_id="chat")
    retriever = Retriever(database, None, None, settings)
    request = {"query": "the ferry", "filters": {"metadata": {"sensitive_email": True}}}
    found = await retriever.search(tenant.number, SearchRequest.model_validate(request))
    assert found.hits and all(SECRET in hit.text for hit in found.hits)
    assert [record.metadata for record in (await list_records(database, tenant.number, HERE)).records] == [
        {"sensitive_email": True}, {}, {"sensitive_email": True},
    ]  # fmt: skip


async def test_what_is_withheld_is_in_no_answer_hit_or_stored_run_but_in_the_log(
    database: Database, writer: Writer, tenant: Tenant, settings: Settings
) -> None:
    said = [Message(speaker=SECRET, content=SAID, metadata={"from": SECRET})]
    await writer.ingest_messages(tenant.number, HERE, said, group_id="chat")  # before there was a policy
    await _set(database, tenant, email={"answer": "withhold"})
    retriever = Retriever(database, None, None, settings)
    found = await retriever.search(tenant.number, SearchRequest(query="Whom to write to about the ferry?"))
    assert found.hits[0].text == "Write to [email] about the ferry."
    assert any("email (3)" in note for note in found.notes)
    answer = await retriever.query(tenant.number, QueryRequest(question="Whom to write to about the ferry?"))
    run = await get_query_run(database, tenant.number, answer.query_id)
    assert all(SECRET not in each.model_dump_json() for each in (found, answer, run))
    assert not answer.abstain and "[email]" in answer.answer
    assert await _texts(database, tenant) == [SAID]


async def test_a_search_for_words_of_what_is_withheld_does_not_tell_that_it_is_there(
    database: Database, tenant: Tenant, writer: Writer, settings: Settings
) -> None:
    await writer.ingest_messages(tenant.number, HERE, [Message(speaker="Ann", content=SAID)], group_id="chat")
    retriever = Retriever(database, None, None, settings)
    for word in WORDS:
        assert (await retriever.search(tenant.number, SearchRequest(query=word))).hits, word
    await _set(database, tenant, email={"answer": "withhold"})
    for word in (*WORDS, SECRET, f"Who is {WORDS[0]}?"):
        found = await retriever.search(tenant.number, SearchRequest(query=word))
        absent = await retriever.search(tenant.number, SearchRequest(query="quagmire"))
        assert (found.hits, found.notes) == ([], absent.notes), word
    (hit,) = (await retriever.search(tenant.number, SearchRequest(query=f"{WORDS[0]} ferry"))).hits
    assert hit.text == "Write to [email] about the ferry."
    run = await retriever.search(tenant.number, SearchRequest(query=WORDS[0]))
    told = await explain(database, retriever.tools, tenant.number, run.query_id, hit.record_id)
    assert told.record is not None and told.record.fell == "withheld"


async def test_policies_are_entries_of_the_log_and_the_last_is_in_force(
    database: Database, tenant: Tenant, other_tenant: Tenant
) -> None:
    assert (await get_policy(database, tenant.number)).commit == 0
    rule = RetentionRule(days=30.5, action="erase")
    for _ in range(2):  # the second changes nothing
        await put_policy(database, tenant.number, classes={}, retention=[rule], reason="we keep no more")
    await _set(database, tenant, phone={"ingest": "mark"})
    policies = await list_policies(database, tenant.number)
    assert [policy.commit for policy in policies] == [2, 1]
    assert policies[1].retention == [rule] and policies[1].reason == "we keep no more"
    assert (await get_policy(database, tenant.number)) == policies[0]
    assert (await validate(database, tenant.number)).findings == []
    assert await list_policies(database, other_tenant.number) == []


@pytest.mark.parametrize(
    ("retention", "reason"),
    [([RetentionRule(days=1, action="close", sensitive="email")], "it is not marked"), ([], " "), ([], "x" * 501)],
)
async def test_a_policy_that_cannot_be_is_refused(
    database: Database, tenant: Tenant, retention: list[RetentionRule], reason: str
) -> None:
    with pytest.raises(MunimentError) as caught:
        await put_policy(database, tenant.number, classes={}, retention=retention, reason=reason)
    assert caught.value.code == "input.invalid"


async def test_where_the_detector_is_missing_nothing_comes_in_unseen(
    masking: Database, writer: Writer, tenant: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def missing(_classes: object) -> None:
        raise MunimentError("policy.detector_missing", "it is not installed")

    monkeypatch.setattr("muniment.log.screening.load_finder", missing)
    assert sensitive.load_finder is not missing
    with pytest.raises(MunimentError) as caught:
        await _ingest(writer, tenant, {"kind": "text", "text": "The ferry is late."})
    assert caught.value.code == "policy.detector_missing"
