"""Query runs: what is kept of a search, and who can read it."""

import pytest
from asking import LAUNCH, LAUNCH_QUESTION, ask, ids, search, write_text
from sqlalchemy import text

from muniment.database.pool import Database
from muniment.errors import MunimentError
from muniment.log.writer import Writer
from muniment.retrieval.engine import Retriever
from muniment.retrieval.profile import DEFAULT
from muniment.retrieval.routes.registry import ROUTES
from muniment.retrieval.runs import get_query_run, list_query_runs
from muniment.settings import Settings
from muniment.tenancy.tenants import Tenant


async def test_a_search_is_kept_with_its_steps_its_statistics_and_its_hits(
    writer: Writer, retriever: Retriever, tenant: Tenant, database: Database
) -> None:
    await write_text(writer, tenant, LAUNCH, "launch-memo")
    await write_text(writer, tenant, "Project Borealis has no launch date.", "other")
    result = await search(retriever, tenant, LAUNCH_QUESTION)
    run = await get_query_run(database, tenant.number, result.query_id)
    assert (run.mode, run.question, run.known_at, run.abstain) == ("search", LAUNCH_QUESTION, 2, None)
    assert [stage.name for stage in run.stages] == [
        "plan",
        *[route.name for route in ROUTES],
        "routes",
        "rank",
        "gate",
        "ground",
    ]
    assert run.parameters["profile"] == {"name": "default", "version": DEFAULT.version, "digest": DEFAULT.digest()}
    assert (run.statistics["head"], run.statistics["documents"], run.statistics["embedded"]) == (2, 2, 2)
    assert run.statistics["terms"]["~launch"] == 2
    assert [hit.record_id for hit in run.hits] == ids(result)
    assert [hit.score for hit in run.hits] == pytest.approx([hit.score for hit in result.hits], abs=1e-6)
    assert run.hits[0].routes["lexical"].rank == 1
    assert run.score == pytest.approx(result.score, abs=1e-6)


async def test_a_question_is_kept_with_its_answer(
    writer: Writer, retriever: Retriever, tenant: Tenant, database: Database
) -> None:
    await write_text(writer, tenant, LAUNCH, "launch-memo")
    result = await ask(retriever, tenant, LAUNCH_QUESTION)
    run = await get_query_run(database, tenant.number, result.query_id)
    assert (run.mode, run.answer, run.abstain) == ("query", result.answer, False)
    assert [stage.name for stage in run.stages][-2:] == ["budget", "answer"]
    assert [hit.cited for hit in run.hits] == [True]


async def test_runs_are_listed_from_the_latest_page_by_page(
    retriever: Retriever, tenant: Tenant, database: Database
) -> None:
    for n in range(5):
        await search(retriever, tenant, f"question {n}")
    first = await list_query_runs(database, tenant.number, limit=3)
    second = await list_query_runs(database, tenant.number, limit=3, cursor=first.next)
    assert [run.question for run in first.runs + second.runs] == [f"question {n}" for n in (4, 3, 2, 1, 0)]
    assert second.next is None


@pytest.mark.parametrize(("limit", "cursor"), [(0, None), (1001, None), (10, "x"), (10, "9" * 40)])
async def test_a_page_that_cannot_be_is_refused(
    database: Database, tenant: Tenant, limit: int, cursor: str | None
) -> None:
    with pytest.raises(MunimentError) as caught:
        await list_query_runs(database, tenant.number, limit=limit, cursor=cursor)
    assert caught.value.code == "input.invalid"


async def test_another_tenant_cannot_read_a_run(
    retriever: Retriever, tenant: Tenant, other_tenant: Tenant, database: Database
) -> None:
    result = await search(retriever, tenant, LAUNCH_QUESTION)
    for query_id in (result.query_id, "q_nonsense"):
        with pytest.raises(MunimentError) as caught:
            await get_query_run(database, other_tenant.number, query_id)
        assert caught.value.code == "run.not_found"
    assert (await list_query_runs(database, other_tenant.number)).runs == []


async def test_an_answer_goes_out_though_its_run_cannot_be_stored(
    writer: Writer, retriever: Retriever, tenant: Tenant, database: Database, admin_url: str
) -> None:
    (launch,) = await write_text(writer, tenant, LAUNCH, "launch-memo")
    admin = Database(admin_url, Settings())
    async with admin.transaction() as connection:
        await connection.execute(
            text("""create function public.refuse() returns trigger language plpgsql
                    as $$ begin raise exception 'no' using errcode = 'disk_full'; end $$""")
        )
        await connection.execute(
            text(
                "create trigger refuse before insert on muniment.query_run"
                " for each row execute function public.refuse()"
            )
        )
    await admin.close()
    result = await search(retriever, tenant, LAUNCH_QUESTION)
    assert ids(result) == [launch]
    assert any("could not be stored (store.full)" in note for note in result.notes)
    with pytest.raises(MunimentError):
        await get_query_run(database, tenant.number, result.query_id)
