"""Plots of runs, by matplotlib where the extra ``bench`` is installed; reports do without them where it is not."""

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from muniment.bench.runs import Line
from muniment.bench.scores import OVERALL, answerability_scores
from muniment.bench.scoring import auroc, recall, roc_curve

if TYPE_CHECKING:
    from matplotlib.axes import Axes

EXTRA = "muniment[bench]"
# Okabe and Ito's colours, which people with any colour vision tell apart
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999999")
_RANKS = 50
_STAGES = 7


def can_draw() -> bool:
    """Whether matplotlib is installed."""
    return find_spec("matplotlib") is not None


def draw_run(out: Path, lines: Sequence[Line]) -> dict[str, str]:
    """Draws what the lines allow into the directory; gives file names by caption, none without matplotlib."""
    drawn: dict[str, str] = {}
    if not can_draw():
        return drawn
    if any(line.metrics for line in lines):
        drawn["Recall at k"] = _plot(out / "recall.png", lambda axes: _recall(axes, lines))
    drawn["Latency of searches and of their stages"] = _plot(out / "latency.png", lambda axes: _latency(axes, lines))
    yes, no = answerability_scores(lines)
    if yes and no:
        drawn["Answerability"] = _plot(out / "answerability.png", lambda axes: _roc(axes, yes, no))
    return drawn


def draw_differences(path: Path, rows: Sequence[tuple[str, float, float, float]]) -> str | None:
    """Differences with their intervals, each ``(label, difference, low, high)``; None without matplotlib."""
    if not can_draw() or not rows:
        return None

    def draw(axes: "Axes") -> None:
        places = list(range(len(rows)))[::-1]
        middle = [row[1] for row in rows]
        spread = [[row[1] - row[2] for row in rows], [row[3] - row[1] for row in rows]]
        axes.axvline(0, color="#999999", linewidth=1)
        axes.errorbar(middle, places, xerr=spread, fmt="o", color=_COLOURS[0], capsize=3, markersize=4)
        axes.set_yticks(places, [row[0] for row in rows])
        axes.set_xlabel("B less A, in points, with the 95 % interval")

    return _plot(path, draw, height=1.2 + 0.28 * len(rows))


def _plot(path: Path, draw: Any, height: float = 4.0) -> str:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.2, height), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)
    draw(axes)
    figure.savefig(path, dpi=120, metadata={"Software": None})
    return path.name


def _recall(axes: "Axes", lines: Sequence[Line]) -> None:
    measured = [line for line in lines if line.metrics]
    parts = {OVERALL: [line for line in measured if line.answerable]}
    kinds = sorted({line.kind for line in measured})
    if len(kinds) > 1:
        parts |= {kind: [line for line in measured if line.kind == kind] for kind in kinds}
    ranks = range(1, _RANKS + 1)
    for (name, part), colour in zip(parts.items(), _COLOURS, strict=False):
        if part:
            share = [100 * sum(recall(line.ranked, set(line.evidence), k) for line in part) / len(part) for k in ranks]
            axes.plot(ranks, share, label=name, color=colour, linewidth=2.4 if name == OVERALL else 1.3)
    axes.set(xlabel="k", ylabel="R@k, %", title="Evidence within the first k", ylim=(0, 101))
    axes.legend(frameon=False, loc="lower right")


def _latency(axes: "Axes", lines: Sequence[Line]) -> None:
    series = {"search": [timing.ms for line in lines for timing in line.timings]}
    for line in lines:
        for timing in line.timings:
            for stage, ms in timing.stages.items():
                series.setdefault(stage, []).append(ms)
    longest = sorted(series, key=lambda name: -float(np.median(series[name])))[:_STAGES]
    for name, colour in zip(longest, _COLOURS, strict=False):
        values = np.sort(np.maximum(series[name], 1e-3))
        share = 100 * np.arange(1, len(values) + 1) / len(values)
        axes.step(values, share, where="post", label=name, color=colour, linewidth=2.4 if name == "search" else 1.3)
    axes.set(xscale="log", xlabel="milliseconds", ylabel="searches, %", title="Searches done within a time")
    axes.legend(frameon=False, loc="upper left")


def _roc(axes: "Axes", yes: Sequence[float], no: Sequence[float]) -> None:
    false, true = roc_curve(yes, no)
    axes.plot([0, 1], [0, 1], color="#999999", linewidth=1, linestyle="--")
    axes.plot(false, true, color=_COLOURS[0], linewidth=2)
    axes.set(xlabel="unanswerable taken for answerable", ylabel="answerable taken for answerable")
    axes.set_title(f"Answerability, AUROC {auroc(yes, no):.3f}")
