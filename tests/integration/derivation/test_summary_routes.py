"""Routes over summaries: they lead to records, of now and of then, and never come out themselves."""

from dataclasses import replace
from datetime import timedelta

from summary_store import BEGIN, MAYA, SummaryStore

from muniment.log.lifecycle import forget
from muniment.model.namespace import Namespace
from muniment.model.request import SearchRequest
from muniment.model.result import SearchResult
from muniment.retrieval.engine import Retriever
from muniment.retrieval.parameters import SummaryParameters
from muniment.retrieval.profile import DEFAULT, Profile

ACTIVE = replace(DEFAULT, summaries=SummaryParameters(active=True))
OTHERS = ["lexical", "semantic", "bridge", "claims", "temporal", "graph", "neighbours"]


async def _search(
    store: SummaryStore, question: str, *alone: str, profile: Profile = ACTIVE, **asked: object
) -> SearchResult:
    retriever = Retriever(store.database, store.embedder, store.model_no, store.settings, profile)
    left_out = [*OTHERS, *(name for name in ("cards", "episodes", "profiles") if name not in alone)]
    given = {"namespace": MAYA} | asked
    return await retriever.search(store.tenant, SearchRequest(query=question, without=left_out, **given))  # type: ignore[arg-type]


async def test_a_card_a_profile_and_an_episode_lead_to_the_records_under_them(summaries: SummaryStore) -> None:
    turns = await summaries.say("Maya: I live in Lisbon.", "Maya: Nice weather here.", group="a")
    turns += await summaries.say("Maya: The ferry of Amalthea sank.", group="a", at=BEGIN + timedelta(days=1))
    await summaries.say("Tom: The Porto museum has ten rooms.", group="b")
    await summaries.compile()
    cards = await _search(summaries, "Lisbon ferry Amalthea", "cards")
    assert {hit.record_id for hit in cards.hits[:3]} == set(turns) and set(cards.hits[0].routes) == {"cards"}
    episodes = await _search(summaries, "ferry Amalthea sank", "episodes")
    assert episodes.hits[0].record_id == turns[2]
    profiles = await _search(summaries, "Where does Maya live?", "profiles")
    assert [hit.record_id for hit in profiles.hits] == turns[:1]


async def test_they_see_the_past_and_only_ones_own_spaces_and_idle_where_the_profile_says_so(
    summaries: SummaryStore,
) -> None:
    (turn,) = await summaries.say("Maya: The ferry of Amalthea sank.")
    await summaries.compile()
    await forget(summaries.database, summaries.tenant, [turn], "asked to")
    await summaries.compile()
    assert (await _search(summaries, "ferry Amalthea", "cards")).hits == []
    before = await _search(summaries, "ferry Amalthea", "cards", known_at=1)
    assert [hit.record_id for hit in before.hits] == [turn]
    elsewhere = await _search(summaries, "ferry Amalthea", "cards", known_at=1, namespace=Namespace(user_id="tom"))
    assert elsewhere.hits == []
    assert (await _search(summaries, "ferry Amalthea", "cards", known_at=1, profile=DEFAULT)).hits == []
