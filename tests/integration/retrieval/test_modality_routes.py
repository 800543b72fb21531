"""The modality routes: what is scored again by its fields, what is found by them alone, and when they are idle."""

import dataclasses
from collections.abc import Mapping
from typing import Any

import pytest
from asking import ATLAS, BOREALIS, search, write_chat, write_text
from sqlalchemy import text

from muniment.database.pool import Database, Scope
from muniment.log.writer import Writer
from muniment.model.message import Message
from muniment.model.result import Hit, SearchResult
from muniment.providers.embedding import Embedder
from muniment.retrieval.engine import Retriever
from muniment.retrieval.explain.explaining import explain
from muniment.retrieval.parameters import FIELD_WEIGHTS
from muniment.retrieval.profile import REFERENCE, Profile
from muniment.retrieval.replay import replay_run
from muniment.retrieval.runs import get_query_run
from muniment.settings import Settings
from muniment.tenancy.tenants import Tenant

ROUTES = set(FIELD_WEIGHTS)


@pytest.fixture
def writer(database: Database, settings: Settings) -> Writer:
    """Writes without vectors, unless a test says otherwise."""
    return Writer(database, None, None, settings)


@pytest.fixture
def retriever(database: Database, settings: Settings) -> Retriever:
    return by(database, settings, REFERENCE)


def by(database: Database, settings: Settings, profile: Profile) -> Retriever:
    return Retriever(database, None, None, settings, profile)


async def make(admin_url: str, modality: str, fields: Mapping[str, Mapping[str, str]]) -> None:
    """Turns what was written under each source key into records of a modality with such fields."""
    admin = Database(admin_url, Settings())
    async with admin.transaction() as connection:
        await connection.execute(text("update muniment.record set modality = :to"), {"to": modality})
        for key, values in fields.items():
            for name, value in values.items():
                await connection.execute(
                    text("""
                        update muniment.record_content c
                           set fields = c.fields || jsonb_build_object(cast(:name as text), cast(:value as text))
                          from muniment.record r join muniment.source s using (tenant_id, source_no)
                         where r.tenant_id = c.tenant_id and r.record_no = c.record_no and s.source_key = :key"""),
                    {"key": key, "name": name, "value": value},
                )
    await admin.close()


def by_key(result: SearchResult) -> dict[str, Hit]:
    return {hit.source_key: hit for hit in result.hits}


@pytest.mark.parametrize(
    ("modality", "name"),
    [(each, name) for each, weights in FIELD_WEIGHTS.items() if each != "conversation" for name in weights],
)
async def test_a_record_whose_field_holds_the_question_comes_before_its_like(
    modality: str, name: str, writer: Writer, retriever: Retriever, tenant: Tenant, admin_url: str
) -> None:
    for key in ("one", "two", "three"):
        await write_text(writer, tenant, f"The exporter is kept here, number {key}.", key)
    # of the terms exporter, ~export and quarterly, ~quarter the field holds all, then half
    await make(admin_url, modality, {"two": {name: "Quarterly\texporters/exporter"}, "three": {name: "our QUARTERLY"}})
    routes = {key: hit.routes for key, hit in by_key(await search(retriever, tenant, "quarterly exporter")).items()}
    assert {key: route[modality].rank for key, route in routes.items()} == {"two": 1, "three": 2, "one": 3}
    assert all(ROUTES & set(route) == {modality} for route in routes.values())
    gain = 0.14 * FIELD_WEIGHTS[modality][name]
    least = routes["one"][modality].score
    assert routes["two"][modality].score - least == pytest.approx(gain)
    assert routes["three"][modality].score - least == pytest.approx(gain / 2)


async def test_the_score_is_made_of_cosine_bm25_fields_and_the_modality_that_is_named(
    database: Database, embedder: Embedder, model_no: int, settings: Settings, tenant: Tenant
) -> None:
    writer = Writer(database, embedder, model_no, settings)
    retriever = Retriever(database, embedder, model_no, settings, REFERENCE)
    await write_text(writer, tenant, "The launch is on 14 October.", "memo", title="Launch")
    await write_text(writer, tenant, "Soup is served on Fridays.", "canteen")
    hits = by_key(await search(retriever, tenant, "Which document has the launch?"))
    for key, fields in (("memo", 0.8 * 2 / 4), ("canteen", 0.0)):  # document, ~document, launch, ~launch
        routes = hits[key].routes
        bm25 = routes["lexical"].score if "lexical" in routes else 0.0
        expected = 0.56 * routes["semantic"].score + 0.30 * bm25 / (1 + bm25) + 0.14 * fields + 0.12
        assert routes["document"].score == pytest.approx(expected, abs=1e-6)


async def test_bm25_is_measured_where_the_lexical_route_did_not_list_a_record(
    writer: Writer, database: Database, settings: Settings, tenant: Tenant
) -> None:
    for n in range(4):
        await write_chat(writer, tenant, [("Ann", f"The heron {'stood there ' * n}.")], f"g{n}")
    question = "What did Ann say of the heron?"
    whole = await search(by(database, settings, REFERENCE), tenant, question)
    bare = await search(by(database, settings, REFERENCE), tenant, question, without=["lexical"])
    scores = [{hit.group_id: hit.routes["conversation"].score for hit in result.hits} for result in (whole, bare)]
    assert len(scores[0]) == 4 and scores[0] == pytest.approx(scores[1])


async def test_what_a_named_speaker_said_is_found_though_it_has_no_word_of_the_question(
    writer: Writer, retriever: Retriever, database: Database, settings: Settings, tenant: Tenant
) -> None:
    await write_chat(writer, tenant, [("Maria", "Sailing, mostly.")], "a")
    await write_chat(writer, tenant, [("Tom", "Reading, mostly.")], "b")
    await write_chat(writer, tenant, [("Maria", "Knitting.")], "c", BOREALIS)
    question = "How does Maria spend the holidays?"
    result = await search(retriever, tenant, question)
    assert [(hit.group_id, set(hit.routes)) for hit in result.hits] == [("a", {"conversation"})]
    # speaker: maria and ~maria of the six terms maria, spend, holidays and their stems
    assert result.hits[0].routes["conversation"].score == pytest.approx(0.14 * 1.0 * 2 / 6)
    assert (await search(retriever, tenant, question, group_id="b")).hits == []
    assert (await search(retriever, tenant, question, known_at=0)).hits == []
    assert (await search(retriever, tenant, question, without=["names"])).hits == []
    fewest = dataclasses.replace(REFERENCE, modality=dataclasses.replace(REFERENCE.modality, most_of_speaker=0))
    assert (await search(by(database, settings, fewest), tenant, question)).hits == []


async def test_a_corrected_message_of_a_named_speaker_is_not_found_again(
    writer: Writer, retriever: Retriever, tenant: Tenant, database: Database
) -> None:
    for content in ("Sailing.", "Rowing."):
        await writer.ingest_messages(
            tenant.number, ATLAS, [Message(speaker="Maria", content=content, id="m")], group_id="a"
        )
    assert [hit.text for hit in (await search(retriever, tenant, "How about Maria?")).hits] == ["Rowing."]


async def test_all_modality_routes_cost_one_statement(
    writer: Writer, retriever: Retriever, tenant: Tenant, admin_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    rows = Scope.rows

    async def counting(scope: Scope, name: str, **parameters: Any) -> Any:
        asked.append(name)
        return await rows(scope, name, **parameters)

    await write_text(writer, tenant, "The heron stood there.", "memo")
    await write_chat(writer, tenant, [("Ann", "The heron flew.")])
    monkeypatch.setattr(Scope, "rows", counting)
    result = await search(retriever, tenant, "heron", without=["gate"])
    assert {name for hit in result.hits for name in hit.routes} >= {"document", "conversation"}
    assert asked.count("modality.describe") == 1


async def test_routes_say_why_they_are_idle(
    writer: Writer, retriever: Retriever, database: Database, settings: Settings, tenant: Tenant
) -> None:
    await write_text(writer, tenant, "The heron stood there.", "memo")
    for engine, because in (
        (retriever, {name: f"nothing visible is of the modality {name}" for name in ROUTES - {"document"}}),
        (Retriever(database, None, None, settings), dict.fromkeys(ROUTES, "the profile does not use it")),
    ):
        result = await search(engine, tenant, "heron")
        run = await get_query_run(database, tenant.number, result.query_id)
        idle = {s.name: s.detail["because"] for s in run.stages if s.name in ROUTES and s.decision == "idle"}
        assert idle == because


async def test_a_run_with_modality_routes_is_explained_and_replayed(
    writer: Writer, retriever: Retriever, database: Database, tenant: Tenant
) -> None:
    await write_chat(writer, tenant)
    result = await search(retriever, tenant, "What did Caroline adopt?", top_k=3)
    assert any("conversation" in hit.routes for hit in result.hits)
    told = await explain(database, retriever.tools, tenant.number, result.query_id)
    shares = {share.route: share for share in told.hits[0].routes}
    assert shares["conversation"].rank == result.hits[0].routes["conversation"].rank
    assert shares["code"].because == "the route was idle: nothing visible is of the modality code"
    assert [hit.score for hit in told.hits] == pytest.approx([hit.score for hit in result.hits], abs=1e-6)
    replay = await replay_run(database, retriever.tools, tenant.number, result.query_id)
    assert (replay.identical, replay.differences) == (True, [])
