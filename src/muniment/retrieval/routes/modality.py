"""The modality routes: code, table, image, document and conversation (the specification's section 5).

Each scores again what the other routes found of its modality, by the fields that such records have. Fields are indexed
with the text, so that a record whose field holds a word of the question stands in that word's postings and is found by
the lexical route; the speaker is not, and so the records of the speakers whom the question names are looked at beside.
All five are computed in one statement, by the first of them that runs.
"""

from dataclasses import dataclass

from muniment.retrieval.formulas.modality import fields_score, modality_score
from muniment.retrieval.parameters import FIELD_WEIGHTS
from muniment.retrieval.routes.route import Route
from muniment.retrieval.state import Found, Search


@dataclass(frozen=True, slots=True)
class _ModalityRoute:
    """The route of one modality."""

    modality: str

    async def find(self, search: Search) -> list[Found]:
        """The candidates of the modality by their scores, at most the profile's limit. One statement for all five."""
        plan = search.planned
        if search.by_modality is None or search.by_modality[0] is not plan:  # a wider search has another plan
            search.by_modality = (plan, await _score(search))
        return search.by_modality[1].get(self.modality, [])

    def idle_because(self, search: Search) -> str | None:
        """Why this modality has nothing to do here, None where it has."""
        if not search.profile.modality.active:
            return "the profile does not use it"
        if self.modality not in search.held:
            return f"nothing visible is of the modality {self.modality}"
        return None


async def _score(search: Search) -> dict[str, list[Found]]:
    """What each modality's route finds, best first, ties by record number."""
    plan, profile, parameters = search.planned, search.profile, search.profile.modality
    found = sorted({item.record_no for items in search.found.values() for item in items})
    lexical = {item.record_no: item.score for item in search.found.get("lexical", [])}
    complete = "lexical" in search.found and len(lexical) < profile.lexical.limit
    terms, held = plan.terms[: profile.lexical.most_terms], plan.held[: profile.lexical.most_terms]
    fields = [(modality, name) for modality, weights in parameters.fields.items() for name in weights]
    rows = await search.scope.rows(
        "modality.describe",
        spaces=plan.spaces,
        records=found,
        unscored=[] if complete else [record_no for record_no in found if record_no not in lexical],
        speakers=plan.speakers if "conversation" in search.held else [],
        most=parameters.most_of_speaker,
        known_at=plan.known_at,
        modalities=list(parameters.fields),
        of=[modality for modality, _ in fields],
        names=[name for _, name in fields],
        terms=[term.term for term in terms],
        held=[term.term for term in held],
        weights=[term.weight * term.idf for term in held],
        mean_length=plan.mean_length,
        k1=profile.lexical.k1,
        b=profile.lexical.b,
        language=search.language,
        model=search.tools.model_no,
        vector=plan.vector_text,
    )
    within = None if plan.within is None else set(plan.within)
    scored: dict[str, list[Found]] = {}
    for row in rows:
        record_no, modality = row["record_no"], row["modality"]
        if within is not None and record_no not in within:
            continue
        lacked = search.pinned is not None and search.pinned.lacked_vector(record_no)
        holding = dict(zip(row["names"] or (), row["counts"] or (), strict=True))
        score = modality_score(
            parameters,
            cosine=0.0 if row["cosine"] is None or lacked else row["cosine"],
            bm25=lexical.get(record_no, row["bm25"] or 0.0),
            fields=fields_score(parameters.fields[modality], holding, len(terms)),
            named=modality in plan.outlook.modalities,
        )
        scored.setdefault(modality, []).append(Found(record_no, score))
    return {
        modality: sorted(items, key=lambda item: (-item.score, item.record_no))[: parameters.limit]
        for modality, items in scored.items()
    }


def _route(modality: str) -> Route:
    route = _ModalityRoute(modality)
    return Route(modality, route.find, idle=route.idle_because)


ROUTES: tuple[Route, ...] = tuple(_route(modality) for modality in FIELD_WEIGHTS)
