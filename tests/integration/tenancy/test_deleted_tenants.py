"""A deleted tenant is in no row, no file and no restored backup; a receipt and an entry of the audit log are left."""

import base64
import shutil
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import create_engine, text

import muniment.deletion
from muniment.archive.exporting import Export
from muniment.archive.format import read_through
from muniment.archive.importing import import_archive
from muniment.audit.chain import list_acts
from muniment.backup import back_up, restore
from muniment.database.embedded import EmbeddedServer, binary
from muniment.deletion import delete_tenant, deletion_of
from muniment.errors import MunimentError
from muniment.jobs.context import JobContext
from muniment.jobs.expiring import expire
from muniment.log.departed import read_departures
from muniment.model.identifiers import TENANT, public_id
from muniment.model.message import Message
from muniment.model.namespace import Namespace
from muniment.model.request import QueryRequest, SearchRequest
from muniment.model.source import SourceInput
from muniment.model.sql_logins import SqlLoginRequest
from muniment.runtime import Runtime, open_runtime
from muniment.settings import Settings
from muniment.tenancy.clients import create_client
from muniment.tenancy.keys import create_key
from muniment.tenancy.members import create_member
from muniment.tenancy.principal import SCOPES
from muniment.tenancy.sql_logins import create_login
from muniment.tenancy.tenants import Tenant, admit_tenant, list_tenants, suspend_tenant

WORDS = ("zorblaxian", "quinnivarous", "thrumplewick", "oggledorf", "vexanthral", "brindlequap")
PHRASE = f"The {WORDS[0]} {WORDS[1]} met {WORDS[2]} at {WORDS[3]}."


@pytest.fixture(autouse=True)
def _no_cache_to_wait_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(muniment.deletion, "CACHE_SECONDS", 0.0)


def _settings(place: Path) -> Settings:
    return Settings(data_dir=place, pool_size=4, public_url="http://127.0.0.1:1")


@asynccontextmanager
async def _store(place: Path) -> AsyncIterator[Runtime]:
    async with open_runtime(_settings(place), run_jobs=False) as runtime:
        yield runtime


async def _fill(runtime: Runtime) -> tuple[Tenant, str]:
    """A tenant whose words stand wherever a tenant can put one, suspended; and its id."""
    database = runtime.database
    tenant = await admit_tenant(database, f"The company of {WORDS[5]}")
    note = base64.b64encode(f"# On {WORDS[4]}\n\n{PHRASE}\n".encode()).decode()
    await runtime.writer.ingest_sources(
        tenant.number, Namespace(project_id=WORDS[1]),
        [SourceInput(kind="file", filename=f"{WORDS[3]}.md", content_base64=note, source_key=f"notes/{WORDS[0]}")],
        idempotency_key=f"note of {WORDS[4]}",
    )  # fmt: skip
    said = [
        Message(speaker=WORDS[4].title(), content=f"{PHRASE} I live in {WORDS[1].title()}.", metadata={"at": WORDS[2]})
    ]
    await runtime.writer.ingest_messages(tenant.number, Namespace(), said, group_id=f"chat {WORDS[0]}")
    assert await runtime.runner.drain(120)
    await runtime.retriever.search(tenant.number, SearchRequest(query=PHRASE))
    await runtime.retriever.query(tenant.number, QueryRequest(question=f"Where does {WORDS[4]} live?"))
    key = await create_key(database, tenant.number, WORDS[5], SCOPES)
    await create_member(database, tenant.number, f"{WORDS[5]}@example.org", ["memory:read"], password="a long password")
    await create_client(database, tenant.number, WORDS[4], grant_types=["client_credentials"], scopes=["memory:read"])
    asked = SqlLoginRequest(label=WORDS[3])
    await create_login(database, runtime.prepared.admin_url, tenant.number, asked, seconds=60)
    assert key.secret
    identifier = public_id(TENANT, tenant.public_id)
    await suspend_tenant(database, identifier)
    return tenant, identifier


def _dump(place: Path) -> list[str]:
    command = ["-h", str(EmbeddedServer(place).socket_dir()), "-U", "postgres", "muniment"]
    done = subprocess.run([binary("pg_dump"), *command], capture_output=True)
    assert done.returncode == 0, done.stderr
    return _found_in(done.stdout)


def _found_in(data: bytes) -> list[str]:
    lowered = data.lower()
    return [word for word in WORDS if word.encode() in lowered]


def _found_in_files(place: Path, vector: bytes) -> dict[str, list[str]]:
    found = {}
    for path in (path for path in place.rglob("*") if path.is_file()):
        data = path.read_bytes()
        if words := _found_in(data) + (["the vector"] if vector in data else []):
            found[str(path.relative_to(place))] = words
    return found


def _vector(place: Path, tenant: Tenant) -> bytes:
    """A part of the tenant's first vector, as it lies in files."""
    (shown,) = _rows(place, f"select vector::text from muniment.embedding where tenant_id = {tenant.number} limit 1")  # noqa: S608
    return np.array([float(part) for part in str(shown)[1:-1].split(",")], dtype="<f2").tobytes()[:64]


def _rows(place: Path, statement: str) -> list[object]:
    engine = create_engine(EmbeddedServer(place).url())
    with engine.begin() as connection:
        rows = list(connection.execute(text(statement)).scalars())
    engine.dispose()
    return rows


async def test_a_deleted_tenant_is_in_no_row_no_file_and_no_restored_backup(tmp_path: Path) -> None:
    place, backup, archive = tmp_path / "store", tmp_path / "backup", tmp_path / "kept.jsonl.gz"
    async with _store(place) as runtime:
        await runtime.writer.ingest_messages(
            runtime.tenant.number, Namespace(), [Message(role="user", content="The ferry leaves.")], group_id="chat"
        )
        tenant, identifier = await _fill(runtime)
        back_up(runtime.settings, backup)
        assert set(_dump(place)) == set(WORDS)  # the search can find
        vector = _vector(place, tenant)
        done = await delete_tenant(runtime.database, runtime.prepared.admin_url, identifier, export_to=archive)
        assert (done.state, done.entries > 2, len(done.rows) > 30) == ("deleted", True, True)
        assert _dump(place) == []
        assert [each.id for each in await list_tenants(runtime.database)] == [
            public_id(TENANT, runtime.tenant.public_id)
        ]
        roles = _rows(place, "select rolname from pg_roles where rolname like 'muniment_sql%'")
        assert roles == [] and not list(place.glob(f"*/{identifier}*"))
        told = [(act.action, act.target) for act in (await list_acts(runtime.database, runtime.tenant.number)).entries]
        assert told == [("tenant.deleted", identifier), ("tenant.delete", identifier)]
        assert await runtime.runner.drain(120)
        assert (await deletion_of(runtime.database, identifier)).state == "vacuumed"
        assert (await runtime.validate(runtime.tenant.number)).findings == []
        hits = (await runtime.retriever.search(runtime.tenant.number, SearchRequest(query="ferry"))).hits
        assert [hit.text for hit in hits] == ["The ferry leaves."]
        with pytest.raises(MunimentError) as caught:
            await import_archive(runtime.database, archive)
        assert caught.value.code == "archive.tenant_deleted"
    assert EmbeddedServer(place).wait_stopped()
    assert _found_in_files(place, vector) == {}
    kept = read_through(archive)[1]
    assert (kept.root, kept.sha256, sum(kept.rows.values()) > 30) == (done.root, done.export_sha256, True)
    # the backup of before loses the tenant again, whose line is in the ledger beside it
    shutil.rmtree(place / "postgres")
    restored = await restore(_settings(place), backup)
    assert restored.tenants_deleted == 1
    async with _store(place) as runtime:
        assert _dump(place) == [] and len(await list_tenants(runtime.database)) == 1
        again = await deletion_of(runtime.database, identifier)
        assert (again.root, again.export_sha256, again.begun_at) == (done.root, done.export_sha256, done.begun_at)
        assert not list(place.glob(f"*/{identifier}*"))


class _Crash(Exception):
    pass


async def test_a_deletion_that_broke_off_goes_on_at_the_next_start_and_counts_each_row_once(tmp_path: Path) -> None:
    place, went = tmp_path / "store", {}  # type: ignore[var-annotated]
    async with _store(place) as runtime:
        tenant, identifier = await _fill(runtime)
        counts = await _counts(runtime, tenant)

        def crash(table: str, rows: int) -> None:
            went[table] = rows
            if len(went) == 20:
                raise _Crash

        with pytest.raises(_Crash):
            await delete_tenant(
                runtime.database, runtime.prepared.admin_url, identifier, without_export=True, removed=crash
            )
        assert (await deletion_of(runtime.database, identifier)).state == "deleting"
        assert {name: rows for name, rows in (await _counts(runtime, tenant)).items() if name in went} == {}
        with pytest.raises(MunimentError):
            await muniment.deletion.find_tenant(runtime.database, identifier.replace("t_", "k_"))
    async with _store(place) as runtime:
        done = await deletion_of(runtime.database, identifier)
        assert done.state == "deleted" and done.export_sha256 is None
        told = (
            "muniment.record",
            "muniment.record_content",
            "muniment.log_entry",
            "muniment.blob",
            "muniment.query_hit",
        )
        assert {name: counts[name] for name in told} == {name: done.rows[name] for name in told}
        assert counts.keys() - done.rows.keys() <= {
            "muniment_auth.sql_login",
            "muniment.search_lease",
            "muniment.usage_entry",
        }
        again = await delete_tenant(runtime.database, runtime.prepared.admin_url, identifier)
        assert again == done
        # a process that still had the tenant in hand wrote a row of a table that refers to no other
        async with runtime.database.scope(tenant.number) as scope:
            await scope.execute("proofs.insert_checkpoint", entries=1, root=b"0" * 32, note="late")
        await expire(JobContext(runtime.database, runtime.settings), runtime.tenant.number, {})
        assert await _counts(runtime, tenant) == {}


async def _counts(runtime: Runtime, tenant: Tenant) -> dict[str, int]:
    async with runtime.database.scope(tenant.number) as scope:
        return {row["name"]: row["rows"] for row in await scope.rows("deletion.rows_left")}


async def test_nothing_goes_before_the_tenant_is_suspended_exported_and_in_the_ledger(tmp_path: Path) -> None:
    async with _store(tmp_path / "store") as runtime:
        database, admin_url = runtime.database, runtime.prepared.admin_url
        made = await admit_tenant(database, "Second")
        identifier, own = public_id(TENANT, made.public_id), public_id(TENANT, runtime.tenant.public_id)

        async def refused(tenant_id: str, **options: object) -> str:
            with pytest.raises(MunimentError) as caught:
                await delete_tenant(database, admin_url, tenant_id, **options)  # type: ignore[arg-type]
            return caught.value.code

        assert await refused(identifier, without_export=True) == "tenant.not_suspended"
        assert await refused(own, without_export=True) == "tenant.kept"
        assert await refused("t_" + "0" * 32, without_export=True) == "tenant.not_found"
        await suspend_tenant(database, identifier)
        assert await refused(identifier) == "input.invalid"
        in_the_way = tmp_path / "kept.jsonl"
        in_the_way.write_text("somebody's")
        assert await refused(identifier, export_to=in_the_way) == "archive.file_unusable"
        ledger = tmp_path / "store" / "erasures"
        ledger.write_text("in the way of the directory")
        assert await refused(identifier, without_export=True) == "store.ledger_unusable"
        ledger.unlink()
        assert [each.state for each in await list_tenants(database)] == ["active", "suspended"]
        assert (await list_acts(database, runtime.tenant.number)).entries == []
        stale = muniment.deletion.ExportProof(sha256="0" * 64, entries=7, root="0" * 64)
        with pytest.raises(MunimentError) as caught:
            await muniment.deletion.begin_deletion(database, admin_url, identifier, stale)
        assert caught.value.code == "tenant.changed"
        cut_short = Export(database, made.number)
        lines = cut_short.lines()
        async for _ in lines:
            if cut_short._end is not None:  # and nobody came for more: whoever asked may not have got the last line
                break
        await lines.aclose()
        unread = muniment.deletion.ExportProof(**cut_short.summary.model_dump(include={"sha256", "entries", "root"}))
        with pytest.raises(MunimentError, match="given whole") as caught:
            await muniment.deletion.begin_deletion(database, admin_url, identifier, unread)
        assert caught.value.code == "tenant.changed"
        assert read_departures(runtime.settings) == []
        done = await delete_tenant(database, admin_url, identifier, export_to=tmp_path / "other.jsonl")
        assert done.state == "deleted" and done.entries == 0
