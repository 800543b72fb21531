"""What the tests of the writer share: short forms of its calls, and looks into the tables behind it."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import text

from muniment.database.pool import Database
from muniment.log.records import list_records
from muniment.model.message import Message
from muniment.model.namespace import Namespace
from muniment.model.result import Record
from muniment.model.source import SourceInput
from muniment.tenancy.tenants import Tenant

ATLAS = Namespace(project_id="atlas")

# every table that a write may leave something in
WRITTEN = (
    "blob", "source", "source_version", "record_group", "record", "record_content", "message_key", "record_metadata",
    "record_entity", "record_subject", "record_time", "fact", "evidence", "extraction",
    "log_commit", "log_entry", "liveness", "lexical_document", "posting_tail",
    "embedding", "embedding_pending", "job",
)  # fmt: skip


def memo(content: str, key: str | None = "launch-memo", **more: Any) -> SourceInput:
    return SourceInput(kind="text", text=content, source_key=key, **more)


def turns(*contents: str, **more: Any) -> list[Message]:
    return [Message(role="user", content=content, **more) for content in contents]


async def fetch(database: Database, tenant: Tenant, statement: str) -> Sequence[Any]:
    """The rows of a statement that names no tenant: row-level security limits it."""
    async with database.scope(tenant.number) as scope:
        return (await scope.connection.execute(text(statement))).all()


async def counts(database: Database, tenant: Tenant) -> dict[str, int]:
    """How many rows of the tenant each table has that a write goes to."""
    statement = " union all ".join(f"select '{table}', count(*) from muniment.{table}" for table in WRITTEN)  # noqa: S608
    return {row[0]: row[1] for row in await fetch(database, tenant, statement)}


async def all_records(
    database: Database, tenant: Tenant, namespace: Namespace = ATLAS, *, page: int = 100, **filters: Any
) -> list[Record]:
    """Every record that the namespace sees, page by page."""
    found: list[Record] = []
    cursor: str | None = None
    while True:
        answer = await list_records(database, tenant.number, namespace, limit=page, cursor=cursor, **filters)
        found += answer.records
        cursor = answer.next
        if cursor is None:
            return found


async def conversation(database: Database, tenant: Tenant, group_id: str) -> list[Record]:
    """The live records of a conversation in the order of their positions."""
    found = await all_records(database, tenant, group_id=group_id)
    return sorted(found, key=lambda record: record.position)


async def assert_sealed_without_gaps(database: Database, tenant: Tenant) -> int:
    """Commits and entries are numbered without gaps, and each record has one entry and one place in liveness."""
    commits = [row[0] for row in await fetch(database, tenant, "select commit_no from muniment.log_commit order by 1")]
    assert commits == list(range(1, len(commits) + 1))
    entries = [row[0] for row in await fetch(database, tenant, "select entry_no from muniment.log_entry order by 1")]
    assert entries == list(range(len(entries)))
    head = await fetch(database, tenant, "select commits, entries from muniment.log_head")
    assert tuple(head[0]) == (len(commits), len(entries))
    unsealed = """select count(*) from muniment.record r where 1 <> (select count(*) from muniment.log_entry e
                   where e.record_no = r.record_no and e.event = 'record')"""
    assert (await fetch(database, tenant, unsealed))[0][0] == 0
    return len(commits)
