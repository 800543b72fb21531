"""The bridge route: records that are about what one of the best records names, by its title or heading."""

from muniment.extraction.subjects import named_in
from muniment.retrieval.formulas.bridge import lifts
from muniment.retrieval.formulas.fusion import reciprocal_ranks
from muniment.retrieval.routes.route import Route
from muniment.retrieval.state import Found, Search, ranking

_FROM = ("lexical", "semantic")


async def find(search: Search) -> list[Found]:
    """What the best records by words and meaning lead to, with what each may gain by it, most first.

    Two statements: the seeds' texts, and an index probe for each run of words in them. Idle where no documents are
    visible: turns of a conversation have no titles.
    """
    plan, parameters = search.planned, search.profile.bridge
    if parameters.weight <= 0 or not set(search.held) - {"conversation"}:
        return []
    found = {name: ranking(search.found[name]) for name in _FROM if name in search.found}
    fused = reciprocal_ranks(found, {}, search.profile.fusion.constant)
    seeds = sorted(fused, key=lambda record_no: (-fused[record_no], record_no))[: parameters.seeds]
    texts = await search.scope.rows("subjects.texts", records=seeds) if seeds else []
    named = {row["record_no"]: frozenset(named_in(row["text"])) for row in texts}
    subjects = sorted(frozenset().union(*named.values()))
    if not subjects:
        return []
    rows = await search.scope.rows(
        "subjects.of",
        subjects=subjects,
        spaces=plan.spaces,
        known_at=plan.known_at,
        most=parameters.most_records,
    )
    about: dict[str, list[int]] = {}
    within = None if plan.within is None else set(plan.within)
    for row in rows:
        if within is None or row["record_no"] in within:
            about.setdefault(row["subject"], []).append(row["record_no"])
    lifted = lifts(seeds, named, about, parameters)
    best = sorted(lifted.values(), key=lambda lift: (-lift.amount, lift.record_no))
    return [Found(lift.record_no, lift.amount) for lift in best]


ROUTE = Route("bridge", find)
