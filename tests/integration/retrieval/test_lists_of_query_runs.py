"""Lists of query runs: by time, whichever process made them."""

from asking import search, write_text

from muniment.database.pool import Database
from muniment.log.writer import Writer
from muniment.retrieval.engine import Retriever
from muniment.retrieval.runs import list_query_runs
from muniment.settings import Settings
from muniment.tenancy.tenants import Tenant


async def test_runs_of_two_processes_are_listed_and_paged_by_time(
    writer: Writer, database: Database, settings: Settings, tenant: Tenant
) -> None:
    await write_text(writer, tenant, "Project Atlas has a date.", "memo")
    one, other = (Retriever(database, None, None, settings) for _ in range(2))  # each has its own block of numbers
    asked = [(await search(retriever, tenant, "Atlas")).query_id for retriever in (one, other, one, other, one)]
    listed = await list_query_runs(database, tenant.number, limit=3)
    assert [run.id for run in listed.runs] == asked[:1:-1]
    rest = await list_query_runs(database, tenant.number, limit=3, cursor=listed.next)
    assert [run.id for run in rest.runs] == asked[1::-1] and rest.next is None
