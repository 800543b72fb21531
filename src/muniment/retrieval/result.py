"""From a finished search to what its caller gets."""

from muniment.model.identifiers import QUERY, RECORD, SOURCE, public_id
from muniment.model.result import Coverage, Hit, QueryResult, RouteScore, SearchResult
from muniment.retrieval.answer.abstention import ABSTENTION
from muniment.retrieval.formulas.answerability import as_share
from muniment.retrieval.state import Search


def hits(search: Search) -> list[Hit]:
    """The evidence as hits, ranks from 1, each with what the routes said of it."""
    routes = route_scores(search)
    return [
        Hit(
            record_id=public_id(RECORD, item.record_id),
            rank=rank,
            score=item.candidate.hit_score,
            text=item.text,
            locator=item.locator,
            source_id=public_id(SOURCE, item.source_id),
            source_key=item.source_key,
            source_version=item.source_version,
            group_id=item.group_key,
            position=item.position,
            speaker=item.speaker,
            role=item.role,
            at=item.at,
            metadata=item.metadata,
            routes=routes[item.candidate.record_no],
        )
        for rank, item in enumerate(search.evidence, start=1)
    ]


def route_scores(search: Search) -> dict[int, dict[str, RouteScore]]:
    """For each record of the evidence, by number: its rank (from 1) and score in each route that found it."""
    scores: dict[int, dict[str, RouteScore]] = {item.candidate.record_no: {} for item in search.evidence}
    for name, found in search.found.items():
        for rank, item in enumerate(found, start=1):
            if item.record_no in scores:
                scores[item.record_no][name] = RouteScore(rank=rank, score=item.score)
    return scores


def answerability_share(search: Search) -> float:
    """How answerable the question looks, in [0, 1]; 0 where nothing was found."""
    if search.answerability is None or not search.evidence:
        return 0.0
    return as_share(search.answerability)


def search_result(search: Search) -> SearchResult:
    """The result of a search."""
    plan = search.planned
    return SearchResult(
        query_id=public_id(QUERY, search.query_id),
        query=search.question,
        hits=hits(search),
        score=answerability_share(search),
        partial=search.partial,
        coverage=Coverage(visible=plan.documents, embedded=max(0, plan.documents - plan.pending)),
        notes=search.notes,
        duration_ms=search.elapsed_ms(),
    )


def query_result(search: Search) -> QueryResult:
    """The answer to a question, or the abstention."""
    return QueryResult(
        query_id=public_id(QUERY, search.query_id),
        question=search.question,
        answer=search.answer if search.answer is not None else ABSTENTION,
        abstain=search.abstain is not False,
        reason=search.reason if search.abstain is not False else None,
        citations=search.citations,
        score=answerability_share(search),
        partial=search.partial,
        notes=search.notes,
        duration_ms=search.elapsed_ms(),
    )
