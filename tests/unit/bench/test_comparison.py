"""Comparing two runs: what differs, how sure that is, and when they cannot be compared."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.bench.comparison import (
    Comparison,
    bootstrap_means,
    compare,
    comparison_report,
    sign_test,
    write_comparison,
)
from muniment.bench.runs import META, RUN, Line, Run, Timing, read_run, write_json, write_lines
from muniment.errors import MunimentError

FEW = 400


def line(qid: str, share: float, score: float, ms: float = 10.0, answerable: bool = True, kind: str = "plain") -> Line:
    return Line(qid, kind, answerable, ["a"], ["a"], score, Timing(ms), 100, {"R@10": share, "MRR": share / 2})


def run(name: str, *lines: Line, digest: str = "d") -> Run:
    return Run(name, {"data_sha256": digest}, {item.qid: item for item in lines})


def shown(found: Comparison) -> dict[tuple[str, str], Any]:
    return {(row.kind, row.metric): row for row in found.differences}


runs = st.lists(
    st.tuples(st.sampled_from([0.0, 0.5, 1.0]), st.sampled_from([0.0, 0.5, 1.0]), st.floats(1, 100), st.booleans()),
    min_size=2,
    max_size=20,
)


def pair(rows: list[tuple[float, float, float, bool]]) -> tuple[Run, Run]:
    a = [line(str(i), x, x, ms, able) for i, (x, _, ms, able) in enumerate(rows)]
    b = [line(str(i), y, y, 2 * ms, able) for i, (_, y, ms, able) in enumerate(rows)]
    return run("a", *a), run("b", *b)


def test_the_comparison_is_paired_by_question() -> None:
    a = run("a", line("1", 0.0, 0.1), line("2", 1.0, 0.2), line("3", 0.0, 0.3), line("4", 0.0, 0.4))
    b = run("b", line("4", 1.0, 0.4), line("2", 0.5, 0.2), line("3", 1.0, 0.3), line("1", 1.0, 0.1))
    row = shown(compare(a, b))[("overall", "R@10")]
    assert (row.n, row.a, row.b, row.difference) == (4, 25.0, 87.5, 62.5)
    assert (row.better, row.worse, row.p) == (3, 1, 0.625)
    assert row.low < 62.5 < row.high
    assert (row.low, row.high) == (-12.5, 100.0)


@given(runs)
@settings(deadline=None, max_examples=25)
def test_a_run_does_not_differ_from_itself(rows: list[tuple[float, float, float, bool]]) -> None:
    a, _ = pair(rows)
    found = compare(a, a, resamples=FEW)
    assert all(row.difference == 0 and row.low <= 0 <= row.high for row in found.differences)
    assert all(row.p in (None, 1.0) for row in found.differences)
    assert (found.latency.ratio, found.latency.low, found.latency.high) == (1.0, 1.0, 1.0)


@given(runs)
@settings(deadline=None, max_examples=25)
def test_swapping_the_runs_turns_every_sign_and_every_interval(rows: list[tuple[float, float, float, bool]]) -> None:
    a, b = pair(rows)
    there, back = shown(compare(a, b, resamples=FEW)), shown(compare(b, a, resamples=FEW))
    assert there.keys() == back.keys()
    for key, row in there.items():
        other = back[key]
        assert (row.difference, row.low, row.high) == pytest.approx(
            (-other.difference, -other.high, -other.low), abs=0.002
        )  # each is rounded to 0.001
        assert (row.better, row.worse, row.p) == (other.worse, other.better, other.p)


def test_a_latency_twice_as_long_is_a_ratio_of_two() -> None:
    a, b = pair([(1.0, 1.0, 3.0, True), (0.0, 1.0, 50.0, True), (1.0, 0.0, 7.0, True)])
    assert compare(a, b).latency.ratio == 2.0
    assert compare(b, a).latency.ratio == 0.5


def test_answerability_is_compared_by_the_area_over_both_kinds_of_question() -> None:
    a = run("a", line("1", 1, 0.2), line("2", 1, 0.4), line("3", 1, 0.3, answerable=False))
    b = run("b", line("1", 1, 0.8), line("2", 1, 0.9), line("3", 1, 0.3, answerable=False))
    row = shown(compare(a, b))[("answerability", "AUROC")]
    assert (row.a, row.b, row.difference, row.n) == (50.0, 100.0, 50.0, 3)


def test_the_same_seed_gives_the_same_interval_and_another_one_like_it() -> None:
    values = np.random.default_rng(1).normal(2.0, 1.0, (200, 1))
    first, again, other = (bootstrap_means(values, 10_000, seed) for seed in (5, 5, 6))
    assert first == again
    assert first[0][0] == pytest.approx(other[0][0], abs=0.02) and first[0] != other[0]
    # the interval of a mean of 200 values of deviation 1 is about 2 * 1.96 / sqrt(200) wide
    assert first[1][0] - first[0][0] == pytest.approx(0.277, abs=0.04)


def test_the_sign_test_is_exact_and_two_sided() -> None:
    assert sign_test(0, 0) == 1.0
    assert sign_test(8, 2) == pytest.approx(0.109375)
    assert sign_test(2, 8) == sign_test(8, 2)
    assert sign_test(5, 5) == 1.0


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (run("b", line("1", 1, 1), digest="e"), "different data files"),
        (run("b", line("1", 1, 1), line("2", 1, 1)), "different questions"),
        (run("b", line("2", 1, 1)), "different questions"),
        (run("b", line("1", 1, 1, kind="other")), "measured differently"),
        (run("b", replace(line("1", 1, 1), metrics={"R@5": 1.0})), "measured differently"),
    ],
)
def test_runs_over_other_data_or_questions_are_not_compared(other: Run, words: str) -> None:
    with pytest.raises(MunimentError, match=words) as caught:
        compare(run("a", line("1", 1, 1)), other)
    assert caught.value.code == "input.invalid"


def test_a_run_is_read_as_it_was_written_from_its_directory_or_its_file(tmp_path: Path) -> None:
    written = replace(
        line("1", 0.5, 0.25), repeats=[Timing(3.0, {"plan": 1.0})], notes=["less"], abstained=True, differs=True
    )
    write_lines(tmp_path / RUN, [written, line("2", 1.0, 0.5)])
    write_json(tmp_path / META, {"data_sha256": "d"})
    for place in (tmp_path, tmp_path / RUN):
        read = read_run(place)
        assert read.lines["1"] == written
        assert read.meta == {"data_sha256": "d"}


@pytest.mark.parametrize("text", ["", "{", '{"qid": "1"}\n', "[]\n", "7\n"])
def test_what_is_no_run_is_an_error_that_says_so(text: str, tmp_path: Path) -> None:
    (tmp_path / RUN).write_text(text, encoding="utf-8")
    with pytest.raises(MunimentError) as caught:
        read_run(tmp_path)
    assert caught.value.code == "bench.data_invalid"


def test_the_comparison_is_written_as_a_table_as_json_and_as_a_plot(tmp_path: Path) -> None:
    a, b = pair([(0.0, 1.0, 5.0, True), (1.0, 1.0, 5.0, True)])
    found = compare(a, b)
    write_comparison(tmp_path, found)
    report = (tmp_path / "comparison.md").read_text(encoding="utf-8")
    assert "| overall | R@10 | 2 | 50.0 | 100.0 | +50.0 | +0.0 to +100.0 | 1 | 0 | 1.000 |" in report
    assert "seed 20240" in report and "2.00 times as long" in report
    assert "comparison.png" in report and (tmp_path / "comparison.png").read_bytes().startswith(b"\x89PNG")
    assert comparison_report(found, None) in report
