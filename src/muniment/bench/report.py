"""Figures as Markdown."""

from collections.abc import Mapping, Sequence
from typing import Any

from muniment.bench.plots import EXTRA


def markdown_table(heads: Sequence[str], rows: Sequence[Sequence[object]]) -> list[str]:
    """The lines of a table whose first column is text and whose others are numbers."""
    rules = ["---"] + ["---:"] * (len(heads) - 1)
    cells = [list(heads), rules, *([str(cell).replace("|", "\\|") for cell in row] for row in rows)]
    return ["| " + " | ".join(row) + " |" for row in cells]


def run_report(meta: Mapping[str, Any], scores: Mapping[str, Any], plots: Mapping[str, str]) -> str:
    """The report of one run; ``plots`` are file names beside it, by caption."""
    lines = [f"# {meta['benchmark']}", "", *_about(meta), ""]
    if scores["kinds"]:
        lines += ["## Evidence found, in per cent", "", *score_table(scores["kinds"]), ""]
    lines += _answerability(scores)
    lines += ["## Latency, in milliseconds", "", *latency_table(scores["latency_ms"]), ""]
    lines += ["`search` is measured at the caller, the question's embedding included; the stages are the server's own."]
    lines += ["`routes` holds the routes, which stand beside it.", ""]
    tokens = scores["context_tokens"]
    hits = meta["parameters"]["context_hits"]
    lines += [f"Context: the first {hits} hits have {tokens['mean']} tokens in the mean, "]
    lines[-1] += f"{tokens['p50']} at the median, {tokens['p95']} at the 95th percentile (words and punctuation marks)."
    if "rankings_that_differ" in scores:
        count = scores["rankings_that_differ"]
        lines += ["", f"Rankings that differ between repetitions: {count}. Figures are of the first ranking."]
    if scores["partial"]:
        lines += ["", f"**{scores['partial']} results say that they are less than whole; see `notes` in the run.**"]
    for caption, name in plots.items():
        lines += ["", f"![{caption}]({name})"]
    if not plots:
        lines += ["", f'No plots: they need `pip install "{EXTRA}"`.']
    return "\n".join(lines) + "\n"


def score_table(kinds: Mapping[str, Mapping[str, float]]) -> list[str]:
    """One row a kind of question, one column a measure."""
    names = list(next(iter(kinds.values())))
    return markdown_table(["questions", *names], [[kind, *row.values()] for kind, row in kinds.items()])


def latency_table(latency: Mapping[str, Mapping[str, float]]) -> list[str]:
    """One row a stage."""
    return markdown_table(
        ["stage", "p50", "p95", "searches"], [[name, row["p50"], row["p95"], row["n"]] for name, row in latency.items()]
    )


def _about(meta: Mapping[str, Any]) -> list[str]:
    size = ", ".join(f"{count} {unit}" for unit, count in meta["size"].items())
    lines = [f"- data: {size}; SHA-256 `{meta['data_sha256']}`"]
    if profile := meta.get("profile"):
        lines += [f"- profile: {profile['name']} version {profile['version']}, digest `{profile['digest'][:16]}`"]
    parameters = ", ".join(f"{name} {value}" for name, value in meta["parameters"].items() if value not in (None, []))
    lines += [f"- parameters: {parameters}"]
    lines += [f"- ingest: {', '.join(f'{name} {value}' for name, value in meta.get('ingest', {}).items())}"]
    lines += [f"- muniment {meta['muniment']}, embedding by {meta['embedding_model']}"]
    return [*lines, f"- machine: {', '.join(f'{name} {value}' for name, value in meta['machine'].items())}"]


def _answerability(scores: Mapping[str, Any]) -> list[str]:
    lines: list[str] = []
    if found := scores.get("answerability"):
        lines += ["## Answerability", ""]
        lines += [f"AUROC of `score`: **{found['auroc']}** ({found['answerable']} answerable questions against "]
        lines[-1] += f"{found['unanswerable']} unanswerable)."
    if found := scores.get("abstention"):
        lines += ["", f"Asked for answers: of {found['abstained']} abstentions {found['precision']} % were right; "]
        lines[-1] += f"{found['recall']} % of the unanswerable were abstained from, and "
        lines[-1] += f"{found['answerable answered']} % of the answerable answered."
    return [*lines, ""] if lines else lines
