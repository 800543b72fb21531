"""A store with something of everything that validation looks at, and the means to spoil it as the superuser."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from sqlalchemy import Connection, create_engine, make_url, text

from muniment.database.pool import Database, Scope
from muniment.database.queries import query
from muniment.extraction.statements import Span, Statement
from muniment.log.checkpoints import sign_checkpoint
from muniment.log.facts import Extracted, FactsWritten, write_facts
from muniment.log.writer import Writer
from muniment.model.message import Message
from muniment.model.namespace import Namespace
from muniment.model.source import SourceInput
from muniment.providers.models import register_model
from muniment.settings import Settings
from muniment.tenancy.tenants import create_tenant
from word_embedder import WordEmbedder

ATLAS = Namespace(project_id="atlas", user_id="maya")
BOREALIS = Namespace(project_id="borealis")
FIRST, SECOND = 1, 2
"""The numbers of the two tenants."""

MEMO = "We launch on 9 June.\n\nLiam signs the contract with Northwind."
LATER_MEMO = "We launch on 16 June.\n\nLiam has signed the contract with Northwind."


def app_url(admin_url: str) -> str:
    return make_url(admin_url).set(username="muniment_app").render_as_string(hide_password=False)


def store_settings(directory: Path) -> Settings:
    return Settings(data_dir=directory, pool_size=2)


async def fill(admin_url: str, directory: Path) -> None:
    """Two tenants with documents of two versions, conversations with corrections, blocks beside tails, records with
    and without vectors, a full tree node; and of the first a checkpoint in the middle and one at the end."""
    settings = store_settings(directory)
    database = Database(app_url(admin_url), settings)
    embedder = WordEmbedder()
    writer = Writer(database, embedder, await register_model(database, embedder), settings)
    try:
        for name in ("first", "second"):
            tenant = (await create_tenant(database, name)).number
            await _write(writer, tenant, MEMO)
            await writer.ingest_messages(tenant, ATLAS, _turns(0, 30), group_id="plan")
            async with database.scope(tenant) as scope:
                merge = "select muniment.merge_postings(s.tenant_id, s.space_id, 16) from muniment.space s"
                await scope.connection.execute(text(merge))
            if tenant == FIRST:
                await sign_checkpoint(database, tenant)
            await writer.ingest_messages(tenant, ATLAS, _turns(30, 300), group_id="plan")
            await writer.ingest_messages(
                tenant, ATLAS, [Message(role="user", content="Not Friday, Monday.", id="m3")], group_id="plan"
            )
            await _write(writer, tenant, LATER_MEMO)
            await writer.ingest_messages(
                tenant, BOREALIS, [Message(speaker="Ada", content="Yes.")] * 2, group_id="standup"
            )
        with spoiling(admin_url) as connection:
            connection.execute(
                text(
                    "insert into muniment.evidence (tenant_id, record_no, basis_no, space_id, span_start, span_end)"
                    " select a.tenant_id, a.record_no, b.record_no, a.space_id, 0, 5 from muniment.record a"
                    " join muniment.record b on b.tenant_id = a.tenant_id and b.group_no = a.group_no"
                    " where a.position = 9 and b.position = 8 and a.space_id = b.space_id"
                )
            )
        await _extract(database)
        await sign_checkpoint(database, FIRST)
    finally:
        await database.close()


async def _extract(database: Database) -> None:
    """A fact of the first tenant, from the eleventh turn."""
    async with database.scope(FIRST) as scope:
        found = (
            "select record_no, group_no from muniment.record where position = 10 and kind = 'raw' and speaker is null"
        )
        record, group = (await scope.connection.execute(text(found))).one()
    fact = Statement(
        "the assistant", "plans_to", "meet on Friday", "The assistant plans to meet on Friday.",
        (Span(record, 0, 40),), kind="intention",
    )  # fmt: skip
    assert await write_facts(database, FIRST, Extracted("rules", "rules:1", group, [record], [fact])) == FactsWritten(1)


async def _write(writer: Writer, tenant: int, memo: str) -> None:
    run = await writer.ingest_sources(tenant, ATLAS, [SourceInput(kind="text", text=memo, source_key="memo")])
    assert run.state == "succeeded", run


def _turns(start: int, end: int) -> list[Message]:
    return [
        Message(
            role="user" if n % 2 else "assistant", speaker="Maya" if n % 2 else None, id=f"m{n}",
            content=f"Turn {n}: shall we meet on Friday about item-{n}?",
            metadata={"n": n, "share": n / 7e6, "odd": n % 2 == 1, "tag": "é"},
        )
        for n in range(start, end)
    ]  # fmt: skip


@contextmanager
def spoiling(admin_url: str) -> Iterator[Connection]:
    """A transaction of the superuser, past every foreign key."""
    engine = create_engine(admin_url)
    with engine.begin() as connection:
        connection.execute(text("set session_replication_role = replica"))
        yield connection
    engine.dispose()


class SpoiledDatabase(Database):
    """The store as it would be after a statement of the superuser, which is never committed: nothing need be copied."""

    def __init__(self, admin_url: str, directory: Path, statement: str) -> None:
        super().__init__(admin_url, store_settings(directory))
        self.statement = statement

    @asynccontextmanager
    async def scope(self, tenant: int, **_: object) -> AsyncIterator[Scope]:
        async with self.engine.connect() as connection:
            await connection.execute(text("set local session_replication_role = replica"))
            assert (await connection.execute(text(self.statement))).rowcount > 0
            await connection.execute(text("set local role muniment_app"))
            await connection.execute(query("scope.open"), {"tenant": tenant, "spaces": None, "timeout": 60_000})
            yield await Scope.of(connection, tenant)
            await connection.rollback()
