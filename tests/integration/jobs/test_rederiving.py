"""What an earlier version of the program derived is derived anew by a job, and is told of until then."""

from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, text

from muniment.database.files import sql_directory
from muniment.jobs import rederiving
from muniment.jobs.context import JobContext
from muniment.jobs.rederiving import outdated_derivations, rederive, schedule_rederiving
from muniment.memory.local import LocalMuniment
from muniment.model.derivations import CLAIMS_VERSION, CURRENT, RULES_VERSION
from muniment.model.namespace import Namespace
from muniment.runtime import Runtime, open_runtime
from muniment.settings import Settings

_DEFINED_IN = ("definition.sql", "names.sql")
_DEFINITION: dict[str, str] = {"2": "bafe6cb96b314b9f", "3": "520c0414d4dab275"}
"""The digest of the definition of claims of each version: whoever changes it raises CLAIMS_VERSION."""


async def _run(runtime: Runtime, statement: str, **values: Any) -> list[Any]:
    async with runtime.database.scope(runtime.tenant.number) as scope:
        result = await scope.connection.execute(text(statement), values)
        return list(result.all()) if result.returns_rows else []


@pytest.fixture
def settings(admin_url: str, tmp_path: Path) -> Settings:
    return Settings(
        database_url=admin_url, data_dir=tmp_path / "store", embedding_provider="none", summaries="off",
        extraction="rules",
    )  # type: ignore[arg-type]  # fmt: skip


async def test_what_earlier_versions_derived_is_told_of_and_derived_anew(settings: Settings) -> None:
    async with open_runtime(settings, run_jobs=False) as runtime:
        memory = LocalMuniment(settings, Namespace(project_id="p"))
        memory._runtime = runtime
        said = [{"speaker": "Maya", "content": "I live in Lyon.", "at": "2024-01-10T09:00:00Z"}]
        await memory.ingest_messages(said, group_id="chat")
        await runtime.runner.drain()
        assert (await memory.validate()).notes == []
        # as an earlier version would have left it: other facts, other claims
        await _run(runtime, "update muniment.derivation set version = '0'")
        await _run(runtime, "update muniment.extraction set extractor = 'rules:0', state = 'none'")
        await _run(runtime, "update muniment.claim set object = 'Lyons'")
        notes = (await memory.validate()).notes
        assert [note.split(":")[0] for note in notes] == ["claims", "rules", "summaries"]
        assert "muniment rebuild" in notes[0] and "muniment extract" in notes[1] and "muniment rebuild" in notes[2]
        await schedule_rederiving(runtime.database, runtime.tenant.number)
        await runtime.runner.drain()
        assert [claim.object for claim in (await memory.claims()).claims] == ["Lyon"]
        assert await _run(runtime, "select distinct extractor from muniment.extraction") == [
            (f"rules:{RULES_VERSION}",)
        ]
        report = await memory.validate()
        assert (report.valid, report.notes) == (True, [])
        assert dict(await _run(runtime, "select name, version from muniment.derivation")) == CURRENT  # type: ignore[arg-type]
        memory._runtime = None


async def _left_by_an_earlier_version(memory: LocalMuniment, runtime: Runtime) -> None:
    said = [
        {"speaker": "Maya", "content": "I live in Lyon.", "at": "2024-01-10T09:00:00Z"},
        {"speaker": "Maya", "content": "We moved to Slack.", "at": "2024-02-10T09:00:00Z"},
    ]
    await memory.ingest_messages(said, group_id="chat")
    await memory.extract("rules")
    await runtime.runner.drain()
    await _run(runtime, "update muniment.derivation set version = '0'")
    await _run(runtime, "update muniment.extraction set extractor = 'rules:0'")
    assert runtime.prepared.admin_url is not None
    engine = create_engine(runtime.prepared.admin_url)
    with engine.begin() as connection:  # what the service may not do
        connection.execute(text("update muniment.fact set extractor = 'rules:0', object = 'Slack'"))
    engine.dispose()


@pytest.mark.parametrize("extraction", ["rules", "off"])
async def test_what_an_earlier_version_read_wrongly_goes_also_where_nothing_new_is_read(
    settings: Settings, extraction: str
) -> None:
    settings = settings.model_copy(update={"extraction": extraction})
    async with open_runtime(settings, run_jobs=False) as runtime:
        memory = LocalMuniment(settings, Namespace(project_id="p"))
        memory._runtime = runtime
        await _left_by_an_earlier_version(memory, runtime)
        await schedule_rederiving(runtime.database, runtime.tenant.number)
        await runtime.runner.drain()
        assert [claim.object for claim in (await memory.claims(subject="Maya")).claims] == ["Lyon"]
        facts = """
          select f.object from muniment.fact f join muniment.liveness l using (tenant_id, record_no)
           where l.live_to_commit is null"""
        assert await _run(runtime, facts) == [("Lyon",)]
        memory._runtime = None


async def test_it_is_asked_for_once_and_run_twice_it_does_nothing(settings: Settings) -> None:
    async with open_runtime(settings, run_jobs=False) as runtime:
        memory = LocalMuniment(settings, Namespace(project_id="p"))
        memory._runtime = runtime
        await _left_by_an_earlier_version(memory, runtime)
        for _ in range(3):
            await schedule_rederiving(runtime.database, runtime.tenant.number)
        queued = await _run(runtime, "select count(*) from muniment.job where kind = 'rederive'")
        assert queued == [(1,)]
        context = JobContext(runtime.database, runtime.settings)
        assert (await rederive(context, runtime.tenant.number, {}))["records"] == 2
        assert await rederive(context, runtime.tenant.number, {}) == {"keys": 0, "records": 0, "groups": 0}
        await runtime.runner.drain()
        assert [claim.object for claim in (await memory.claims(subject="Maya")).claims] == ["Lyon"]
        memory._runtime = None


async def test_killed_between_claims_and_facts_the_next_run_does_the_rest(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_runtime(settings, run_jobs=False) as runtime:
        memory = LocalMuniment(settings, Namespace(project_id="p"))
        memory._runtime = runtime
        await _left_by_an_earlier_version(memory, runtime)
        context = JobContext(runtime.database, runtime.settings)

        async def killed(*_: Any, **__: Any) -> int:
            raise ConnectionError

        monkeypatch.setattr(rederiving, "ask_for_facts", killed)
        with pytest.raises(ConnectionError):
            await rederive(context, runtime.tenant.number, {})
        monkeypatch.undo()
        assert [note.split(":")[0] for note in (await memory.validate()).notes] == ["rules", "summaries"]
        assert await rederive(context, runtime.tenant.number, {}) == {"keys": 0, "records": 2, "groups": 0}
        await runtime.runner.drain()
        assert [claim.object for claim in (await memory.claims(subject="Maya")).claims] == ["Lyon"]
        memory._runtime = None


async def test_an_empty_store_has_nothing_to_derive_anew(settings: Settings) -> None:
    async with open_runtime(settings, run_jobs=False) as runtime:
        await _run(runtime, "update muniment.derivation set version = '0'")
        context = JobContext(runtime.database, runtime.settings)
        assert await rederive(context, runtime.tenant.number, {}) == {"keys": 0, "records": 0, "groups": 0}
        await schedule_rederiving(runtime.database, runtime.tenant.number)
        assert await outdated_derivations(runtime.database, runtime.tenant.number) == []


async def test_without_a_method_what_is_set_up_reads_and_rules_where_nothing_is(settings: Settings) -> None:
    settings = settings.model_copy(update={"extraction": "off"})
    async with open_runtime(settings, run_jobs=False) as runtime:
        memory = LocalMuniment(settings, Namespace(project_id="p"))
        memory._runtime = runtime
        assert (await memory.extract()).records == 0  # nothing is there
        await memory.ingest_messages([{"speaker": "Maya", "content": "I live in Lyon."}], group_id="chat")
        await runtime.runner.drain()
        assert (await memory.claims()).claims == []
        asked = await memory.extract()
        assert (asked.method, asked.records) == ("rules", 1)
        assert (await memory.extract()).records in (0, 1)  # asked for twice before a job has read it
        assert (await memory.claims()).pending
        await runtime.runner.drain()
        assert [claim.object for claim in (await memory.claims()).claims] == ["Lyon"]
        assert (await memory.extract()).records == 0
        assert [record.kind for record in (await memory.records(kind="fact")).records] == ["fact"]
        memory._runtime = None


async def test_a_rebuild_derives_the_claims_anew_at_once(settings: Settings) -> None:
    async with open_runtime(settings, run_jobs=False) as runtime:
        await _run(runtime, "update muniment.derivation set version = '0'")
        memory = LocalMuniment(settings, Namespace())
        memory._runtime = runtime
        await memory.rebuild()
        assert [note.split(":")[0] for note in (await memory.validate()).notes] == ["rules", "summaries"]
        memory._runtime = None


def test_the_definition_of_claims_has_the_version_that_it_says() -> None:
    digest = sha256()
    for name in _DEFINED_IN:
        lines = (sql_directory() / "functions" / "claims" / name).read_text("utf-8").splitlines()
        digest.update("\n".join(line for line in lines if not line.lstrip().startswith("--")).encode())
    assert _DEFINITION.get(CLAIMS_VERSION) == digest.hexdigest()[:16], "raise CLAIMS_VERSION, and note its digest here"
