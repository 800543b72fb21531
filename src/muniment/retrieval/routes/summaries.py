"""The routes over cards, episodes and profiles: a question is compared with what is short, and led to the records.

Summaries are found by their words and their vectors, apart from records, and never come out: the records of the group,
of the episode, or under the facts of the profile stand in for them (the specification's section 8).
"""

from dataclasses import dataclass

from muniment.retrieval.routes.route import Route
from muniment.retrieval.state import Found, Search
from muniment.retrieval.supporting import Support


@dataclass(frozen=True, slots=True)
class _SummaryRoute:
    """The route over the summaries of one kind."""

    kind: str

    async def find(self, search: Search) -> list[Found]:
        """The summaries that fit best, by number, at most the profile's; by words alone where the semantic route has
        not waited for the question's vector. One statement."""
        plan, parameters = search.planned, search.profile.summaries
        terms = plan.terms[: parameters.terms]
        rows = await search.scope.rows(
            "summaries.search",
            kind=self.kind,
            spaces=plan.spaces,
            terms=[term.term for term in terms],
            weights=[term.weight for term in terms],
            model=search.tools.model_no,
            vector=plan.vector_text,
            cosine=parameters.cosine,
            known_at=plan.known_at,
            limit=parameters.hits,
            cap=parameters.cap,
            exact=parameters.exact,
        )
        return [Found(row["summary_no"], row["score"]) for row in rows]

    def idle_because(self, search: Search) -> str | None:
        """Why this route has nothing to do here, None where it has."""
        return None if search.profile.summaries.active else "the profile does not use it"


def _route(name: str, kind: str, statement: str) -> Route:
    summaries = _SummaryRoute(kind)
    return Route(name, summaries.find, idle=summaries.idle_because, support=Support(statement, of_records=False))


CARDS = _route("cards", "card", "supporting.card")
EPISODES = _route("episodes", "episode", "supporting.episode")
PROFILES = _route("profiles", "profile", "supporting.profile")
