"""The first stage: from a question to a plan of terms, visible spaces, the commit it is about, and a vector."""

from typing import Any

from muniment.database.pool import Scope
from muniment.database.spaces import visible_spaces
from muniment.errors import MunimentError
from muniment.retrieval.formulas.bm25 import idf
from muniment.retrieval.participants import in_first_person, speakers_named, without_names
from muniment.retrieval.state import Plan, Search, Term


async def make_plan(search: Search) -> tuple[str, dict[str, Any]]:
    """Fills ``search.plan``. Raises ``input.invalid`` for a commit that the log does not have yet."""
    async with search.tools.database.scope(search.tenant, seconds=search.profile.seconds) as scope:
        spaces = await visible_spaces(scope, search.namespace)
        plan = await _read(search, scope, spaces)
        search.plan = plan
        if search.profile.strip_names and spaces:
            limit = search.profile.most_speakers
            rows = await scope.rows("retrieval.speakers", spaces=spaces, limit=limit)
            plan.named = speakers_named(search.question, [row["speaker"] for row in rows])
        if search.group_id is not None or search.namespace.session_id is not None:
            plan.within = await _narrow(search, scope, plan)
    plan.first_person = in_first_person(search.question)
    plan.embedded_text = without_names(search.question, plan.named.values())
    await _embed(search, plan)
    if not spaces:
        search.note("no space agrees with the namespace: nothing is visible")
    elif plan.pending:
        search.note(
            f"{plan.pending} of {plan.documents} records have no vector yet: they are found by their words only"
        )
    return _decision(plan), _detail(search, plan)


async def _read(search: Search, scope: Scope, spaces: list[int]) -> Plan:
    head = await scope.row("retrieval.head", spaces=spaces)
    assert head is not None
    commits = int(head["commits"])
    known_at = commits if search.requested_known_at is None else search.requested_known_at
    if known_at > commits:
        raise MunimentError("input.invalid", f"known_at is {known_at}; the last commit is {commits}", limit=commits)
    language = search.profile.lexical.language
    rows = await scope.rows("retrieval.terms", spaces=spaces, question=search.question, language=language)
    whole = next((row for row in rows if row["term"] == ""), None)
    documents = int(whole["documents"]) if whole else 0
    terms = [
        Term(row["term"], float(row["weight"]), int(row["documents"]), idf(documents, row["documents"]))
        for row in rows
        if row["term"] != ""
    ]
    terms.sort(key=lambda term: (-term.weight * term.idf, term.term))
    return Plan(
        head=commits,
        known_at=known_at,
        spaces=spaces,
        terms=terms,
        documents=documents,
        total_length=int(whole["total_length"]) if whole else 0,
        pending=int(head["pending"]),
    )


async def _narrow(search: Search, scope: Scope, plan: Plan) -> list[int]:
    rows = await scope.rows(
        "retrieval.narrow",
        spaces=plan.spaces,
        group=search.group_id,
        session=search.namespace.session_id,
        known_at=plan.known_at,
    )
    return [row["record_no"] for row in rows]


async def _embed(search: Search, plan: Plan) -> None:
    embedder = search.tools.embedder
    if embedder is None or search.tools.model_no is None:
        search.note("no embedding model is configured: searched by words only")
        return
    if not plan.spaces:
        return
    try:
        plan.vector = (await embedder.embed([plan.embedded_text]))[0]
    except MunimentError as error:
        search.note(f"the question could not be embedded ({error.code}): searched by words only")


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
        "embedded": plan.vector is not None,
        "narrowed_to": None if plan.within is None else len(plan.within),
        "limits": {"top_k": search.top_k, "seconds": search.profile.seconds},
    }
