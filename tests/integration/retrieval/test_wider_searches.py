"""The gate: a first list that is not good enough leads to wider searches, and the run tells of them."""

from collections.abc import Sequence
from typing import Any

import pytest
from asking import ids, search, write_chat, write_text

from muniment.database.pool import Database
from muniment.log.writer import Writer
from muniment.model.result import SearchResult
from muniment.providers.embedding import Embedder
from muniment.retrieval.engine import Retriever
from muniment.retrieval.runs import get_query_run, get_query_stage
from muniment.retrieval.stored_profiles import put_profile
from muniment.settings import Settings
from muniment.tenancy.tenants import Tenant

NEVER = {"top": 1000.0}
ALWAYS = {"top": 0.0, "margin": 0.0}


@pytest.fixture
def writer(database: Database, settings: Settings) -> Writer:
    """Writes without vectors: when the search is widened is what is tested."""
    return Writer(database, None, None, settings)


@pytest.fixture
def retriever(database: Database, settings: Settings) -> Retriever:
    return Retriever(database, None, None, settings)


@pytest.fixture
async def pier(writer: Writer, tenant: Tenant) -> list[str]:
    """Ten documents about the pier, and a chat of which one turn speaks of it."""
    for n in range(10):
        await write_text(writer, tenant, f"The pier has the lamp {n}; its keeper Amalthea lights it.", f"lamp-{n}")
    turns = [("Ada", "Nothing to do with it."), ("Ben", "The pier is closed."), ("Ada", "Then we stay at home.")]
    return await write_chat(writer, tenant, turns)


class Recording:
    """An embedding model that keeps what it was given."""

    def __init__(self, like: Embedder) -> None:
        self.name, self.dimensions = like.name, like.dimensions
        self.texts: list[str] = []

    async def embed(self, texts: Sequence[str], *, background: bool = False) -> list[list[float]]:
        self.texts += texts
        return [[self.dimensions**-0.5] * self.dimensions for _ in texts]

    async def warm(self) -> None:
        """Has nothing to load."""

    async def close(self) -> None:
        """Holds nothing."""


async def stages(database: Database, tenant: Tenant, result: SearchResult) -> dict[str, Any]:
    """The steps of a run by name; of several with one name the last."""
    run = await get_query_run(database, tenant.number, result.query_id)
    return {stage.name: stage for stage in run.stages}


async def gated(
    database: Database,
    tenant: Tenant,
    retriever: Retriever,
    gate: dict[str, Any],
    query: str = "pier closed",
    **more: Any,
) -> tuple[SearchResult, dict[str, Any]]:
    """A search under the reference profile with these constants of the gate, and its steps."""
    await put_profile(database, tenant.number, "gated", "reference", {"gate": gate})
    result = await search(retriever, tenant, query, profile="gated", **more)
    return result, await stages(database, tenant, result)


async def test_a_confident_list_is_left_as_it_is(
    database: Database, tenant: Tenant, retriever: Retriever, pier: list[str]
) -> None:
    result, steps = await gated(database, tenant, retriever, ALWAYS)
    assert steps["gate"].decision.startswith("confident")
    assert not {"refine 1", "deep_recall"} & set(steps)
    assert pier[1] in ids(result)


async def test_a_list_without_confidence_is_refined_and_then_deep_recall_lets_its_groups_in(
    database: Database, tenant: Tenant, retriever: Retriever, pier: list[str]
) -> None:
    _, steps = await gated(database, tenant, retriever, NEVER)
    assert {"refine 1", "refine 2", "deep_recall"} <= set(steps)
    assert steps["gate"].decision.startswith("not confident")
    assert steps["refine 1"].detail["added"] and "pier" not in steps["refine 1"].detail["added"]
    assert steps["deep_recall"].detail["hops"] == 3
    assert steps["deep_recall"].detail["groups"] >= 1
    result, steps = await gated(database, tenant, retriever, NEVER, without=["graph"])
    stage = await get_query_stage(database, tenant.number, result.query_id, steps["group"].number)
    let_in = {candidate.record_id for candidate in stage.candidates or []}
    assert let_in == {pier[0], pier[2]}, "what stands in the group of a hit came in, though no route found it"


async def test_the_bounds_of_the_wider_searches_are_those_of_the_profile(
    database: Database, tenant: Tenant, retriever: Retriever, pier: list[str]
) -> None:
    _, one = await gated(database, tenant, retriever, NEVER | {"rounds": 1, "terms": 2, "deep": False})
    assert "refine 1" in one and not {"refine 2", "deep_recall"} & set(one)
    assert len(one["refine 1"].detail["added"]) == 2
    _, none = await gated(database, tenant, retriever, NEVER | {"rounds": 0, "deep": False})
    assert none["gate"].decision == "off"


async def test_a_refinement_that_does_not_help_leaves_the_first_list(
    database: Database, tenant: Tenant, retriever: Retriever, pier: list[str]
) -> None:
    plain, _ = await gated(database, tenant, retriever, {"rounds": 0, "deep": False})
    kept, steps = await gated(database, tenant, retriever, NEVER | {"deep": False})
    assert "refine 2" in steps
    assert [(hit.record_id, hit.score) for hit in kept.hits] == [(hit.record_id, hit.score) for hit in plain.hits]


async def test_a_question_of_several_hops_goes_to_deep_recall_even_with_a_confident_list(
    database: Database, tenant: Tenant, retriever: Retriever, pier: list[str]
) -> None:
    _, steps = await gated(database, tenant, retriever, ALWAYS, "Why is the pier closed?")
    assert steps["plan"].detail["intent"] == "multi_hop"
    assert "deep_recall" in steps and "refine 1" not in steps


async def test_each_wider_search_can_be_left_out(
    database: Database, tenant: Tenant, retriever: Retriever, pier: list[str]
) -> None:
    _, deep = await gated(database, tenant, retriever, NEVER, without=["refine"])
    assert "deep_recall" in deep and "refine 1" not in deep
    _, refined = await gated(database, tenant, retriever, NEVER, without=["deep_recall"])
    assert "refine 2" in refined and "deep_recall" not in refined
    _, neither = await gated(database, tenant, retriever, NEVER, without=["gate"])
    assert not {"gate", "refine 1", "deep_recall"} & set(neither)


async def test_deep_recall_stays_within_the_filters(
    database: Database, tenant: Tenant, retriever: Retriever, pier: list[str]
) -> None:
    result, steps = await gated(database, tenant, retriever, NEVER, filters={"speaker": "Ben"})
    assert "deep_recall" in steps
    assert ids(result) == [pier[1]]


async def test_the_default_profile_has_no_gate(
    database: Database, tenant: Tenant, retriever: Retriever, pier: list[str]
) -> None:
    result = await search(retriever, tenant, "Why is the pier closed?")
    steps = await stages(database, tenant, result)
    assert "deep_recall" not in steps and steps["gate"].decision == "off"


async def test_each_refinement_adds_its_words_once_to_what_is_embedded(
    database: Database, tenant: Tenant, embedder: Embedder, model_no: int, settings: Settings, pier: list[str]
) -> None:
    recording = Recording(embedder)
    _, steps = await gated(
        database, tenant, Retriever(database, recording, model_no, settings), NEVER | {"deep": False}
    )
    added = [*steps["refine 1"].detail["added"], *steps["refine 2"].detail["added"]]
    assert recording.texts[-1].split() == ["pier", "closed", *added]
