"""The commands of ``muniment bench`` as they are typed."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from muniment.bench.runs import META, RUN, Line, Timing, write_json, write_lines
from muniment.cli.commands import bench
from muniment.errors import MunimentError


def run_in(directory: Path, share: float, digest: str = "d") -> Path:
    directory.mkdir()
    line = Line("1", "plain", True, ["a"], ["a"], 0.5, Timing(4.0), 10, {"R@10": share})
    write_lines(directory / RUN, [line])
    write_json(directory / META, {"data_sha256": digest})
    return directory


def test_compare_prints_a_table_or_json_and_writes_both_where_told_to(tmp_path: Path) -> None:
    a, b = run_in(tmp_path / "a", 0.0), run_in(tmp_path / "b", 1.0)
    text = CliRunner().invoke(bench.app, ["compare", str(a), str(b)])
    assert text.exit_code == 0 and "| overall | R@10 | 1 | 0.0 | 100.0 | +100.0 |" in text.stdout
    out = tmp_path / "out"
    printed = CliRunner().invoke(bench.app, ["compare", str(a), str(b), "--out", str(out), "--json"])
    assert json.loads(printed.stdout) == json.loads((out / "comparison.json").read_text(encoding="utf-8"))
    assert (out / "comparison.md").is_file()


def test_compare_refuses_runs_over_different_data(tmp_path: Path) -> None:
    a, b = run_in(tmp_path / "a", 0.0), run_in(tmp_path / "b", 1.0, digest="e")
    with pytest.raises(MunimentError, match="different data files"):
        CliRunner().invoke(bench.app, ["compare", str(a), str(b)], catch_exceptions=False)


def test_the_options_of_a_benchmark_reach_it_as_they_were_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text('{"id": "a", "title": "A", "text": "b"}\n', encoding="utf-8")
    asked = tmp_path / "questions.jsonl"
    asked.write_text('{"qid": "1", "question": "What?", "evidence": ["a"]}\n', encoding="utf-8")
    seen: list[Any] = []
    monkeypatch.setattr(bench, "_run", lambda *given: seen.extend(given))
    words = ["passages", "--corpus", str(corpus), "--questions", str(asked), "--out", str(tmp_path / "out")]
    words += ["--profile", "reference", "--without", "graph, claims", "--repeat", "3", "--limit-questions", "7"]
    assert CliRunner().invoke(bench.app, words).exit_code == 0
    benchmark, _, options, data_dir, _ = seen
    assert benchmark.name == "passages" and data_dir is None
    assert (options.profile, options.without, options.repeat) == ("reference", ("graph", "claims"), 3)
    assert (options.top_k, options.limit, options.ask) == (50, 7, False)


def test_requests_are_measured_over_http_by_processes_and_clients(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MUNIMENT_EMBEDDING_PROVIDER", "none")
    out = tmp_path / "requests.json"
    words = ["requests", "--records", "100", "--requests", "8", "--processes", "2", "--clients", "3", "--out", str(out)]
    done = CliRunner().invoke(bench.app, words, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    report = json.loads(out.read_text(encoding="utf-8"))
    assert [(row["processes"], row["clients"], row["what"]) for row in report["http"]] == [
        (2, 3, "search"), (2, 3, "ingest"),
    ]  # fmt: skip
    assert all(row["per_second"] > 0 and row["p95_ms"] >= row["p50_ms"] for row in report["http"])
    assert set(report["row_security"]) == {"search", "ingest"} and set(report["credentials"]) == {
        "api_key", "access_token",
    }  # fmt: skip
    ratios = [each[name] for each in report["credentials"].values() for name in ("known_ratio", "looked_up_ratio")]
    assert all(1 < ratio < 10 for ratio in ratios), "with a check a search takes longer, and not by much"
    assert CliRunner().invoke(bench.app, ["requests", "--clients", "none"]).exit_code == 2
