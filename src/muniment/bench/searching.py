"""Asking a benchmark's questions, one after the other, and timing them."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from muniment.bench.dataset import Advance, Benchmark, Question
from muniment.bench.runs import Line, Timing
from muniment.bench.scoring import measures
from muniment.model.request import QueryRequest, SearchRequest
from muniment.model.result import SearchResult
from muniment.retrieval.runs import get_query_run
from muniment.runtime import Runtime


@dataclass(frozen=True, slots=True)
class Options:
    """How a benchmark is run. ``limit`` takes the first questions only; ``without`` are routes and stages."""

    profile: str | None = None
    without: tuple[str, ...] = ()
    repeat: int = 1
    top_k: int = 100
    limit: int | None = None
    ask: bool = False

    def chosen(self, questions: list[Question]) -> list[Question]:
        """The questions that are asked."""
        return questions if self.limit is None else questions[: self.limit]


@dataclass(slots=True)
class _Asked:
    """A question with the results of its searches, in order."""

    question: Question
    results: list[SearchResult] = field(default_factory=list)
    ms: list[float] = field(default_factory=list)
    abstained: bool | None = None


async def search_all(
    runtime: Runtime, benchmark: Benchmark, options: Options, advance: Advance
) -> tuple[list[Line], dict[str, Any]]:
    """Searches for each question ``repeat`` times, all of them before any again, and answers each where asked to.

    Gives a line a question and the profile as the server named it. Times are taken at the caller, the question's
    embedding included; those of the stages are read afterwards from the query runs that the server stored.
    """
    if runtime.embedder is not None:
        await runtime.embedder.warm()
    asked = [_Asked(question) for question in options.chosen(benchmark.questions)]
    for _ in range(options.repeat):
        for item in asked:
            await _search(runtime, item, options)
            advance()
    if options.ask:
        for item in asked:
            item.abstained = await _abstains(runtime, item.question, options)
            advance()
    lines, profile = [], {}
    for item in asked:
        timings = []
        for result, ms in zip(item.results, item.ms, strict=True):
            run = await get_query_run(runtime.database, runtime.tenant.number, result.query_id)
            profile = run.parameters.get("profile", {})
            stages: dict[str, float] = {}
            for stage in run.stages:
                stages[stage.name] = round(stages.get(stage.name, 0.0) + stage.duration_ms, 3)
            timings.append(Timing(round(ms, 2), stages))
        lines.append(_line(item, timings, benchmark))
    return lines, profile


async def _search(runtime: Runtime, item: _Asked, options: Options) -> None:
    request = SearchRequest(
        query=item.question.text,
        namespace=item.question.namespace,
        top_k=min(options.top_k, runtime.settings.max_top_k),
        profile=options.profile,
        without=list(options.without),
    )
    start = time.perf_counter()
    item.results.append(await runtime.retriever.search(runtime.tenant.number, request))
    item.ms.append((time.perf_counter() - start) * 1000)


async def _abstains(runtime: Runtime, question: Question, options: Options) -> bool:
    request = QueryRequest(
        question=question.text,
        namespace=question.namespace,
        profile=options.profile,
        without=list(options.without),
    )
    return (await runtime.retriever.query(runtime.tenant.number, request)).abstain


def _line(item: _Asked, timings: Sequence[Timing], benchmark: Benchmark) -> Line:
    rankings = [list(dict.fromkeys(benchmark.identify(hit) for hit in result.hits)) for result in item.results]
    question, ranked, depths = item.question, rankings[0], benchmark.depths
    return Line(
        qid=question.qid,
        kind=question.kind,
        answerable=question.answerable,
        ranked=ranked,
        evidence=sorted(question.evidence),
        score=item.results[0].score,
        timing=timings[0],
        tokens=sum(question.costs.get(found, 0) for found in ranked[: depths.context]),
        metrics=measures(ranked, question.evidence, question.costs, depths) if question.evidence else {},
        repeats=list(timings[1:]),
        notes=item.results[0].notes,
        abstained=item.abstained,
        differs=any(ranking != ranked for ranking in rankings[1:]),
    )
