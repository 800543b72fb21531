"""Searching: what is found, in which order, and what is not."""

import dataclasses
from datetime import UTC, datetime

import pytest
from asking import (
    ATLAS,
    BOREALIS,
    LAUNCH,
    LAUNCH_QUESTION,
    ask,
    ids,
    search,
    write_chat,
    write_text,
)
from sqlalchemy import text

from muniment.database.pool import Database
from muniment.errors import MunimentError
from muniment.log.writer import Writer
from muniment.model.namespace import Namespace
from muniment.providers.embedding import Embedder
from muniment.retrieval.engine import Retriever
from muniment.retrieval.profile import REFERENCE
from muniment.retrieval.routes.registry import ROUTES
from muniment.retrieval.runs import get_query_run
from muniment.settings import Settings
from muniment.tenancy.tenants import Tenant


async def commit_of(database: Database, tenant: Tenant) -> int:
    async with database.scope(tenant.number) as scope:
        number: int = (await scope.connection.execute(text("select commits from muniment.log_head"))).scalar_one()
    return number


async def test_the_record_that_answers_comes_first_with_its_place_and_its_routes(
    writer: Writer, retriever: Retriever, tenant: Tenant
) -> None:
    (launch,) = await write_text(writer, tenant, LAUNCH, "launch-memo")
    await write_text(writer, tenant, "The canteen serves soup on Fridays.", "canteen")
    result = await search(retriever, tenant, LAUNCH_QUESTION)
    first = result.hits[0]
    assert (first.record_id, first.rank, first.source_key, first.source_version) == (launch, 1, "launch-memo", 1)
    assert first.text == LAUNCH
    assert first.routes["lexical"].rank == 1 and first.routes["semantic"].rank == 1
    assert [hit.rank for hit in result.hits] == [1, 2]
    assert result.hits[0].score > result.hits[1].score
    assert (result.coverage.visible, result.coverage.embedded) == (2, 2)
    assert result.notes == ["2 hits instead of 10: nothing else was found"]


async def test_a_paraphrase_without_a_common_word_is_found_by_meaning(
    writer: Writer, retriever: Retriever, tenant: Tenant
) -> None:
    (doctor,) = await write_text(writer, tenant, "The physician advised more sleep.", "doctor")
    for n, other in enumerate(["The train leaves at noon.", "Invoices are due monthly.", "Paint the fence green."]):
        await write_text(writer, tenant, other, f"other-{n}")
    result = await search(retriever, tenant, "Which medical recommendations about rest did a doctor give?")
    assert ids(result)[0] == doctor
    assert "lexical" not in result.hits[0].routes


async def test_an_exact_identifier_is_found_among_its_likes(
    writer: Writer, retriever: Retriever, tenant: Tenant
) -> None:
    wanted = None
    for code in ("ERR_CONN_RESET", "ERR_CONN_REFUSED", "ERR_CONN_CLOSED", "ERR_CONN_ABORTED"):
        (record,) = await write_text(writer, tenant, f"The gateway reported {code} during the night.", code)
        wanted = record if code == "ERR_CONN_CLOSED" else wanted
    assert ids(await search(retriever, tenant, "ERR_CONN_CLOSED"))[0] == wanted


async def test_a_turn_is_found_by_what_its_neighbours_say(writer: Writer, retriever: Retriever, tenant: Tenant) -> None:
    turns = await write_chat(writer, tenant)
    result = await search(retriever, tenant, "What did Caroline call her puppy?", top_k=3)
    assert turns[4] in ids(result)  # "Biscuit! He ate a whole shoe on Sunday."


async def test_a_speaker_who_is_named_comes_before_who_is_not(
    writer: Writer, retriever: Retriever, tenant: Tenant
) -> None:
    turns = await write_chat(
        writer, tenant, [("Ann", "I play the cello at home."), ("Bob", "I play the cello at home!")]
    )
    # the same words twice are one hit, that of the person asked about
    assert ids(await search(retriever, tenant, "Which instrument does Bob play?")) == [turns[1]]
    assert ids(await search(retriever, tenant, "Which instrument does Ann play?")) == [turns[0]]


async def test_what_was_said_in_the_month_that_is_named_comes_first(
    writer: Writer, retriever: Retriever, tenant: Tenant
) -> None:
    line = [("Ann", "We walked along the coast today and it was windy.")]
    may = await write_chat(writer, tenant, line, "may", at=datetime(2023, 5, 8, tzinfo=UTC))
    june = await write_chat(
        writer, tenant, [("Ann", line[0][1] + " Again.")], "june", at=datetime(2023, 6, 8, tzinfo=UTC)
    )
    assert ids(await search(retriever, tenant, "Where did we walk in June 2023?"))[0] == june[0]
    assert ids(await search(retriever, tenant, "Where did we walk in May 2023?"))[0] == may[0]


async def test_another_tenant_finds_nothing(
    writer: Writer, retriever: Retriever, tenant: Tenant, other_tenant: Tenant
) -> None:
    await write_text(writer, tenant, LAUNCH, "launch-memo")
    result = await search(retriever, other_tenant, LAUNCH_QUESTION, Namespace())
    assert (result.hits, result.score, result.coverage.visible) == ([], 0, 0)


async def test_the_words_of_another_space_neither_show_nor_count(
    writer: Writer, retriever: Retriever, tenant: Tenant, database: Database
) -> None:
    (launch,) = await write_text(writer, tenant, LAUNCH, "launch-memo")
    before = await search(retriever, tenant, LAUNCH_QUESTION)
    await write_text(writer, tenant, "Project Atlas: the launch of another launch. " + LAUNCH, "x", BOREALIS)
    after = await search(retriever, tenant, LAUNCH_QUESTION)
    assert ids(after) == [launch]
    assert after.hits[0].score == before.hits[0].score
    runs = [await get_query_run(database, tenant.number, result.query_id) for result in (before, after)]
    assert runs[0].statistics["terms"] == runs[1].statistics["terms"]


async def test_a_session_or_a_group_narrows_the_search_before_it_ranks(
    writer: Writer, retriever: Retriever, tenant: Tenant
) -> None:
    session = ATLAS.model_copy(update={"session_id": "monday"})
    (monday,) = await write_chat(writer, tenant, [("Ann", "The code word is heron.")], "m", session)
    others = [("Ann", f"The code word is heron, said for the time number {n}.") for n in range(30)]
    await write_chat(writer, tenant, others, "t")
    assert ids(await search(retriever, tenant, "What is the code word?", session, top_k=3)) == [monday]
    assert ids(await search(retriever, tenant, "What is the code word?", group_id="m")) == [monday]
    assert len((await search(retriever, tenant, "What is the code word?", group_id="t", top_k=100)).hits) == 30
    assert ids(await search(retriever, tenant, "What is the code word?", group_id="nowhere")) == []
    assert ids(await search(retriever, tenant, "What is the code word?", session, group_id="t")) == []


async def test_an_old_version_is_found_only_as_of_its_time(
    writer: Writer, retriever: Retriever, tenant: Tenant, database: Database
) -> None:
    (old,) = await write_text(writer, tenant, LAUNCH, "launch-memo")
    first = await commit_of(database, tenant)
    (new,) = await write_text(writer, tenant, LAUNCH.replace("14 October", "2 November"), "launch-memo")
    assert ids(await search(retriever, tenant, LAUNCH_QUESTION)) == [new]
    then = await search(retriever, tenant, LAUNCH_QUESTION, known_at=first)
    assert ids(then) == [old]
    assert then.hits[0].source_version == 1
    assert ids(await search(retriever, tenant, LAUNCH_QUESTION, known_at=0)) == []


async def test_a_commit_that_does_not_exist_yet_is_refused(retriever: Retriever, tenant: Tenant) -> None:
    with pytest.raises(MunimentError) as caught:
        await search(retriever, tenant, "anything", known_at=1)
    assert (caught.value.code, caught.value.facts["limit"]) == ("input.invalid", 0)


async def test_the_same_words_are_shown_once(writer: Writer, retriever: Retriever, tenant: Tenant) -> None:
    await write_text(writer, tenant, LAUNCH, "one")
    await write_text(writer, tenant, LAUNCH.upper(), "two")
    await write_text(writer, tenant, "Project Atlas has a launch party.", "three")
    result = await search(retriever, tenant, LAUNCH_QUESTION, top_k=2)
    assert sorted(hit.source_key for hit in result.hits) in (["one", "three"], ["three", "two"])


async def test_what_is_not_found_since_routes_are_switched_off_is_said_so(
    writer: Writer, retriever: Retriever, tenant: Tenant
) -> None:
    await write_text(writer, tenant, LAUNCH, "launch")
    every = [route.name for route in ROUTES]
    nothing = await search(retriever, tenant, LAUNCH_QUESTION, without=every)
    assert nothing.hits == [] and "without switches every route off: nothing was searched" in nothing.notes
    some = await search(retriever, tenant, LAUNCH_QUESTION, without=["lexical", "semantic"])
    assert some.hits == [] and any("without switches off lexical, semantic" in note for note in some.notes)
    enough = await search(retriever, tenant, LAUNCH_QUESTION, without=["semantic"])
    assert enough.hits and not any("without" in note for note in enough.notes)
    assert any("every route off" in note for note in (await ask(retriever, tenant, "Where?", without=every)).notes)


async def test_without_a_model_words_alone_are_searched_and_the_result_says_so(
    database: Database, settings: Settings, tenant: Tenant
) -> None:
    writer, retriever = Writer(database, None, None, settings), Retriever(database, None, None, settings)
    (launch,) = await write_text(writer, tenant, LAUNCH, "launch-memo")
    result = await search(retriever, tenant, LAUNCH_QUESTION)
    assert ids(result) == [launch]
    assert any("by words only" in note for note in result.notes)


async def test_records_that_wait_for_their_vector_are_counted_in_the_result(
    app_url: str, settings: Settings, retriever: Retriever, embedder: Embedder, model_no: int, tenant: Tenant
) -> None:
    later = settings.model_copy(update={"embed_inline_limit": 0})
    database = Database(app_url, later)
    (launch,) = await write_text(Writer(database, embedder, model_no, later), tenant, LAUNCH, "launch-memo")
    await database.close()
    result = await search(retriever, tenant, LAUNCH_QUESTION)
    assert ids(result) == [launch]
    assert (result.coverage.visible, result.coverage.embedded) == (1, 0)
    assert any("no vector yet" in note for note in result.notes)


async def test_a_route_that_runs_out_of_time_is_left_out_and_named(
    writer: Writer, retriever: Retriever, tenant: Tenant, admin_url: str, database: Database
) -> None:
    (launch,) = await write_text(writer, tenant, LAUNCH, "launch-memo")
    await replace_search_vector(admin_url, "perform pg_sleep(60)")
    slow = Retriever(database, *retriever_parts(retriever), dataclasses.replace(retriever.profile, seconds=0.5))
    result = await search(slow, tenant, LAUNCH_QUESTION)
    assert ids(result) == [launch]
    assert any("semantic route was left out" in note for note in result.notes)
    run = await get_query_run(database, tenant.number, result.query_id)
    assert {stage.name: stage.decision for stage in run.stages}["semantic"] == "left out"


async def test_the_reference_profile_finds_the_answer_too(
    writer: Writer, retriever: Retriever, tenant: Tenant, database: Database
) -> None:
    reference = Retriever(database, *retriever_parts(retriever), REFERENCE)
    (launch,) = await write_text(writer, tenant, LAUNCH, "launch-memo")
    await write_chat(writer, tenant)
    result = await search(reference, tenant, LAUNCH_QUESTION)
    assert ids(result)[0] == launch
    assert [hit.score for hit in result.hits] == sorted((hit.score for hit in result.hits), reverse=True)


def retriever_parts(retriever: Retriever) -> tuple[Embedder | None, int | None, Settings]:
    tools = retriever.tools
    return tools.embedder, tools.model_no, tools.settings


async def replace_search_vector(admin_url: str, body: str) -> None:
    admin = Database(admin_url, Settings())
    try:
        async with admin.transaction() as connection:
            await connection.execute(
                text(
                    """
                    create or replace function muniment.search_vector(
                      _tenant bigint, _spaces bigint[], _model integer, _query public.halfvec, _known_at bigint,
                      _limit integer, _exact boolean)
                    returns table (record_no bigint, cosine double precision) language plpgsql
                    as $$ begin """
                    + body
                    + "; end $$"
                )
            )
    finally:
        await admin.close()
