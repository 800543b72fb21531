"""A tenant's archive opens elsewhere as it was: ids, answers, proofs; and a damaged one opens nowhere."""

import asyncio
import json
import os
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from pydantic import SecretStr
from typer.testing import CliRunner

from muniment.api.app import create_app
from muniment.archive.exporting import export_to_file
from muniment.archive.importing import Imported, import_archive
from muniment.cli.main import app as cli
from muniment.errors import MunimentError
from muniment.log.ledger import LedgerLine, append_line
from muniment.log.notes import VerifierKey
from muniment.memory.local import LocalMuniment
from muniment.memory.remote import RemoteMuniment
from muniment.model.identifiers import ERASURE, TENANT, new_id, parse_id, public_id
from muniment.model.namespace import Namespace
from muniment.runtime import open_runtime
from muniment.settings import Settings
from muniment.tenancy.keys import create_key
from muniment.tenancy.principal import SCOPES
from muniment.tenancy.tenants import create_tenant

QUESTIONS = ("When does the ferry leave?", "Where does Ida live?", "harbour 7", "who rows to Northwind", "Atlas launch")
TOPICS = ("harbour", "contract", "ferry", "lighthouse", "launch of Atlas")


@dataclass(frozen=True, slots=True)
class Store:
    """A store that has something of everything, its archive, and what it answered."""

    settings: Settings
    archive: Path
    tenant: str
    erased: str
    answers: list[Any]
    claims: list[Any]
    runs: list[Any]
    root: str


def _settings(admin_url: str, directory: Path) -> Settings:
    return Settings(database_url=SecretStr(admin_url), data_dir=directory, pool_size=4)


async def _answers(memory: LocalMuniment) -> list[Any]:
    found = [await memory.search(question, top_k=10) for question in QUESTIONS]
    return [[(hit.record_id, hit.score, hit.text) for hit in result.hits] for result in found]


async def _fill(memory: LocalMuniment) -> str:
    await memory.ingest(
        [{"kind": "text", "text": "Project Atlas launches on 9 June.\n\nLiam signs with Northwind.", "source_key": "m"}]
    )
    await memory.ingest(
        [{"kind": "text", "text": "Project Atlas launches on 16 June.\n\nLiam has signed.", "source_key": "m"}]
    )
    turns = [
        {
            "speaker": "Maya" if turn % 2 else "Liam",
            "content": f"Note {turn}: the {TOPICS[turn % 5]} {turn % 9} is due.",
        }
        for turn in range(60)
    ]
    await memory.ingest_messages(turns, group_id="plan")
    told = [
        "I live in Oslo.",
        "I moved to Bergen in March 2026.",
        "My brother is called Jonas.",
        "The password is quetzalcoatl.",
    ]
    run = await memory.ingest_messages([{"speaker": "Ida", "content": text} for text in told], group_id="ida")
    ids = run.items[0].record_ids or []
    await (await memory._open()).runner.drain()
    await memory.correct(ids[2], "My brother is called Jon.", reason="misheard")
    await memory.erase(records=[ids[3]], reason="asked to")
    await memory.put_profile("own", {"fusion": {"constant": 30.0}})
    await memory.checkpoint()
    await memory.ingest_messages([{"speaker": "Ida", "content": "I row to Northwind."}], group_id="ida")
    return ids[3]


async def _make(admin_url: str, directory: Path) -> Store:
    settings = _settings(admin_url, directory / "store")
    archive = directory / "tenant.jsonl"
    async with LocalMuniment(settings, Namespace()) as memory:
        erased = await _fill(memory)
        runtime = await memory._open()
        await runtime.runner.drain()
        answers = await _answers(memory)
        summary = await memory.export(archive)
        validated = await memory.validate()
        assert validated.findings == [] and validated.root == summary.root
        claims = [claim.model_dump(exclude={"confidence"}) for claim in (await memory.claims()).claims]
        runs = [run.model_dump() for run in (await memory.query_runs(limit=50)).runs]
    return Store(settings, archive, summary.tenant, erased, answers, claims, runs, summary.root)


@pytest.fixture(scope="module")
def store(
    fresh_database: Callable[[], AbstractContextManager[str]], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Store]:
    with fresh_database() as admin_url:
        yield asyncio.run(_make(admin_url, tmp_path_factory.mktemp("archive")))


@pytest.fixture
def elsewhere(admin_url: str, tmp_path: Path) -> Settings:
    """Another store, in which other tenants were made before, so that no number is the same by chance."""
    return _settings(admin_url, tmp_path / "elsewhere")


async def _import(settings: Settings, archive: Path, **options: Any) -> Imported:
    async with open_runtime(settings, run_jobs=False) as runtime:
        await create_tenant(runtime.database, "another")
        return await import_archive(runtime.database, archive, default=runtime.tenant, **options)


def _lines(archive: Path) -> list[bytes]:
    return archive.read_bytes().splitlines(keepends=True)


def _sealed(lines: list[bytes]) -> bytes:
    """The archive with a last line that fits what was made of the others."""
    counts: Counter[str] = Counter(next(iter(json.loads(line))) for line in lines[1:-1])
    end = {"end": {"rows": counts, "sha256": sha256(b"".join(lines[:-1])).hexdigest()}}
    return b"".join(lines[:-1]) + json.dumps(end, separators=(",", ":")).encode() + b"\n"


async def test_an_archive_opens_elsewhere_with_the_same_ids_answers_claims_runs_and_root(
    store: Store, elsewhere: Settings
) -> None:
    imported = await _import(elsewhere, store.archive)
    assert imported.is_default and imported.tenant.number > 2
    assert imported.summary.root == store.root
    async with LocalMuniment(elsewhere, Namespace()) as memory:
        assert [run.model_dump() for run in (await memory.query_runs(limit=50)).runs] == store.runs
        assert [claim.model_dump(exclude={"confidence"}) for claim in (await memory.claims()).claims] == store.claims
        assert store.claims
        found = await _answers(memory)
        assert found == store.answers
        assert all(found)
        erased = await memory.record(store.erased)
        assert (erased.text, len(await memory.erasures())) == (None, 1)
        replayed = await memory.replay(store.runs[0]["id"])
        assert replayed.identical, replayed
        validated = await memory.validate()
        assert (validated.findings, validated.root, validated.checkpoint) == ([], store.root, "matches")
        assert validated.notes == []  # what this version derived there is of this version here
        run = await memory.ingest_messages([{"speaker": "Ida", "content": "The quay is closed."}], group_id="ida")
        assert (run.items[0].record_ids or [""])[0] in [h.record_id for h in (await memory.search("quay")).hits]
        assert (await memory.validate()).findings == []


async def test_an_archive_of_an_archive_is_the_same_but_for_what_is_of_a_store(
    store: Store, elsewhere: Settings, tmp_path: Path
) -> None:
    await _import(elsewhere, store.archive)
    async with open_runtime(elsewhere, run_jobs=False) as runtime:
        again = tmp_path / "again.jsonl"
        await export_to_file(runtime.database, runtime.tenant.number, again)
    before, after = (Counter(_lines(path)[1:-1]) for path in (store.archive, again))
    differing = {next(iter(json.loads(line))) for line in (before - after) + (after - before)}
    assert differing <= {"checkpoint", "job", "counter", "embedding", "summary_vector", "query_run"}
    models = [json.loads(_lines(path)[0])["models"] for path in (store.archive, again)]
    assert [model["name"] for model in models[0]] == [model["name"] for model in models[1]]


async def test_no_number_of_a_tenant_and_no_secret_is_in_an_archive(store: Store) -> None:
    lines = _lines(store.archive)
    assert all(b"tenant_id" not in line and b"tenant_no" not in line for line in lines)
    assert {next(iter(json.loads(line))) for line in lines[1:]} & {"credential", "tenant", "sql_login"} == set()
    assert json.loads(lines[0])["tenant"] == store.tenant
    assert b"quetzalcoatl" not in b"".join(lines)  # what was erased


async def test_a_damaged_archive_is_refused_and_leaves_nothing(
    store: Store, elsewhere: Settings, tmp_path: Path
) -> None:
    lines = _lines(store.archive)
    middle = next(number for number, line in enumerate(lines) if line.startswith(b'{"record_content"'))
    damages = {
        "cut": lines[:middle],
        "cut in a line": [*lines[:middle], lines[middle][:-20]],
        "changed": [*lines[:middle], lines[middle].replace(b"Project", b"Projekt"), *lines[middle + 1 :]],
        "one less": lines[:middle] + lines[middle + 1 :],
        "one twice": [*lines[: middle + 1], *lines[middle:]],
        "two exchanged": [*lines[:middle], lines[middle + 1], lines[middle], *lines[middle + 2 :]],
        "one after the end": [*lines, lines[middle]],
        "no header": lines[1:],
        "empty": [],
    }
    await _refused_and_then_imported(elsewhere, store, tmp_path, {name: b"".join(x) for name, x in damages.items()})


async def test_an_archive_that_was_changed_and_sealed_again_is_refused(
    store: Store, elsewhere: Settings, tmp_path: Path
) -> None:
    lines = _lines(store.archive)
    content = next(number for number, line in enumerate(lines) if line.startswith(b'{"record_content"'))
    entry = max(number for number, line in enumerate(lines) if line.startswith(b'{"log_entry"'))
    record = next(number for number, line in enumerate(lines) if line.startswith(b'{"record"'))
    block = next(number for number, line in enumerate(lines) if line.startswith(b'{"lexical_document"'))

    def with_line(number: int, *changed: bytes) -> bytes:
        return _sealed([*lines[:number], *changed, *lines[number + 1 :]])

    def with_header(**changes: str) -> bytes:
        return with_line(0, json.dumps(json.loads(lines[0]) | changes).encode() + b"\n")

    forgeries = {
        "another text": with_line(content, lines[content].replace(b"Project", b"Projekt")),
        "no last entry": with_line(entry),
        "no content": with_line(content),
        "no record": with_line(record),
        "no postings": with_line(block),
        "another tenant": with_header(tenant=public_id(TENANT, new_id())),
        "another root": with_header(root="00" * 32),
        "a tenant's number": with_line(content, lines[content].replace(b'"text":', b'"tenant_id":')),
        "another table": with_line(content, lines[content].replace(b'{"record_content"', b'{"applied_files"')),
    }
    await _refused_and_then_imported(elsewhere, store, tmp_path, forgeries)


async def _refused_and_then_imported(
    elsewhere: Settings, store: Store, directory: Path, archives: dict[str, bytes]
) -> None:
    broken = directory / "broken.jsonl"
    for name, content in archives.items():
        broken.write_bytes(content)
        with pytest.raises(MunimentError) as caught:
            await _import(elsewhere, broken)
        assert caught.value.code == "archive.invalid", (name, caught.value.detail)
    # had any left the tenant, it would be here already
    assert (await _import(elsewhere, store.archive)).summary.root == store.root


async def test_a_tenant_comes_only_once_and_another_store_keeps_its_default(store: Store, elsewhere: Settings) -> None:
    async with LocalMuniment(elsewhere, Namespace()) as memory:
        await memory.ingest_messages([{"role": "user", "content": "Mine."}], group_id="chat")
    assert not (await _import(elsewhere, store.archive)).is_default
    with pytest.raises(MunimentError) as caught:
        await _import(elsewhere, store.archive)
    assert caught.value.code == "archive.tenant_exists"
    async with LocalMuniment(elsewhere, Namespace()) as memory:
        assert [hit.text for hit in (await memory.search("mine")).hits] == ["Mine."]


async def test_the_key_of_the_log_can_be_asked_for(store: Store, elsewhere: Settings) -> None:
    key = json.loads(_lines(store.archive)[0])["verifier_key"]
    other = VerifierKey(key.split("+")[0], Ed25519PrivateKey.generate().public_key())
    with pytest.raises(MunimentError) as caught:
        await _import(elsewhere, store.archive, verifier_key=str(other))
    assert caught.value.code == "checkpoint.invalid"
    await _import(elsewhere, store.archive, verifier_key=key)


async def test_what_was_erased_here_since_is_erased_again(store: Store, elsewhere: Settings) -> None:
    gone = store.answers[0][0][0]
    tenant = parse_id(TENANT, store.tenant)
    assert tenant is not None
    await append_line(elsewhere, tenant, LedgerLine(public_id(ERASURE, new_id()), 99, [gone], [], "asked to"))
    await _import(elsewhere, store.archive)
    async with LocalMuniment(elsewhere, Namespace()) as memory:
        assert (await memory.record(gone)).text is None
        assert len(await memory.erasures()) == 2


async def test_a_later_version_of_the_format_or_the_schema_is_refused_by_name(
    store: Store, elsewhere: Settings, tmp_path: Path
) -> None:
    for field, value in (("version", 2), ("schema_revision", "9999_later")):
        lines = _lines(store.archive)
        lines[0] = json.dumps(json.loads(lines[0]) | {field: value}).encode() + b"\n"
        later = tmp_path / "later.jsonl"
        later.write_bytes(_sealed(lines))
        with pytest.raises(MunimentError) as caught:
            await _import(elsewhere, later)
        assert caught.value.code == "archive.version_unsupported"


async def test_an_archive_from_before_words_shared_lists_with_their_stems_gets_its_words_anew(
    store: Store, elsewhere: Settings, tmp_path: Path
) -> None:
    def apart(line: bytes) -> list[bytes]:
        table, row = next(iter(json.loads(line).items()))
        if table != "posting_block" or not row["term"].startswith("="):
            return [line]
        shared, word = row["term"].encode(), row["term"][1:].encode()
        return [line.replace(b'"%b"' % shared, b'"%b"' % term) for term in (word, b"~" + word)]

    lines = _lines(store.archive)
    lines[0] = json.dumps(json.loads(lines[0]) | {"schema_revision": "0034_added_requests"}).encode() + b"\n"
    earlier = tmp_path / "earlier.jsonl"
    earlier.write_bytes(_sealed([each for line in lines for each in apart(line)]))
    assert earlier.read_bytes().count(b"\n") > len(lines)
    await _import(elsewhere, earlier)
    async with LocalMuniment(elsewhere, Namespace()) as memory:
        assert await _answers(memory) == store.answers
        assert (await memory.validate()).findings == []


async def test_a_packed_archive_is_read_and_a_torn_one_refused(
    store: Store, elsewhere: Settings, tmp_path: Path
) -> None:
    async with open_runtime(store.settings, run_jobs=False) as runtime:
        packed = tmp_path / "tenant.jsonl.gz"
        summary = await export_to_file(runtime.database, runtime.tenant.number, packed)
        assert oct(packed.stat().st_mode)[-3:] == "600"
        with pytest.raises(MunimentError) as caught:
            await export_to_file(runtime.database, runtime.tenant.number, packed)
        assert caught.value.code == "archive.file_unusable"
    torn = tmp_path / "torn.jsonl.gz"
    torn.write_bytes(packed.read_bytes()[:-2000])
    with pytest.raises(MunimentError) as caught:
        await _import(elsewhere, torn)
    assert caught.value.code == "archive.invalid"
    assert (await _import(elsewhere, packed)).summary == summary
    assert sorted(os.listdir(tmp_path)) == ["elsewhere", "tenant.jsonl.gz", "torn.jsonl.gz"]


async def test_over_http_the_archive_is_the_same(store: Store, elsewhere: Settings, tmp_path: Path) -> None:
    async with open_runtime(store.settings, run_jobs=False) as runtime:
        app = create_app(store.settings, nullcontext(runtime))
        app.state.runtime = runtime
        key = await create_key(runtime.database, runtime.tenant.number, "test", SCOPES)
        weak = await create_key(runtime.database, runtime.tenant.number, "test", ["memory:read"])
        for secret in (key.secret, weak.secret):
            transport = httpx.ASGITransport(app=app)
            async with RemoteMuniment("http://server", secret, Namespace(), 60.0, transport=transport) as remote:
                if secret == key.secret:
                    summary = await remote.export(tmp_path / "remote.jsonl.gz")
                    continue
                with pytest.raises(MunimentError) as caught:
                    await remote.export(tmp_path / "weak.jsonl")
                assert caught.value.code == "auth.scope_missing"
    assert sorted(os.listdir(tmp_path)) == ["remote.jsonl.gz"]
    imported = await _import(elsewhere, tmp_path / "remote.jsonl.gz")
    assert (imported.summary, imported.summary.root) == (summary, store.root)


def test_the_commands_export_and_import(store: Store, elsewhere: Settings, tmp_path: Path) -> None:
    archive = tmp_path / "tenant.jsonl"

    def run(settings: Settings, *arguments: str) -> Any:
        assert settings.database_url is not None
        environment = {
            "MUNIMENT_DATABASE_URL": settings.database_url.get_secret_value(),
            "MUNIMENT_DATA_DIR": str(settings.data_dir),
        }
        done = CliRunner().invoke(cli, [*arguments, "--json"], env=environment, catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return json.loads(done.stdout)

    exported = run(store.settings, "export", str(archive))
    assert (exported["tenant"], exported["root"]) == (store.tenant, store.root)
    assert run(elsewhere, "import", str(archive)) == exported | {"is_default": True}
    validated = run(elsewhere, "validate")
    assert (validated["valid"], validated["root"]) == (True, store.root)
