"""From the lines of a run to its figures."""

from collections.abc import Iterable, Sequence
from typing import Any

from muniment.bench.runs import Line
from muniment.bench.scoring import auroc, percentile

OVERALL = "overall"


def score_run(lines: Sequence[Line]) -> dict[str, Any]:
    """All figures: percentages by kind of question, answerability, milliseconds by stage, tokens of context.

    ``overall`` are the questions that are answerable as asked and whose evidence is known. Latencies are of all
    searches, rankings of each question's first.
    """
    scores: dict[str, Any] = {"kinds": by_kind(lines)}
    yes, no = answerability_scores(lines)
    if yes and no:
        scores["answerability"] = {"auroc": round(auroc(yes, no), 4), "answerable": len(yes), "unanswerable": len(no)}
    if any(line.abstained is not None for line in lines):
        scores["abstention"] = abstention(lines)
    scores["latency_ms"] = latencies(lines)
    tokens = [line.tokens for line in lines]
    scores["context_tokens"] = {
        "mean": round(sum(tokens) / max(1, len(tokens)), 1),
        "p50": percentile(tokens, 0.5),
        "p95": percentile(tokens, 0.95),
    }
    if any(line.repeats for line in lines):
        scores["rankings_that_differ"] = sum(line.differs for line in lines)
    scores["partial"] = sum(bool(line.notes) for line in lines)
    return scores


def by_kind(lines: Sequence[Line]) -> dict[str, dict[str, float]]:
    """Means in per cent, overall and by kind, in the order in which the kinds are first met."""
    measured = [line for line in lines if line.metrics]
    parts = {OVERALL: [line for line in measured if line.answerable]}
    for kind in sorted({line.kind for line in measured}):
        parts[kind] = [line for line in measured if line.kind == kind]
    return {name: _means(part) for name, part in parts.items() if part}


def _means(part: Sequence[Line]) -> dict[str, float]:
    means = {name: round(100 * sum(line.metrics[name] for line in part) / len(part), 1) for name in part[0].metrics}
    return means | {"n": len(part)}


def answerability_scores(lines: Iterable[Line]) -> tuple[list[float], list[float]]:
    """The scores of answerable and of unanswerable questions."""
    scored = [line for line in lines if line.score is not None]
    return (
        [line.score for line in scored if line.answerable is True and line.score is not None],
        [line.score for line in scored if line.answerable is False and line.score is not None],
    )


def abstention(lines: Iterable[Line]) -> dict[str, float]:
    """How well abstaining tells the unanswerable: precision and recall in per cent, and the answerable answered."""
    asked = [line for line in lines if line.abstained is not None and line.answerable is not None]
    abstained = [line for line in asked if line.abstained]
    unanswerable = [line for line in asked if not line.answerable]
    right = sum(not line.answerable for line in abstained)
    answered = sum(not line.abstained for line in asked if line.answerable)
    return {
        "precision": _percent(right, len(abstained)),
        "recall": _percent(right, len(unanswerable)),
        "answerable answered": _percent(answered, len(asked) - len(unanswerable)),
        "abstained": len(abstained),
    }


def _percent(part: int, whole: int) -> float:
    return round(100 * part / whole, 1) if whole else 0.0


def latencies(lines: Sequence[Line]) -> dict[str, dict[str, float]]:
    """Median and 95th percentile of all searches in milliseconds: ``search`` whole, then each stage."""
    series = {"search": [timing.ms for line in lines for timing in line.timings]}
    for line in lines:
        for timing in line.timings:
            for stage, ms in timing.stages.items():
                series.setdefault(stage, []).append(ms)
    return {
        name: {
            "p50": round(percentile(values, 0.5), 2),
            "p95": round(percentile(values, 0.95), 2),
            "n": len(values),
        }
        for name, values in series.items()
    }
