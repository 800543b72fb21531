"""Explanations: what a hit's score is made of, and where a record that was not returned fell."""

from datetime import UTC, datetime
from typing import Any

import pytest
from asking import ATLAS, BOREALIS, CHAT, ask, ids, search, write_chat, write_text
from sqlalchemy import text

from muniment.database.pool import Database
from muniment.errors import MunimentError
from muniment.log.erasure import erase
from muniment.log.writer import Writer
from muniment.model.message import Message
from muniment.model.query_runs import Explanation
from muniment.retrieval.engine import Retriever
from muniment.retrieval.explain.explaining import explain as explain_stored
from muniment.retrieval.stored_profiles import put_profile
from muniment.settings import Settings
from muniment.tenancy.tenants import Tenant

PUPPY = "What did Caroline call the puppy that I saw in May?"


@pytest.fixture
def explain(database: Database, retriever: Retriever, tenant: Tenant) -> Any:
    async def of(query_id: str, record_id: str) -> Explanation:
        told = await explain_stored(database, retriever.tools, tenant.number, query_id, record_id)
        assert told.record is not None and told.hits == []
        return told.record

    return of


@pytest.mark.parametrize("profile", ["default", "reference"])
async def test_the_parts_of_each_hit_add_up_to_its_score(
    writer: Writer, retriever: Retriever, tenant: Tenant, database: Database, profile: str
) -> None:
    await write_chat(writer, tenant)
    await write_text(writer, tenant, "A puppy is a young dog. Caroline is a name?", "memo")
    result = await search(retriever, tenant, PUPPY, profile=profile)
    told = await explain_stored(database, retriever.tools, tenant.number, result.query_id)
    assert [hit.record_id for hit in told.hits] == ids(result) and told.hits
    for hit, given in zip(told.hits, result.hits, strict=True):
        assert hit.returned and hit.score == pytest.approx(given.score, abs=1e-6)
        assert sum(part.contribution for part in hit.parts) == pytest.approx(given.score, abs=1e-6)
        assert "bounds" not in [part.name for part in hit.parts]
        ranks = {share.route: (share.rank, share.score) for share in hit.routes if share.rank is not None}
        assert ranks == {name: (r.rank, pytest.approx(r.score, abs=1e-6)) for name, r in given.routes.items()}
        for share in hit.routes:
            expected = 0.0 if share.rank is None else share.weight / (60 + share.rank)
            assert share.contribution == pytest.approx(expected)
            assert share.rank is not None or share.because


async def test_the_terms_of_a_hit_add_up_to_its_lexical_score_and_to_its_coverage(
    writer: Writer, retriever: Retriever, tenant: Tenant, database: Database
) -> None:
    await write_chat(writer, tenant)
    result = await search(retriever, tenant, PUPPY)
    told = await explain_stored(database, retriever.tools, tenant.number, result.query_id)
    neighbours = dates = 0
    for hit, given in zip(told.hits, result.hits, strict=True):
        if "lexical" in given.routes:
            assert sum(term.bm25 for term in hit.terms) == pytest.approx(given.routes["lexical"].score, abs=1e-6)
        (coverage,) = [part.contribution for part in hit.parts if part.name == "coverage"]
        assert sum(term.coverage or 0.0 for term in hit.terms) == pytest.approx(coverage, abs=1e-9)
        neighbours += sum((term.with_neighbours or 0) > term.count for term in hit.terms)
        dates += sum(term.in_date for term in hit.terms)
    assert neighbours and dates  # the turns about the puppy help each other, and all were said in May


async def test_a_record_below_the_cut_is_told_its_distance_from_the_last_hit(
    writer: Writer, retriever: Retriever, tenant: Tenant, explain: Any
) -> None:
    records = await write_chat(writer, tenant)
    result = await search(retriever, tenant, PUPPY, top_k=2)
    whole = await search(retriever, tenant, PUPPY, top_k=7)
    missing = whole.hits[4]
    told = await explain(result.query_id, missing.record_id)
    assert (told.returned, told.stage, told.fell) == (False, "ground", "below_the_cut")
    assert told.numbers["rank"] == 5 and told.numbers["hits"] == 2
    assert told.numbers["short_by"] == pytest.approx(result.hits[-1].score - missing.score, abs=1e-6)
    assert told.score == pytest.approx(missing.score, abs=1e-6) and len(records) == 7


async def test_a_record_that_a_run_could_not_see_is_told_why(
    writer: Writer, retriever: Retriever, tenant: Tenant, explain: Any
) -> None:
    await write_text(writer, tenant, "The puppy is called Biscuit.", "a")
    old = (await search(retriever, tenant, PUPPY)).hits[0].record_id
    (new,) = await write_text(writer, tenant, "The puppy is called Crumb.", "a")
    (elsewhere,) = await write_text(writer, tenant, "The puppy is called Crumpet.", "b", BOREALIS)
    result = await search(retriever, tenant, PUPPY)
    (later,) = await write_text(writer, tenant, "The puppy is called Waffle.", "c")
    assert ids(result) == [new]
    fell = {record: await explain(result.query_id, record) for record in (old, elsewhere, later)}
    assert [(told.stage, told.fell) for told in fell.values()] == [
        ("plan", "closed"), ("plan", "not_visible"), ("plan", "not_sealed_yet"),
    ]  # fmt: skip
    assert fell[old].numbers == {"known_at": 3, "closed_at": 2}
    assert "project_id is 'borealis'" in fell[elsewhere].detail
    assert fell[later].numbers == {"known_at": 3, "sealed_at": 4}


async def test_a_record_that_a_filter_by_time_left_out_is_told_the_time_that_was_compared(
    writer: Writer, retriever: Retriever, tenant: Tenant, explain: Any
) -> None:
    telling, plain = await write_chat(
        writer, tenant, [("Ann", "The puppy came two weeks ago."), ("Bob", "The puppy sleeps.")]
    )
    since, until = datetime(2023, 5, 1, tzinfo=UTC), datetime(2023, 6, 1, tzinfo=UTC)
    may = await search(retriever, tenant, PUPPY, filters={"time": {"since": since, "until": until}})
    assert ids(may) == [plain]
    told = await explain(may.query_id, telling)
    assert told.fell == "filtered_out"
    assert "tells of" in told.detail and "2023-04-24" in told.detail and "2023-05-08" not in told.detail
    june = await search(retriever, tenant, PUPPY, filters={"time": {"since": until}})
    assert "2023-05-08T13:56" in (await explain(june.query_id, plain)).detail
    march = await search(retriever, tenant, PUPPY, as_of=datetime(2023, 3, 1, tzinfo=UTC))
    told = await explain(march.query_id, telling)
    assert "as_of" in told.detail and "2023-04-24" in told.detail and "2023-05-08" not in told.detail
    assert "2023-05-08T13:56" in (await explain(march.query_id, plain)).detail


async def test_a_record_that_a_filter_left_out_is_told_which(
    writer: Writer, retriever: Retriever, tenant: Tenant, explain: Any
) -> None:
    said = [
        Message(speaker=who, content=f"The puppy {does}.", at=datetime(2023, 5, 8, tzinfo=UTC), metadata={"room": room})
        for who, does, room in (("Ann", "sleeps", "hall"), ("Bob", "barks", "attic"))
    ]
    run = await writer.ingest_messages(tenant.number, ATLAS, said, group_id="g")
    ann, bob = run.items[0].record_ids
    result = await search(
        retriever, tenant, PUPPY, filters={"speaker": "Ann", "modality": "conversation", "metadata": {"room": "hall"}}
    )
    assert ids(result) == [ann]
    told = await explain(result.query_id, bob)
    assert (told.stage, told.fell, told.numbers) == ("plan", "filtered_out", {"conditions": 3, "unmet": 2})
    assert '"Bob"' in told.detail and '"attic"' in told.detail and "modality" not in told.detail


async def test_a_record_that_no_route_found_is_told_how_far_each_cut_off_was(
    writer: Writer, retriever: Retriever, tenant: Tenant, database: Database, explain: Any
) -> None:
    for n in range(8):
        await write_text(writer, tenant, f"The puppy called Biscuit number {n} is a puppy.", f"s{n}")
    (far,) = await write_text(
        writer, tenant, "Once a puppy came by, long before the war over the northern salt mines.", "far"
    )
    (alien,) = await write_text(writer, tenant, "Tungsten melts late.", "alien")
    changes = {
        "lexical": {"limit": 3, "per_context": 0},
        "semantic": {"limit": 3, "per_context": 0},
        "graph": {"hops": 0},
    }
    await put_profile(database, tenant.number, "narrow", "default", changes)
    result = await search(retriever, tenant, "puppy called Biscuit", profile="narrow", top_k=2)
    told = await explain(result.query_id, far)
    assert (told.stage, told.fell) == ("routes", "not_found")
    shares = {share.route: share for share in told.routes}
    for name in ("lexical", "semantic"):
        share = shares[name]
        assert share.score is not None and share.cutoff is not None
        assert share.short_by == pytest.approx(share.cutoff - share.score) and share.short_by > 0
        assert told.numbers[f"{name}_short_by"] == share.short_by
    assert (
        shares["lexical"].score == pytest.approx(sum(term.bm25 for term in told.terms)) and shares["lexical"].score > 0
    )
    other = await explain(result.query_id, alien)
    assert {share.route: share.because for share in other.routes}["lexical"] == "it holds none of the question's terms"


async def test_a_duplicate_and_what_the_budget_dropped_are_told_so(
    writer: Writer, retriever: Retriever, tenant: Tenant, database: Database, explain: Any
) -> None:
    (first,) = await write_text(writer, tenant, "The puppy is called Biscuit.", "a")
    (second,) = await write_text(writer, tenant, "the puppy is called BISCUIT", "b")
    result = await search(retriever, tenant, PUPPY)
    (kept,) = ids(result)
    told = await explain(result.query_id, second if kept == first else first)
    assert (told.stage, told.fell, told.duplicate_of) == ("ground", "duplicate", kept)
    await write_chat(writer, tenant, [*CHAT, ("Ann", "The puppy Biscuit ate another shoe.")])
    await put_profile(database, tenant.number, "tight", "default", {"budget": {"tokens": 30, "group_tokens": 30}})
    asked = await ask(retriever, tenant, PUPPY, profile="tight")
    wide = await search(retriever, tenant, PUPPY)
    fells = [await explain(asked.query_id, hit.record_id) for hit in wide.hits]
    assert ("budget", "over_budget") in [(told.stage, told.fell) for told in fells]
    over = next(told for told in fells if told.fell == "over_budget" and "limit" in told.numbers)
    assert over.numbers["used"] + over.numbers["needed"] - over.numbers["limit"] == over.numbers["over_by"] > 0
    assert f"{over.numbers['used']:.0f} of {over.numbers['limit']:.0f}" in over.detail
    assert any("instead of 10" in note and "group_tokens" in note for note in asked.notes)


async def test_what_was_erased_since_is_still_told_of(
    writer: Writer, retriever: Retriever, tenant: Tenant, admin_url: str, explain: Any
) -> None:
    await write_chat(writer, tenant)
    result = await search(retriever, tenant, PUPPY, top_k=3)
    victim = ids(result)[0]
    admin = Database(admin_url, Settings())
    async with admin.transaction() as connection:
        statement = """delete from muniment.record_content c using muniment.record r
                       where r.tenant_id = c.tenant_id and r.record_no = c.record_no
                         and r.record_id = cast(:id as uuid)"""
        await connection.execute(text(statement), {"id": victim.removeprefix("d_")})
    await admin.close()
    told = await explain(result.query_id, victim)
    assert told.returned and told.erased and told.text is None and told.rank == 1
    assert told.score == pytest.approx(result.hits[0].score, abs=1e-6)


async def test_what_was_erased_before_the_run_is_told_to_be_erased(
    writer: Writer, retriever: Retriever, tenant: Tenant, database: Database, explain: Any
) -> None:
    await write_chat(writer, tenant)
    victim = ids(await search(retriever, tenant, PUPPY, top_k=3))[0]
    await erase(database, tenant.number, records=[victim], sources=[], reason="asked for")
    result = await search(retriever, tenant, PUPPY, top_k=3)
    told = await explain(result.query_id, victim)
    assert (told.returned, told.fell, told.stage) == (False, "erased", "plan")


async def test_what_another_tenant_has_is_not_there(
    writer: Writer, retriever: Retriever, tenant: Tenant, other_tenant: Tenant, database: Database
) -> None:
    (mine,) = await write_text(writer, tenant, "The puppy is called Biscuit.", "a")
    (theirs,) = await write_text(writer, other_tenant, "The puppy is called Crumb.", "a")
    result = await search(retriever, tenant, PUPPY)
    for owner, record, code in (
        (tenant, theirs, "record.not_found"),
        (tenant, "nonsense", "record.not_found"),
        (other_tenant, mine, "run.not_found"),
    ):
        with pytest.raises(MunimentError) as caught:
            await explain_stored(database, retriever.tools, owner.number, result.query_id, record)
        assert caught.value.code == code
