"""The first stage: from a question to a plan of terms, visible spaces, the commit it is about, and a vector."""

import asyncio
from typing import Any

from muniment.database.spaces import visible_spaces
from muniment.errors import MunimentError
from muniment.retrieval.formulas.bm25 import idf
from muniment.retrieval.participants import in_first_person, speakers_named, without_names
from muniment.retrieval.state import Plan, Search, Term


async def make_plan(search: Search) -> tuple[str, dict[str, Any]]:
    """Fills ``search.plan`` and starts to embed the question, so that its words are searched meanwhile.

    Raises ``input.invalid`` for a commit that the log does not have yet.
    """
    spaces = await visible_spaces(search.scope, search.namespace)
    limit = search.profile.most_speakers if search.profile.strip_names else 0
    outline = await search.scope.row("retrieval.outline", spaces=spaces, speakers=limit)
    assert outline is not None
    plan = Plan(
        head=outline["commits"],
        known_at=_known_at(search, outline["commits"]),
        spaces=spaces,
        pending=outline["pending"],
        named=speakers_named(search.question, outline["speakers"]),
        first_person=in_first_person(search.question),
    )
    plan.embedded_text = without_names(search.question, plan.named.values())
    search.plan = plan
    if spaces:
        search.embedding = _start_embedding(search, plan.embedded_text)
    await _weigh_terms(search, plan)
    if search.group_id is not None or search.namespace.session_id is not None:
        plan.within = await _narrow(search, plan)
    if not spaces:
        search.note("no space agrees with the namespace: nothing is visible")
    elif plan.pending:
        search.note(
            f"{plan.pending} of {plan.documents} records have no vector yet: they are found by their words only"
        )
    return _decision(plan), _detail(search, plan)


async def settle_vector(search: Search) -> None:
    """Waits for the question's vector. Where it cannot be made, the result says so and words alone are searched."""
    embedding, search.embedding = search.embedding, None
    if embedding is None:
        return
    try:
        search.planned.vector = (await embedding)[0]
    except MunimentError as error:
        search.note(f"the question could not be embedded ({error.code}): searched by words only")


def _start_embedding(search: Search, text: str) -> asyncio.Task[list[list[float]]] | None:
    embedder = search.tools.embedder
    if embedder is None or search.tools.model_no is None:
        search.note("no embedding model is configured: searched by words only")
        return None
    return asyncio.create_task(embedder.embed([text]))


def _known_at(search: Search, commits: int) -> int:
    asked = search.requested_known_at
    if asked is None:
        return commits
    if asked > commits:
        raise MunimentError("input.invalid", f"known_at is {asked}; the last commit is {commits}", limit=commits)
    return asked


async def _weigh_terms(search: Search, plan: Plan) -> None:
    language = search.profile.lexical.language
    rows = await search.scope.rows("retrieval.terms", spaces=plan.spaces, question=search.question, language=language)
    whole = next((row for row in rows if row["term"] == ""), None)
    if whole is not None:
        plan.documents, plan.total_length = int(whole["documents"]), int(whole["total_length"])
    plan.terms = [
        Term(row["term"], row["weight"], row["documents"], idf(plan.documents, row["documents"]))
        for row in rows
        if row["term"] != ""
    ]
    plan.terms.sort(key=lambda term: (-term.weight * term.idf, term.term))


async def _narrow(search: Search, plan: Plan) -> list[int]:
    rows = await search.scope.rows(
        "retrieval.narrow",
        spaces=plan.spaces,
        group=search.group_id,
        session=search.namespace.session_id,
        known_at=plan.known_at,
    )
    return [row["record_no"] for row in rows]


def _decision(plan: Plan) -> str:
    parts = [f"{len(plan.held)} of {len(plan.terms)} terms known", f"{len(plan.spaces)} spaces"]
    if plan.named:
        parts.append("names " + ", ".join(sorted(plan.named)[:5]))
    if plan.within is not None:
        parts.append(f"narrowed to {len(plan.within)} records")
    return "; ".join(parts)


def _detail(search: Search, plan: Plan) -> dict[str, Any]:
    return {
        "terms": [{"term": t.term, "weight": t.weight, "documents": t.documents} for t in plan.terms[:64]],
        "named": sorted(plan.named)[:64],
        "first_person": plan.first_person,
        "embedded_text": plan.embedded_text if plan.embedded_text != search.question else None,
        "narrowed_to": None if plan.within is None else len(plan.within),
        "limits": {"top_k": search.top_k, "seconds": search.profile.seconds},
    }
