"""A store whose summaries a test compiles when it says so."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import text

from muniment.database.pool import Database
from muniment.derivation.summaries.checking import wrong_groups, wrong_profiles
from muniment.jobs.context import JobContext
from muniment.jobs.extraction import extract
from muniment.jobs.summarizing import summarize
from muniment.log.writer import Writer
from muniment.model.message import Message
from muniment.model.namespace import Namespace
from muniment.model.source import SourceInput
from muniment.providers.models import register_model
from muniment.settings import Settings
from word_embedder import WordEmbedder

MAYA = Namespace(user_id="maya")
BEGIN = datetime(2026, 3, 1, 9, tzinfo=UTC)


class SummaryStore:
    """Writes with rules for facts and summaries; nothing is compiled before ``compile``."""

    def __init__(self, database: Database, settings: Settings, tenant: int) -> None:
        self.database, self.settings, self.tenant = database, settings, tenant
        self.embedder = WordEmbedder()
        self.model_no: int | None = None

    async def begin(self) -> "SummaryStore":
        self.model_no = await register_model(self.database, self.embedder)
        self.writer = Writer(self.database, self.embedder, self.model_no, self.settings)
        self.context = JobContext(self.database, self.settings, self.embedder, self.model_no)
        return self

    async def say(
        self, *turns: str, group: str = "chat", namespace: Namespace = MAYA, at: datetime = BEGIN, minutes: int = 1
    ) -> list[str]:
        """Turns as ``speaker: words``; the ids of their records."""
        messages = []
        for n, turn in enumerate(turns):
            speaker, _, words = turn.partition(": ")
            messages.append(Message(speaker=speaker, content=words, at=at + timedelta(minutes=n * minutes)))
        run = await self.writer.ingest_messages(self.tenant, namespace, messages, group_id=group)
        return run.items[0].record_ids or []

    async def write(self, content: str, key: str, namespace: Namespace = MAYA) -> str:
        """A document; the id of its source."""
        source = SourceInput(kind="text", text=content, source_key=key)
        run = await self.writer.ingest_sources(self.tenant, namespace, [source])
        return run.items[0].source_id or ""

    async def compile(self) -> dict[str, Any]:
        """Extracts by rules what is pending, and drains what is stale."""
        for (group,) in await self.fetch(
            "select distinct r.group_no from muniment.extraction e join muniment.record r using (tenant_id, record_no)"
            " where e.state = 'pending'"
        ):
            await extract(self.context, self.tenant, {"group": group, "position": 0})
        return await summarize(self.context, self.tenant, {})

    async def fetch(self, statement: str, **parameters: Any) -> Sequence[tuple[Any, ...]]:
        async with self.database.scope(self.tenant) as scope:
            return [tuple(row) for row in (await scope.connection.execute(text(statement), parameters)).all()]

    async def current(self, kind: str = "card") -> dict[str, str]:
        """The texts of the summaries that count now, by the key of their group."""
        rows = await self.fetch(
            "select g.group_key, s.part, s.title || chr(10) || s.text from muniment.summary s"
            " join muniment.record_group g using (tenant_id, group_no)"
            " where s.live_to_commit is null and s.kind = :kind order by s.part",
            kind=kind,
        )
        return {key if kind == "card" else f"{key}/{part}": words for key, part, words in rows}

    async def wrong(self) -> list[str]:
        """What validation says of them."""
        async with self.database.scope(self.tenant, snapshot=True) as scope:
            wrong = [wrong async for _, wrong in wrong_groups(scope, self.model_no)]
            wrong += [each async for each in wrong_profiles(scope)]
            return [each for each in wrong if each is not None]
