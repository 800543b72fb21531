"""The command line: the same over a store and over a server, JSON for programs, exit codes as documented."""

import json
import os
import subprocess
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.acceptance.conftest import LiveServer, command


@dataclass(frozen=True, slots=True)
class Done:
    """How a command ended, and what it said."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Done]


def _run(environment: dict[str, str], *arguments: str, stdin: bytes = b"") -> Done:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("MUNIMENT_")}
    done = subprocess.run(command(*arguments), input=stdin, capture_output=True, env=clean | environment, timeout=120)
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


@pytest.fixture(scope="module", params=["store", "server"])
def muniment(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """Runs the command line, once over a store of its own and once over the live server."""
    if request.param == "server":
        live: LiveServer = request.getfixturevalue("live_server")
        environment = {"MUNIMENT_SERVER_URL": live.url, "MUNIMENT_API_KEY": live.key}
    else:
        environment = {"MUNIMENT_DATA_DIR": str(tmp_path_factory.mktemp("cli") / "store")}
    yield lambda *arguments, stdin=b"": _run(environment, *arguments, stdin=stdin)


@pytest.fixture(scope="module")
def project() -> str:
    return f"project-{uuid.uuid4().hex}"


@pytest.fixture(scope="module")
def ingested(muniment: Run, project: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with two documents, and a chat, ingested."""
    root = tmp_path_factory.mktemp("documents")
    (root / "deep").mkdir()
    (root / "pier.md").write_text("# The pier\n\nThe pier is painted blue every spring.\n", encoding="utf-8")
    (root / "deep" / "ferry.txt").write_text("The ferry Amalthea leaves at 06:40.\n", encoding="utf-8")
    (root / "picture.bin").write_bytes(bytes(range(256)))
    done = muniment("ingest", str(root), "--project", project, "--json")
    assert done.code == 0, done.err
    states = {item["source_key"]: item["state"] for run in done.json for item in run["items"]}
    listed = {f"{root.name}/": "stored"}
    assert states == {"pier.md": "stored", "deep/ferry.txt": "stored"} | listed and "picture.bin" in done.err
    chat = root / "chat.json"
    chat.write_text(json.dumps([
        {"speaker": "Ines", "content": "Where is the spare key?", "at": "2026-03-03T09:00:00+01:00"},
        {"speaker": "Tomas", "content": "The spare key is in the tin behind the coffee machine.", "id": "m2"},
    ]), encoding="utf-8")  # fmt: skip
    done = muniment("ingest", "--messages", str(chat), "--group", "chat:pier", "--project", project)
    assert done.code == 0 and "chat:pier" in done.out, done.err
    return root


def test_what_was_ingested_is_found_answered_and_shown(muniment: Run, ingested: Path, project: str) -> None:
    found = muniment("search", "ferry Amalthea", "--top-k", "1", "--project", project, "--json").json
    assert [hit["text"].strip() for hit in found["hits"]] == ["The ferry Amalthea leaves at 06:40."]
    answer = muniment("query", "Where is the spare key of the pier?", "--project", project, "--json").json
    assert not answer["abstain"] and "coffee machine" in answer["citations"][0]["excerpt"]
    record = muniment("show", answer["citations"][0]["record_id"], "--json").json
    assert record["speaker"] == "Tomas" and record["group_id"] == "chat:pier"
    for_people = muniment("query", "Where is the spare key of the pier?", "--project", project)
    assert for_people.code == 0 and "coffee machine" in for_people.out and record["id"] in for_people.out


def test_a_run_is_listed_explained_and_made_again(muniment: Run, ingested: Path, project: str) -> None:
    other = muniment("search", "pier", "--project", project, "--json").json["hits"][0]["record_id"]
    found = muniment("search", "ferry Amalthea", "--top-k", "1", "--project", project, "--json").json
    query, hit = found["query_id"], found["hits"][0]
    assert query in muniment("query-runs").out
    told = muniment("explain", query)
    assert told.code == 0, told.err
    assert all(word in told.out for word in ("lexical", "~amalthea", "coverage", "sum", hit["record_id"]))
    missing = muniment("explain", query, "--record", other)
    assert missing.code == 0 and "not returned" in missing.out and "fell at the step" in missing.out
    replayed = muniment("explain", query, "--replay")
    assert replayed.code == 0 and "identical" in replayed.out, replayed.out + replayed.err


def test_a_question_that_nothing_bears_on_is_declined(muniment: Run, ingested: Path, project: str) -> None:
    done = muniment("query", "What is the melting point of tungsten?", "--project", project)
    assert done.code == 0 and "I don't have enough grounded evidence to answer that." in done.out


def test_sources_and_runs_tell_what_is_there(muniment: Run, ingested: Path, project: str) -> None:
    sources = muniment("sources", "--project", project, "--json").json
    assert {source["source_key"] for source in sources} == {
        "pier.md",
        "deep/ferry.txt",
        "chat:pier",
        f"{ingested.name}/",
    }
    two = muniment("sources", "--limit", "2", "--project", project, "--json")
    assert two.json == sources[:2] and "the first 2 of more" in two.err
    assert "of more" not in muniment("sources", "--limit", "4", "--project", project).err
    one = muniment("sources", sources[0]["id"], "--json").json
    assert [version["version"] for version in one["versions"]] == [1]
    runs = muniment("runs", "--json").json
    assert muniment("runs", runs[0]["id"], "--json").json["id"] == runs[0]["id"]


def test_ingesting_again_changes_nothing(muniment: Run, ingested: Path, project: str) -> None:
    done = muniment("ingest", str(ingested / "pier.md"), "--source-key", "pier.md", "--project", project, "--json")
    assert [item["state"] for run in done.json for item in run["items"]] == ["unchanged"]


def test_standard_input_is_a_source(muniment: Run, project: str) -> None:
    text = b"The lighthouse keeper is called Berit."
    done = muniment("ingest", "-", "--source-key", "keeper", "--project", project + "-stdin", "--json", stdin=text)
    assert done.json[0]["items"][0]["source_key"] == "keeper"


def test_what_is_said_of_all_that_is_ingested_stands_in_its_records(
    muniment: Run, project: str, tmp_path: Path
) -> None:
    chat = tmp_path / "said.json"
    chat.write_text(json.dumps([
        {"speaker": "Ines", "content": "The buoy is green.", "at": "2026-03-03T09:00:00+01:00", "metadata": {"n": 9}},
        {"speaker": "Ines", "content": "The buoy is loud."},
    ]), encoding="utf-8")  # fmt: skip
    said = ("--metadata", "team=core", "--metadata", "n=3", "--said-at", "2026-02-01T10:00:00Z", "--project", project)
    (item,) = muniment("ingest", "-", *said, "--json", stdin=b"The buoy is red.").json[0]["items"]
    record = muniment("show", item["record_ids"][0], "--json").json
    assert (record["metadata"], record["said_at"]) == ({"team": "core", "n": 3}, "2026-02-01T10:00:00Z")
    (item,) = muniment("ingest", "--messages", str(chat), *said, "--json").json[0]["items"]
    own, other = (muniment("show", each, "--json").json for each in item["record_ids"])
    assert (own["metadata"], own["said_at"]) == ({"team": "core", "n": 9}, "2026-03-03T09:00:00+01:00")
    assert (other["metadata"], other["said_at"]) == ({"team": "core", "n": 3}, "2026-02-01T10:00:00Z")
    for wrong, code in (("2026-02-01T10:00:00", "input.time_without_zone"), ("noon", "usage.invalid")):
        done = muniment("ingest", "-", "--said-at", wrong, stdin=b"x")
        assert done.code != 0 and code in done.err


def test_a_change_of_a_profile_is_told_by_version_and_by_what_changed(muniment: Run) -> None:
    name = f"p{uuid.uuid4().hex[:8]}"
    first = muniment("profile", "set", name, "lexical.k1=1.4").out
    assert f"{name} version 1" in first and "lexical.k1 = 1.4" in first and "graph.hops" not in first
    second = muniment("profile", "set", name, "lexical.k1=1.3").out
    assert f"{name} version 2" in second and "lexical.k1 = 1.3 (was 1.4)" in second
    again = muniment("profile", "set", name, "lexical.k1=1.3")
    assert "version 2" in again.out and "nothing changed" in again.out
    assert "graph" in muniment("profile", "set", name, "lexical.k1=1.2", "--json").json["parameters"]


def test_the_log_validates_proves_and_rebuilds(muniment: Run, ingested: Path, project: str, tmp_path: Path) -> None:
    note = tmp_path / "kept.txt"
    assert muniment("checkpoint", "--out", str(note)).code == 0
    assert note.read_text(encoding="utf-8").startswith("muniment/")
    record = muniment("search", "lighthouse spare key", "--project", project, "--json").json["hits"][0]["record_id"]
    assert record in muniment("proof", record).out
    proof, shown = tmp_path / "proof.json", tmp_path / "record.json"
    proof.write_text(muniment("proof", record, "--json").out, encoding="utf-8")
    shown.write_text(muniment("show", record, "--json").out, encoding="utf-8")
    verified = muniment("verify", str(proof), "--record", str(shown), "--json")
    assert verified.code == 0 and verified.json["content_checked"] is True
    shown.write_text(shown.read_text(encoding="utf-8").replace("spare", "spore"), encoding="utf-8")
    forged = muniment("verify", str(proof), "--record", str(shown), "--json")
    assert forged.code == 1 and json.loads(forged.err)["code"] == "proof.invalid"
    assert muniment("rebuild").code == 0
    done = muniment("validate", "--checkpoint", str(note), "--json")
    assert done.code == 0 and done.json["valid"] is True and done.json["checkpoint"] == "matches", done.out


@pytest.mark.parametrize(
    ("arguments", "code", "error"),
    [
        (("show", "d_00000000000000000000000000000000"), 4, "record.not_found"),
        (("show", "nonsense"), 4, "record.not_found"),
        (("runs", "r_00000000000000000000000000000000"), 4, "run.not_found"),
        (("query", ""), 3, "input.empty_text"),
        (("ingest",), 2, "usage.invalid"),
        (("ingest", "does-not-exist.txt"), 3, "source.unreadable"),
        (("ingest", "--messages", "does-not-exist.json"), 3, "source.unreadable"),
        (("search", "x", "--top-k", "100000"), 7, "input.too_many"),
        (("search", "x", "--project", ""), 3, "input.namespace_invalid"),
    ],
)
def test_what_goes_wrong_has_a_code_and_an_exit_status(
    muniment: Run, arguments: tuple[str, ...], code: int, error: str
) -> None:
    done = muniment(*arguments, "--json")
    assert done.code == code and json.loads(done.err)["code"] == error, done.err
    assert done.out == ""


def test_wrong_usage_exits_with_two(muniment: Run) -> None:
    assert muniment("search").code == 2
    assert muniment("no-such-command").code == 2


def test_a_server_that_is_not_there_is_said_so() -> None:
    done = _run({"MUNIMENT_SERVER_URL": "http://127.0.0.1:9", "MUNIMENT_API_KEY": "mun_x"}, "sources", "--json")
    assert done.code == 8 and json.loads(done.err)["code"] == "server.unreachable"


def test_a_wrong_key_is_said_so(live_server: LiveServer) -> None:
    done = _run({"MUNIMENT_SERVER_URL": live_server.url, "MUNIMENT_API_KEY": "mun_wrong"}, "sources", "--json")
    assert done.code == 5 and json.loads(done.err)["code"] == "auth.invalid"
