"""Benchmarks on data that the caller names."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from muniment.cli.commands.fairness import fairness
from muniment.cli.commands.requests import requests
from muniment.cli.commands.scale import scale
from muniment.cli.options import AsJson, settings_from
from muniment.cli.output import console, print_json, progress

if TYPE_CHECKING:
    from muniment.bench.dataset import Benchmark
    from muniment.bench.searching import Options

app = typer.Typer(no_args_is_help=True, help="Benchmarks: runs, their scores and reports, and comparisons of two.")

Out = Annotated[Path, typer.Option("--out", help="The directory for run.jsonl, meta, scores, report and plots.")]
Store = Annotated[
    Path | None,
    typer.Option("--data-dir", help="A store to use and keep, with what it holds; a temporary one otherwise."),
]
ProfileName = Annotated[str | None, typer.Option("--profile", help="The retrieval profile.")]
Without = Annotated[str, typer.Option("--without", help="Routes and stages to leave out, with commas between.")]
Repeat = Annotated[int, typer.Option("--repeat", min=1, help="How often each question is searched for.")]
TopK = Annotated[int, typer.Option("--top-k", min=1, help="Hits asked for.")]
Limit = Annotated[int | None, typer.Option("--limit-questions", min=1, help="Only the first so many questions.")]


@app.callback()
def bench() -> None:
    """Benchmarks on data that you name."""


app.command()(fairness)
app.command()(requests)
app.command()(scale)


@app.command()
def locomo(
    data: Annotated[Path, typer.Option("--data", help="A LoCoMo data file.")],
    out: Out,
    profile: ProfileName = None,
    without: Without = "",
    repeat: Repeat = 1,
    top_k: TopK = 100,
    limit_questions: Limit = None,
    data_dir: Store = None,
    as_json: AsJson = False,
) -> None:
    """Ingest LoCoMo, each conversation in a space of its own, and search for each of its questions."""
    from muniment.bench.locomo import LoCoMo

    options = _options(profile, without, repeat, top_k, limit_questions)
    _run(LoCoMo.read(data), out, options, data_dir, as_json)


@app.command()
def passages(
    corpus: Annotated[Path, typer.Option("--corpus", help='JSON lines of {"id", "title", "text"}, maybe gzipped.')],
    questions: Annotated[Path, typer.Option("--questions", help='JSON lines of {"qid", "question", "evidence"}.')],
    out: Out,
    profile: ProfileName = None,
    without: Without = "",
    repeat: Repeat = 1,
    top_k: TopK = 50,
    limit_questions: Limit = None,
    data_dir: Store = None,
    as_json: AsJson = False,
) -> None:
    """Ingest a corpus of passages, and search for each question about it."""
    from muniment.bench.passages import Passages

    options = _options(profile, without, repeat, top_k, limit_questions)
    _run(Passages.read(corpus, questions), out, options, data_dir, as_json)


@app.command()
def answerability(
    data: Annotated[Path, typer.Option("--data", help="A directory of documents, chats and questions.jsonl.")],
    out: Out,
    profile: ProfileName = None,
    without: Without = "",
    repeat: Repeat = 1,
    top_k: TopK = 50,
    limit_questions: Limit = None,
    data_dir: Store = None,
    as_json: AsJson = False,
) -> None:
    """Search and ask for things that a corpus tells, and for things that it never mentions."""
    from muniment.bench.answerability import Answerability

    options = _options(profile, without, repeat, top_k, limit_questions, ask=True)
    _run(Answerability.read(data), out, options, data_dir, as_json)


@app.command()
def compare(
    a: Annotated[Path, typer.Argument(help="A run's directory, or its run.jsonl.")],
    b: Annotated[Path, typer.Argument(help="Another over the same data and questions.")],
    out: Annotated[Path | None, typer.Option("--out", help="A directory for the comparison and its plot.")] = None,
    as_json: AsJson = False,
) -> None:
    """Say how B differs from A, by measure and kind of question, with bootstrap intervals."""
    from muniment.bench.comparison import compare as compare_runs
    from muniment.bench.comparison import comparison_report, write_comparison
    from muniment.bench.runs import read_run

    found = compare_runs(read_run(a), read_run(b))
    if out is not None:
        write_comparison(out, found)
    if as_json:
        print_json(found.plain())
    else:
        typer.echo(comparison_report(found, None), nl=False)


def _options(
    profile: str | None, without: str, repeat: int, top_k: int, limit: int | None, ask: bool = False
) -> "Options":
    from muniment.bench.searching import Options

    names = tuple(name.strip() for name in without.split(",") if name.strip())
    return Options(profile, names, repeat, top_k, limit, ask)


def _run(benchmark: "Benchmark", out: Path, options: "Options", data_dir: Path | None, as_json: bool) -> None:
    from muniment.bench.harness import run_benchmark, store_for
    from muniment.bench.runs import REPORT

    with (
        store_for(settings_from(data_dir), keep=data_dir is not None) as settings,
        progress(benchmark.name, None, quiet=as_json) as advance,
    ):
        scores: dict[str, Any] = asyncio.run(run_benchmark(settings, benchmark, out, options, advance))
    if as_json:
        print_json(scores)
    else:
        console.print((out / REPORT).read_text(encoding="utf-8"), markup=False, end="")
