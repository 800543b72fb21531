"""Routing hits: what comes out are the log records that they rest on, never the hits themselves."""

from collections.abc import Sequence

import pytest
from asking import BOREALIS, ids, search, write_chat, write_text
from sqlalchemy import text

from muniment.database.pool import Database
from muniment.log.writer import Writer
from muniment.model.identifiers import RECORD, parse_id
from muniment.model.query_runs import Explanation
from muniment.retrieval import routing
from muniment.retrieval.engine import Retriever
from muniment.retrieval.explain.explaining import explain
from muniment.retrieval.profile import DEFAULT, REFERENCE, Profile
from muniment.retrieval.routes.registry import ROUTES
from muniment.retrieval.routes.route import Route
from muniment.retrieval.runs import get_query_run
from muniment.retrieval.state import Found, Search
from muniment.retrieval.supporting import EVIDENCE, GROUP, Support
from muniment.settings import Settings
from muniment.tenancy.tenants import Tenant

CLAIM = "Claim: the heron nests in the alder."


@pytest.fixture
def writer(database: Database, settings: Settings) -> Writer:
    return Writer(database, None, None, settings)


@pytest.fixture(params=[REFERENCE, DEFAULT], ids=lambda profile: profile.name)
def retriever(request: pytest.FixtureRequest, database: Database, settings: Settings) -> Retriever:
    profile: Profile = request.param
    return Retriever(database, None, None, settings, profile)


async def derive(admin_url: str, claim: str, bases: Sequence[str]) -> int:
    """Makes the record a fact that rests on two spans of each of the others, whatever their space; its number."""
    admin = Database(admin_url, Settings())
    async with admin.transaction() as connection:
        made = await connection.execute(
            text("update muniment.record set kind = 'fact' where record_id = :claim returning record_no"),
            {"claim": parse_id(RECORD, claim)},
        )
        number: int = made.scalar_one()
        await connection.execute(
            text("""
                insert into muniment.evidence (tenant_id, record_no, basis_no, space_id, span_start, span_end)
                select b.tenant_id, :number, b.record_no, b.space_id, s, s + 1
                  from muniment.record b, generate_series(0, 1) s
                 where b.record_id = any (:bases)"""),
            {"number": number, "bases": [parse_id(RECORD, basis) for basis in bases]},
        )
    await admin.close()
    return number


async def group_number(admin_url: str, key: str) -> int:
    admin = Database(admin_url, Settings())
    async with admin.transaction() as connection:
        found = await connection.execute(
            text("select group_no from muniment.record_group where group_key = :key"), {"key": key}
        )
        number: int = found.scalar_one()
    await admin.close()
    return number


def register(monkeypatch: pytest.MonkeyPatch, found: Sequence[int], support: Support, *, alone: bool = True) -> None:
    """A routing route that finds these documents, in this order, after or in place of all others."""

    async def find(search: Search) -> list[Found]:
        return [Found(number, 1.0 - n / 100) for n, number in enumerate(found)]

    others = () if alone else ROUTES
    monkeypatch.setattr(routing, "ROUTES", (*others, Route("claims", find, support=support)))


async def test_only_the_records_that_a_claim_rests_on_come_out(
    writer: Writer, retriever: Retriever, tenant: Tenant, admin_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (basis,) = await write_text(writer, tenant, "It built its nest there in May.", "diary")
    (other,) = await write_text(writer, tenant, "A heron was seen.", "other")
    (claim,) = await write_text(writer, tenant, CLAIM, "claim")
    number = await derive(admin_url, claim, [basis])
    assert claim in ids(await search(retriever, tenant, "heron")), "a fact is a record of the log"
    register(monkeypatch, [number], EVIDENCE, alone=False)
    hits = {hit.record_id: hit.routes for hit in (await search(retriever, tenant, "heron")).hits}
    assert set(hits) == {basis, other}, "the lexical route lists the claim too"
    assert "claims" in hits[basis] and "claims" not in hits[other]


async def test_what_is_closed_or_in_another_space_supports_nothing(
    writer: Writer,
    retriever: Retriever,
    tenant: Tenant,
    other_tenant: Tenant,
    admin_url: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (old,) = await write_text(writer, tenant, "The heron nests in the oak.", "diary")
    (new,) = await write_text(writer, tenant, "The heron nests in the elm.", "diary")
    (hidden,) = await write_text(writer, tenant, "The heron nests in the ash.", "secret", BOREALIS)
    (claim,) = await write_text(writer, tenant, CLAIM, "claim")
    number = await derive(admin_url, claim, [old, new, hidden])
    register(monkeypatch, [number], EVIDENCE)
    assert ids(await search(retriever, tenant, "Where does the heron nest?")) == [new]
    assert ids(await search(retriever, tenant, "Where does the heron nest?", known_at=1)) == [old]
    assert ids(await search(retriever, tenant, "Where does the heron nest?", BOREALIS)) == [hidden]
    assert ids(await search(retriever, other_tenant, "Where does the heron nest?")) == []
    assert ids(await search(retriever, tenant, "Where does the heron nest?", group_id="nowhere")) == []


async def test_the_best_eight_stand_in_for_a_hit_and_the_trace_says_for_which(
    writer: Writer,
    retriever: Retriever,
    tenant: Tenant,
    database: Database,
    admin_url: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    turns = [("Ann", f"Heron and alder, number {n}." if n % 3 else f"Nothing, number {n}.") for n in range(12)]
    written = await write_chat(writer, tenant, turns)
    await write_chat(writer, tenant, [("Ann", "Heron and alder elsewhere.")], "elsewhere")
    (claim,) = await write_text(writer, tenant, CLAIM, "claim")
    derived = await derive(admin_url, claim, written[:1])
    monkeypatch.setattr(routing, "ROUTES", ())
    for number, support in ((await group_number(admin_url, "chat"), GROUP), (derived, EVIDENCE)):
        register(monkeypatch, [number], support)
        result = await search(retriever, tenant, "heron alder", top_k=20, without=["neighbours", "gate"])
        expected = written[:1] if support is EVIDENCE else [id for n, id in enumerate(written) if n % 3]
        named = {hit.record_id for hit in result.hits if "claims" in hit.routes}
        assert named == set(expected)
        run = await get_query_run(database, tenant.number, result.query_id)
        (stage,) = [stage for stage in run.stages if stage.name == "claims"]
        assert [each["hit"] for each in stage.detail["replaced"]] == [number]
        assert len(stage.detail["replaced"][0]["by"]) == len(expected)


async def test_a_routing_hit_that_another_route_ranked_is_explained(
    writer: Writer,
    retriever: Retriever,
    tenant: Tenant,
    database: Database,
    admin_url: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (basis,) = await write_text(writer, tenant, "It built its nest there in May.", "diary")
    (claim,) = await write_text(writer, tenant, CLAIM, "claim")
    register(monkeypatch, [await derive(admin_url, claim, [basis])], EVIDENCE, alone=False)
    result = await search(retriever, tenant, "heron")
    told: Explanation | None = (await explain(database, retriever.tools, tenant.number, result.query_id, claim)).record
    assert told is not None
    assert (told.returned, told.stage, told.fell) == (False, "ground", "routing")
