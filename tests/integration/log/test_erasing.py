"""Erased is gone: phrase, words and vector, from every row, from every file, and from backups."""

import base64
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import create_engine, text

from muniment.database.embedded import EmbeddedServer, binary
from muniment.database.pool import Scope
from muniment.errors import MunimentError
from muniment.log.proofs import verify_record_proof
from muniment.memory.local import LocalMuniment
from muniment.model.namespace import Namespace
from muniment.model.source import SourceInput
from muniment.queue import enqueue
from muniment.settings import Settings

WORDS = ("zorblaxian", "quinnivarous", "thrumplewick", "oggledorf", "vexanthral")
PHRASE = f"The {WORDS[0]} {WORDS[1]} {WORDS[2]} met at {WORDS[3]}."
NOTE = f"# {WORDS[4].title()}\n\n{PHRASE}\n\nNobody else came.\n"


def _settings(place: Path) -> Settings:
    return Settings(data_dir=place, close_drain=20.0, job_concurrency=2)


def _found_in(data: bytes) -> list[str]:
    lowered = data.lower()
    return [word for word in (*WORDS, PHRASE.lower()) if word.encode() in lowered]


def _files(place: Path) -> Iterator[Path]:
    return (path for path in place.rglob("*") if path.is_file())


def _found_in_files(place: Path, vector: bytes) -> dict[str, list[str]]:
    found = {}
    for path in _files(place):
        data = path.read_bytes()
        words = _found_in(data) + (["the vector"] if vector in data else [])
        if words:
            found[str(path.relative_to(place))] = words
    return found


def _dump(server: EmbeddedServer) -> bytes:
    command = ["-h", str(server.socket_dir()), "-U", "postgres", "muniment"]
    done = subprocess.run([binary("pg_dump"), *command], capture_output=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def _backup(server: EmbeddedServer, into: Path) -> None:
    command = ["-h", str(server.socket_dir()), "-U", "postgres", "-D", str(into), "-c", "fast", "-X", "stream"]
    done = subprocess.run([binary("pg_basebackup"), *command], capture_output=True)
    assert done.returncode == 0, done.stderr


def _rows(server: EmbeddedServer, statement: str) -> list[tuple[object, ...]]:
    engine = create_engine(server.url())
    with engine.begin() as connection:
        rows = [tuple(row) for row in connection.execute(text(statement))]
    engine.dispose()
    return rows


async def _fill(memory: LocalMuniment) -> tuple[list[str], str, str]:
    """The sentence by every way in; the records of the chat, the source, and a query run that found it."""
    await memory.ingest(SourceInput(kind="text", text="The ferry to Amalthea leaves at noon.", source_key="ferry"))
    run = await memory.ingest(
        SourceInput(
            kind="file", filename=f"{WORDS[3]}.md", content_base64=_base64(NOTE), source_key=f"notes/{WORDS[0]}",
            title=f"On {WORDS[1]}", metadata={"about": WORDS[2]},
        ),
        idempotency_key=f"note of {WORDS[4]}",
    )  # fmt: skip
    broken = base64.b64encode(f'[{{"role": "user", "content": "{PHRASE}"}},'.encode()).decode()
    failed = await memory.ingest(
        SourceInput(kind="file", filename="broken.json", content_base64=broken, title=PHRASE), raise_on_failure=False
    )
    assert failed.items[0].state == "failed"
    chat = await memory.ingest_messages(
        [
            {"role": "user", "content": "Who met?", "id": "m1"},
            {"speaker": WORDS[4].title(), "content": PHRASE, "id": "m2", "metadata": {"about": WORDS[2]}},
            {"role": "user", "content": "The lighthouse is red.", "id": "m3"},
            {"speaker": WORDS[4].title(), "content": f"I live in {WORDS[1].title()}.", "id": "m4"},
            {"speaker": WORDS[4].title(), "content": f"I now live in {WORDS[2].title()}.", "id": "m5"},
        ],
        group_id="chat",
    )
    found = await memory.search(PHRASE)
    await memory.query(f"Where did {WORDS[0]} meet?")
    await memory.search(f"{WORDS[1]} and {WORDS[2]}")
    runtime = await memory._open()
    async with runtime.database.scope(runtime.tenant.number) as scope:
        await enqueue(scope, "note", {"text": PHRASE})
        await _put_failed_job(scope)
    assert await runtime.runner.drain(60)
    told = chat.items[0].record_ids or []
    return [told[1], *told[3:]], run.items[0].source_id or "", found.query_id


async def _put_failed_job(scope: Scope) -> None:
    """A dead letter whose error quotes the sentence, as one of a careless handler would."""
    job = await enqueue(scope, "note", {"text": PHRASE})
    await scope.execute("jobs.record_error", job=job, error=f"RuntimeError: {PHRASE}", outcome="dead")


def _base64(content: str) -> str:
    return base64.b64encode(content.encode()).decode()


def _vector(server: EmbeddedServer, record: str) -> bytes:
    """A part of the record's vector as it lies in files."""
    ((shown,),) = _rows(
        server,
        "select e.vector::text from muniment.embedding e join muniment.record r using (tenant_id, record_no) "  # noqa: S608
        f"where 'd_' || replace(r.record_id::text, '-', '') = '{record}'",
    )
    return np.array([float(part) for part in str(shown)[1:-1].split(",")], dtype="<f2").tobytes()[:64]


async def _until_vacuumed(memory: LocalMuniment, erasure: str) -> None:
    runtime = await memory._open()
    deadline = time.monotonic() + 120
    while (await memory.erasure(erasure)).state != "vacuumed":
        assert time.monotonic() < deadline, await memory.jobs()
        await runtime.runner.drain(10)


async def test_what_is_erased_is_in_no_row_no_file_and_no_backup_and_leaves_a_restored_one_too(tmp_path: Path) -> None:
    place, before, after = tmp_path / "store", tmp_path / "before", tmp_path / "after"
    server = EmbeddedServer(place)
    async with LocalMuniment(_settings(place), Namespace()) as memory:
        records, source, query = await _fill(memory)
        vector = _vector(server, records[0])
        _backup(server, before)
        assert set(_found_in(_dump(server))) == {*WORDS, PHRASE.lower()}  # the search can find
        claims = (await memory.claims(status=["ACTIVE", "SUPERSEDED"])).claims
        assert [(claim.object, claim.status) for claim in claims] == [
            (WORDS[1].title(), "SUPERSEDED"), (WORDS[2].title(), "ACTIVE"),
        ]  # fmt: skip
        receipt = await memory.erase(records=records, sources=[source], reason="asked to")
        assert (receipt.state, receipt.records >= 2) == ("purged", True)
        assert _found_in(_dump(server)) == []
        assert (await memory.claims(status=["ACTIVE", "CONTESTED", "SUPERSEDED"])).claims == []
        ((written,),) = _rows(server, "select pg_walfile_name(pg_current_wal_lsn())")
        await _until_vacuumed(memory, receipt.id)
        assert min(name for (name,) in _rows(server, "select name from pg_ls_waldir()")) > str(written)  # type: ignore[type-var]
        _backup(server, after)
        assert (await memory.validate()).findings == []
        assert (await memory.record(records[0])).text is None
        verify_record_proof(await memory.proof(records[0]))
        assert [hit.text for hit in (await memory.search("lighthouse ferry")).hits] != []
        run = await memory.query_run(query)
        assert run.question == "" and records[0] in [hit.record_id for hit in run.hits]
        with pytest.raises(MunimentError) as caught:
            await memory.explain(query)
        assert caught.value.code == "run.erased"
        again = await memory.erase(records=records, reason="asked twice")
        assert again.id == receipt.id
    assert server.wait_stopped()
    assert _found_in_files(place, vector) == {}
    assert _found_in_files(after, vector) == {}
    assert _found_in_files(before, vector) != {}
    await _restore_and_look(place, before, tmp_path / "restored", receipt.id, records[0])


async def _restore_and_look(place: Path, backup: Path, restored: Path, erasure: str, record: str) -> None:
    """The backup of before, put in the place of the database: the ledger beside it takes the content out again."""
    os.mkdir(restored, mode=0o700)
    shutil.copytree(backup, restored / "postgres")
    os.chmod(restored / "postgres", 0o700)
    shutil.copytree(place / "erasures", restored / "erasures")
    assert _found_in((restored / "erasures").joinpath(os.listdir(restored / "erasures")[0]).read_bytes()) == []
    async with LocalMuniment(_settings(restored), Namespace()) as memory:
        assert (await memory.record(record)).text is None
        assert _found_in(_dump(EmbeddedServer(restored))) == []
        assert (await memory.erasure(erasure)).records >= 2
        assert (await memory.validate()).findings == []
