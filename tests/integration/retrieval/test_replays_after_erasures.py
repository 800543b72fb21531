"""Query runs that found what was erased since: they stay readable without it."""

import json

from asking import ask, ids, search, write_chat
from sqlalchemy import text

from muniment.database.pool import Database
from muniment.errors import MunimentError
from muniment.log.erasure import erase
from muniment.log.writer import Writer
from muniment.retrieval.engine import Retriever
from muniment.retrieval.explain.explaining import explain
from muniment.retrieval.replay import replay_run
from muniment.retrieval.runs import get_query_run
from muniment.settings import Settings
from muniment.tenancy.tenants import Tenant

QUESTION = "which flowers blossom?"
TURNS = (
    ("Ann", "The tulips blossom in April, the first flowers."),
    ("Zebediah", "My quadricycle has a puncture again."),
)


async def _gone(database: Database, retriever: Retriever, tenant: Tenant, query_id: str) -> bool:
    try:
        await explain(database, retriever.tools, tenant.number, query_id)
    except MunimentError as error:
        assert error.code == "run.erased"
        return True
    return False


async def _kept_of_runs(admin_url: str) -> str:
    admin = Database(admin_url, Settings())
    async with admin.transaction() as connection:
        rows = await connection.execute(
            text(
                "select to_jsonb(q)::text from muniment.query_run q"
                " union all select to_jsonb(s)::text from muniment.query_stage s"
            )
        )
        kept = json.dumps([row[0] for row in rows])
    await admin.close()
    return kept.casefold()


async def test_a_search_that_found_what_was_erased_stays_readable_without_it(
    writer: Writer, retriever: Retriever, tenant: Tenant, database: Database, admin_url: str
) -> None:
    kept, victim = await write_chat(writer, tenant, TURNS)
    run = (await search(retriever, tenant, QUESTION)).query_id
    named = (await search(retriever, tenant, "who has a quadricycle?")).query_id
    answered = await ask(retriever, tenant, "Which flowers blossom in April?")
    rested = len((await get_query_run(database, tenant.number, answered.query_id)).hits)
    assert not answered.abstain and "quadricycle" in await _kept_of_runs(admin_url)
    await erase(database, tenant.number, records=[victim], sources=[], reason="asked for")

    shown = await get_query_run(database, tenant.number, run)
    assert shown.question == QUESTION and [hit.text is None for hit in shown.hits] == [False, True]
    replayed = await replay_run(database, retriever.tools, tenant.number, run)
    assert ("erased", victim) in [(each.reason, each.record_id) for each in replayed.differences]
    assert [hit.replayed_rank for hit in replayed.hits] == [1, None]
    told = (await explain(database, retriever.tools, tenant.number, run, victim)).record
    assert told is not None and told.erased and told.text is None and "erased" in told.detail
    assert await _gone(database, retriever, tenant, named)
    assert await _gone(database, retriever, tenant, answered.query_id) == (rested == 2)
    assert not [word for word in ("quadricycle", "zebediah", "puncture") if word in await _kept_of_runs(admin_url)]
    assert ids(await search(retriever, tenant, QUESTION)) == [kept]
