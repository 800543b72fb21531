"""Two runs over the same questions: how they differ, and how sure that is.

Differences are paired by question. The interval is the percentile bootstrap's (Efron 1979) over questions; the sign
test is exact and two-sided, over the questions on which the runs differ.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from muniment.bench.plots import draw_differences
from muniment.bench.report import markdown_table
from muniment.bench.runs import Line, Run, open_directory, write_json
from muniment.bench.scores import OVERALL
from muniment.bench.scoring import auroc, percentile
from muniment.errors import MunimentError

RESAMPLES = 10_000
SEED = 20_240
_CHUNK = 1000


@dataclass(frozen=True, slots=True)
class Difference:
    """One measure of one kind of question; ``a``, ``b`` and B less A in per cent and points, ``low`` to ``high``.

    ``better`` and ``worse`` count the questions on which B is; ``p`` is the sign test's, None where there is none.
    """

    kind: str
    metric: str
    n: int
    a: float
    b: float
    difference: float
    low: float
    high: float
    better: int | None = None
    worse: int | None = None
    p: float | None = None


@dataclass(frozen=True, slots=True)
class Latency:
    """Milliseconds of both, and the geometric mean of B over A by question, with its interval."""

    a_p50: float
    b_p50: float
    a_p95: float
    b_p95: float
    ratio: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """All differences between the runs named ``a`` and ``b``."""

    a: str
    b: str
    resamples: int
    seed: int
    differences: list[Difference]
    latency: Latency
    tokens: tuple[float, float]

    def plain(self) -> dict[str, Any]:
        """As JSON values."""
        return asdict(self)


def compare(a: Run, b: Run, *, resamples: int = RESAMPLES, seed: int = SEED) -> Comparison:
    """Compares the runs; raises ``input.invalid`` where they are not of the same data and questions."""
    _check(a, b)
    pairs = [(line, b.lines[qid]) for qid, line in a.lines.items()]
    measured = [pair for pair in pairs if pair[0].metrics]
    parts = {OVERALL: [pair for pair in measured if pair[0].answerable]}
    for kind in sorted({first.kind for first, _ in measured}):
        parts[kind] = [pair for pair in measured if pair[0].kind == kind]
    differences = [row for kind, part in parts.items() if part for row in _differences(kind, part, resamples, seed)]
    differences += _answerability(pairs, resamples, seed)
    return Comparison(
        a=a.name,
        b=b.name,
        resamples=resamples,
        seed=seed,
        differences=differences,
        latency=_latency(pairs, resamples, seed),
        tokens=(_mean([first.tokens for first, _ in pairs]), _mean([second.tokens for _, second in pairs])),
    )


def _check(a: Run, b: Run) -> None:
    digests = [run.meta.get("data_sha256") for run in (a, b)]
    if None not in digests and digests[0] != digests[1]:
        raise MunimentError("input.invalid", "the runs are of different data files", a=digests[0], b=digests[1])
    only = [sorted(a.lines.keys() - b.lines.keys()), sorted(b.lines.keys() - a.lines.keys())]
    if any(only):
        raise MunimentError(
            "input.invalid",
            f"the runs are of different questions: {len(only[0])} are only in the first, {len(only[1])} in the second",
            only_a=only[0][:5],
            only_b=only[1][:5],
        )
    for qid, line in a.lines.items():
        other = b.lines[qid]
        if (line.kind, line.metrics.keys()) != (other.kind, other.metrics.keys()):
            raise MunimentError("input.invalid", "a question is measured differently in the two runs", qid=qid)


def _differences(kind: str, part: Sequence[tuple[Line, Line]], resamples: int, seed: int) -> list[Difference]:
    names = list(part[0][0].metrics)
    a = np.array([[100 * first.metrics[name] for name in names] for first, _ in part])
    b = np.array([[100 * second.metrics[name] for name in names] for _, second in part])
    lows, highs = bootstrap_means(b - a, resamples, seed)
    rows = []
    for index, name in enumerate(names):
        change = (b - a)[:, index]
        better, worse = int((change > 1e-9).sum()), int((change < -1e-9).sum())
        means = a[:, index].mean(), b[:, index].mean()
        rows.append(
            Difference(
                kind, name, len(part), _r(means[0]), _r(means[1]), _r(change.mean()), _r(lows[index]), _r(highs[index]),
                better, worse, round(sign_test(better, worse), 5),
            )
        )  # fmt: skip
    return rows


def _r(value: float) -> float:
    return round(float(value), 3) + 0.0


def _mean(values: Sequence[float]) -> float:
    return round(sum(values) / max(1, len(values)), 1)


def bootstrap_means(
    values: NDArray[np.float64], resamples: int, seed: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The bounds of the 95 % percentile interval of the mean of each column of ``values`` (questions x measures)."""
    random, n = np.random.default_rng(seed), len(values)
    means = [
        random.multinomial(n, np.full(n, 1 / n), size=min(_CHUNK, resamples - start)) @ values / n
        for start in range(0, resamples, _CHUNK)
    ]
    low, high = np.quantile(np.concatenate(means), [0.025, 0.975], axis=0)
    return low, high


def sign_test(better: int, worse: int) -> float:
    """The chance of so uneven a split, or a more uneven one, if either sign were as likely; 1 where there is none."""
    n = better + worse
    tail = sum(comb(n, k) for k in range(min(better, worse) + 1))
    return min(1.0, float(2 * tail / 2**n))


def _answerability(pairs: Sequence[tuple[Line, Line]], resamples: int, seed: int) -> list[Difference]:
    scored = [(x, y) for x, y in pairs if x.answerable is not None and x.score is not None and y.score is not None]
    yes = np.array([(x.score, y.score) for x, y in scored if x.answerable], dtype=float)
    no = np.array([(x.score, y.score) for x, y in scored if not x.answerable], dtype=float)
    if not len(yes) or not len(no):
        return []
    random = np.random.default_rng(seed)
    wins = [_wins(yes[:, side], no[:, side]) for side in (0, 1)]
    change = wins[1] - wins[0]
    drawn = np.empty(resamples)
    for index in range(resamples):
        rows = random.multinomial(len(yes), np.full(len(yes), 1 / len(yes)))
        columns = random.multinomial(len(no), np.full(len(no), 1 / len(no)))
        drawn[index] = rows @ change @ columns / (len(yes) * len(no))
    a, b = (100 * auroc(list(yes[:, side]), list(no[:, side])) for side in (0, 1))
    low, high = 100 * np.quantile(drawn, [0.025, 0.975])
    return [Difference("answerability", "AUROC", len(scored), _r(a), _r(b), _r(b - a), _r(low), _r(high))]


def _wins(yes: NDArray[np.float64], no: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each answerable and each unanswerable question, whether the former scores higher; a tie is a half."""
    return (np.sign(yes[:, None] - no[None, :]) + 1) / 2


def _latency(pairs: Sequence[tuple[Line, Line]], resamples: int, seed: int) -> Latency:
    a, b = ([timing.ms for line in side for timing in line.timings] for side in zip(*pairs, strict=True))
    logs = np.array([[np.log(_typical(second) / _typical(first))] for first, second in pairs])
    low, high = bootstrap_means(logs, resamples, seed)
    return Latency(
        a_p50=percentile(a, 0.5),
        b_p50=percentile(b, 0.5),
        a_p95=percentile(a, 0.95),
        b_p95=percentile(b, 0.95),
        ratio=_r(np.exp(logs.mean())),
        low=_r(np.exp(low[0])),
        high=_r(np.exp(high[0])),
    )


def _typical(line: Line) -> float:
    middle: float = percentile([timing.ms for timing in line.timings], 0.5)
    return max(1e-3, middle)


def write_comparison(out: Path, found: Comparison) -> None:
    """Writes ``comparison.md``, ``comparison.json`` and, with matplotlib, a plot into the directory."""
    open_directory(out)
    rows = [(f"{d.kind}, {d.metric}", d.difference, d.low, d.high) for d in found.differences]
    plot = draw_differences(out / "comparison.png", rows)
    write_json(out / "comparison.json", found.plain())
    (out / "comparison.md").write_text(comparison_report(found, plot), encoding="utf-8")


def comparison_report(found: Comparison, plot: str | None) -> str:
    """The comparison as Markdown; ``plot`` is a file name beside it."""
    lines = [f"# {found.b} against {found.a}", ""]
    lines += [
        f"A is {found.a}, B is {found.b}. Differences are B less A, in points, paired by question, with the 95 % "
    ]
    lines[-1] += f"interval of {found.resamples} bootstrap resamples (seed {found.seed}); p is the exact sign test's."
    rows = [
        [
            row.kind, row.metric, row.n, f"{row.a:.1f}", f"{row.b:.1f}", f"{row.difference:+.1f}",
            f"{row.low:+.1f} to {row.high:+.1f}", _shown(row.better), _shown(row.worse),
            "" if row.p is None else f"{row.p:.3f}",
        ]
        for row in found.differences
    ]  # fmt: skip
    heads = ["questions", "measure", "n", "A", "B", "B - A", "95 %", "better", "worse", "p"]
    lines += ["", *markdown_table(heads, rows), ""]
    time = found.latency
    lines += [
        f"Search p50 {time.a_p50:.1f} ms and {time.b_p50:.1f} ms, p95 {time.a_p95:.1f} ms and {time.b_p95:.1f} ms; B "
        f"takes {time.ratio:.2f} times as long ({time.low:.2f} to {time.high:.2f}; geometric mean by question).",
        "",
        f"Context of the first hits: {found.tokens[0]} and {found.tokens[1]} tokens.",
    ]
    if plot is not None:
        lines += ["", f"![Differences]({plot})"]
    return "\n".join(lines) + "\n"


def _shown(count: int | None) -> str:
    return "" if count is None else str(count)
