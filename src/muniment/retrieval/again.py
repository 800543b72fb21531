"""A stored query run as a search again: to make it once more, or to look at what it ranked."""

from dataclasses import dataclass, replace
from datetime import datetime

from muniment.database.pool import Scope
from muniment.errors import MunimentError
from muniment.model.request import QueryRequest, SearchRequest
from muniment.retrieval.deadline import Deadline
from muniment.retrieval.ordering import ranking_inputs
from muniment.retrieval.pinning import pinned_from
from muniment.retrieval.plan import make_plan, weigh_terms
from muniment.retrieval.profile import DEFAULT, Profile
from muniment.retrieval.ranking.dates import DateTerms
from muniment.retrieval.ranking.facts import Facts, gather
from muniment.retrieval.ranking.ranked import Ranked, Shares
from muniment.retrieval.ranking.registry import RANKINGS
from muniment.retrieval.runs import StoredRun
from muniment.retrieval.state import Found, Search, Tools
from muniment.retrieval.stored_profiles import in_force


@dataclass(frozen=True, slots=True)
class Retold:
    """What a stored run ranked, computed again from what its routes found; None where there was nothing to rank."""

    search: Search
    facts: Facts | None
    ranked: Ranked | None
    shares: Shares | None

    def place(self, record_no: int) -> int | None:
        """Where the record stands in the arrays, None where it was no candidate."""
        if self.facts is None or record_no not in self.facts.records:
            return None
        return self.facts.records.index(record_no)


async def search_again(scope: Scope, tools: Tools, tenant: int, run: StoredRun) -> Search:
    """The search of the run with what it kept, at its commit and by its profile, before its first stage.

    Raises ``run.erased``. Where the profile's constants are not to be had, those now in force under
    its name stand in for them.
    """
    row, settings = run.row, tools.settings
    if row["erased_at"] is not None:
        raise MunimentError("run.erased", "the run quoted what was erased since: its words are gone")
    question = row["question"]
    kept = dict(run.request) | {"known_at": row["known_at"], "timeout": None}
    request: SearchRequest | QueryRequest
    if row["mode"] == "search":
        request = SearchRequest.model_validate(kept | {"query": question})
    else:
        request = QueryRequest.model_validate(kept | {"question": question})
    search = Search(
        tools=replace(tools, model_no=row["pinned"].get("model")),
        tenant=tenant,
        profile=run.profile or await _stand_in(scope, row["parameters"]["profile"]["name"]),
        mode=row["mode"],
        question=question,
        namespace=request.namespace,
        top_k=row["parameters"]["top_k"],
        query_id=row["query_id"],
        started_at=row["started_at"],
        asked_at=datetime.fromisoformat(row["parameters"]["asked_at"]),
        request=request,
        deadline=Deadline(settings.statement_timeout),
        fixed_profile=True,
        pinned=pinned_from(row["statistics"], row["pinned"]),
    )
    search.scope = scope
    return search


async def retell(scope: Scope, tools: Tools, tenant: int, run: StoredRun) -> Retold:
    """Plans the run's search again, and ranks what its routes had found."""
    search = await search_again(scope, tools, tenant, run)
    await make_plan(search)
    if search.embedding is not None:  # the run's own vectors are looked at, or none
        search.embedding.cancel()
    kept = run.row["pinned"]
    if kept.get("searched"):
        search.planned.searched = kept["searched"]
        await weigh_terms(search, search.planned)
    assert search.pinned is not None
    search.planned.vector = search.pinned.vectors.get(kept.get("embedded_text", ""))
    search.found = {
        name: [Found(record_no, score) for record_no, score in zip(stage.records, stage.scores, strict=True)]
        for name, stage in run.routes.items()
    }
    search.telling = {number: [] for stage in run.routes.values() for number in stage.detail.get("telling", ())}
    search.outdated = {number: [] for stage in run.routes.values() for number in stage.detail.get("outdated", ())}
    search.inside = {number for stage in run.routes.values() for number in stage.detail.get("inside", ())}
    search.partly = {number for stage in run.routes.values() for number in stage.detail.get("partly", ())}
    search.around = {number for stage in run.routes.values() for number in stage.detail.get("around", ())}
    facts = await gather(search) if any(search.found.values()) else None
    if facts is None or not facts.records:
        return Retold(search, None, None, None)
    inputs = await ranking_inputs(search, facts, DateTerms())
    ranking = RANKINGS[search.profile.ranking]
    ranked = ranking.rank(search, facts, *inputs)
    shares = ranking.shares(search, facts, *inputs)
    return Retold(search, facts, ranked, shares)


async def _stand_in(scope: Scope, name: str) -> Profile:
    try:
        return await in_force(scope, name)
    except MunimentError:
        return DEFAULT
