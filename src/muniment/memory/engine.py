"""The memory interface in its asyncio form, and the two ways to it: a store in this process, and a server."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Callable, Generator, Mapping, Sequence
from contextlib import aclosing
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Self, Unpack

from muniment.errors import MunimentError
from muniment.memory.asking import claims_asked, summaries_asked
from muniment.memory.inputs import (
    RetrievalOptions,
    context_request,
    messages_from,
    policy_change,
    query_request,
    search_request,
    sources_from,
)
from muniment.model.archive import ArchiveSummary
from muniment.model.claims import ClaimDetail, ClaimPage, ClaimStatus, Relation, UndoneDecision
from muniment.model.context import Context, ContextRequest, Unit
from muniment.model.events import QueryEvent
from muniment.model.filters import Kind
from muniment.model.job import Job, JobPage
from muniment.model.lifecycle import Erasure, LifecycleEvent, RecordHistory
from muniment.model.message import Message, in_language
from muniment.model.namespace import Namespace
from muniment.model.policy import Policy, PolicyChange, RetentionRule, SensitiveRule
from muniment.model.profile import RetrievalProfile
from muniment.model.query_runs import QueryRun, QueryRunPage, Replay, RunExplanation
from muniment.model.quotas import Quota, Usage
from muniment.model.request import QueryRequest, SearchRequest
from muniment.model.result import (
    QueryResult,
    Record,
    RecordPage,
    SearchResult,
    ValidationReport,
)
from muniment.model.source import ExtractionRequest, IngestionRun, Method, Preview, Source, SourceInput
from muniment.model.summaries import SummaryKind, SummaryPage
from muniment.settings import Settings, settings_of_environment

if TYPE_CHECKING:
    from muniment.log.proofs import RecordProof

Wait = Literal["default", "lexical", "indexed"]
Progress = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and how much there is."""


class AsyncMuniment(ABC):
    """The memory of one namespace: evidence goes in, cited answers come out.

    Opened by ``open`` (a store in this process) or ``connect`` (a server), entered with ``async with``, awaited, or
    opened by the first call. May be used from many tasks at once, of one event loop. Every method takes a
    ``namespace`` of its own where it makes sense, in place of the one named at the opening. All raise
    ``MunimentError`` and nothing else for what can go wrong outside of the caller's code; after ``close`` its code
    is ``memory.closed``.
    """

    def __init__(self, namespace: Namespace) -> None:
        self.namespace = namespace

    def _limits(self) -> Settings:
        """What limits how much is read here before it is stored."""
        return settings_of_environment()

    @staticmethod
    def open(
        path: str | Path | None = None, *, namespace: Namespace | None = None, settings: Settings | None = None
    ) -> AsyncMuniment:
        """The store at ``path``, made where there is none; jobs run in this process for as long as it is open.

        ``path`` is the data directory, default ``MUNIMENT_DATA_DIR``. Where ``MUNIMENT_DATABASE_URL`` names a
        database, that is used, and the path holds only keys and checkpoints. Several processes may open a store.
        Raises ``input.invalid`` for a setting of the environment that cannot be.
        """
        from muniment.memory.local import LocalMuniment

        chosen = settings or settings_of_environment()
        if path is not None:
            chosen = chosen.model_copy(update={"data_dir": Path(path)})
        return LocalMuniment(chosen, namespace or Namespace())

    @staticmethod
    def connect(url: str, *, api_key: str, namespace: Namespace | None = None, timeout: float = 600.0) -> AsyncMuniment:
        """The memory behind a server's REST API. Nothing is sent before the first call.

        ``timeout`` in seconds bounds one request. Writes carry an Idempotency-Key, so that they are safely made
        again when the connection breaks or the server is busy. Raises ``input.invalid`` for what is no URL.
        """
        from muniment.memory.remote import RemoteMuniment

        return RemoteMuniment(url, api_key, namespace or Namespace(), timeout)

    async def ingest(
        self,
        sources: SourceInput | Mapping[str, Any] | Sequence[SourceInput | Mapping[str, Any]],
        *,
        namespace: Namespace | None = None,
        wait: Wait = "default",
        idempotency_key: str | None = None,
        raise_on_failure: bool | None = None,
        run: str | None = None,
    ) -> IngestionRun:
        """Ingests a source, or several, each of which succeeds or fails alone: the run tells the state of each.

        A source is a ``SourceInput``, or a mapping of its fields, which raises ``input.*`` where it is none.
        A single source that failed raises its error, unless ``raise_on_failure`` is False; with True the first
        failure among several is raised too, after all were tried. ``wait="indexed"`` also waits for the vectors
        of large input, ``"lexical"`` makes no vectors before it returns. With ``run`` they are added to that run, which
        is given back with their items only; an ``idempotency_key`` then means nothing, since what is there already is
        ``unchanged``.
        """
        alone = isinstance(sources, SourceInput | Mapping)
        several = sources_from(sources)
        done = await self._ingest_sources(namespace or self.namespace, several, wait, idempotency_key, run)
        if alone if raise_on_failure is None else raise_on_failure:
            _raise_first_failure(done)
        return done

    async def ingest_tree(
        self,
        place: str | Path,
        *,
        source_key: str | None = None,
        namespace: Namespace | None = None,
        wait: Wait = "default",
    ) -> IngestionRun:
        """Ingests a directory, or a git repository by its path or its https address, as one run: each file, and at last
        the list of all contents, under the name of the directory with ``/`` behind it.

        Ingested again, what changed is touched and what vanished is ``archived``. With a ``source_key`` that is the key
        of the list, and the files have keys that begin with it. Raises ``source.unreadable`` where nothing is there.
        """
        from muniment.sources.trees import open_tree

        tree = await asyncio.to_thread(open_tree, place, self._limits(), source_key)
        run: str | None = None
        batches = tree.batches()
        while batch := await asyncio.to_thread(next, batches, None):
            done = await self.ingest(batch, namespace=namespace, wait=wait, raise_on_failure=False, run=run)
            run = run or done.id
        assert run is not None  # the list of contents is always there
        return await self.run(run)

    async def ingest_messages(
        self,
        messages: Sequence[Message | Mapping[str, Any]],
        *,
        group_id: str,
        namespace: Namespace | None = None,
        wait: Wait = "default",
        idempotency_key: str | None = None,
        language: str | None = None,
    ) -> IngestionRun:
        """Appends messages to the conversation ``group_id``: all of them, or it raises and none is stored.

        A message is a ``Message``, or a mapping of its fields, as in ``{"role": "Maya", "content": "Hello"}``.
        ``language`` is that of those that name none themselves; else their words tell it.
        """
        checked = in_language(messages_from(messages), language)
        run = await self._ingest_messages(namespace or self.namespace, checked, group_id, wait, idempotency_key)
        _raise_first_failure(run)
        return run

    async def search(
        self, query: str, *, namespace: Namespace | None = None, **options: Unpack[RetrievalOptions]
    ) -> SearchResult:
        """Records that bear on the query, best first, at most ``top_k`` (10).

        ``group_id`` keeps to one conversation, ``filters`` to what they say, ``known_at`` to the log as it was after
        that commit, ``as_of`` to what had happened or been said by then. ``asked_at`` is the question's own time,
        ``profile`` a retrieval profile, ``language`` the question's, ``without`` names routes and stages to leave out,
        ``timeout`` is in seconds.
        """
        return await self._search(search_request(query, namespace or self.namespace, options))

    async def context(
        self,
        question: str,
        *,
        units: Sequence[Unit] = ("raw", "fact", "profile"),
        tokens: int = 1200,
        namespace: Namespace | None = None,
        **options: Unpack[RetrievalOptions],
    ) -> Context:
        """What bears on a question, for a model to read: records, facts, episodes and profiles as ``units`` says.

        All together have at most ``tokens`` (estimated). Only records are evidence; the others name theirs. Other
        parameters as of ``search``.
        """
        return await self._context(context_request(question, namespace or self.namespace, units, tokens, options))

    async def query(
        self, question: str, *, namespace: Namespace | None = None, **options: Unpack[RetrievalOptions]
    ) -> QueryResult:
        """An answer with its citations, or an abstention. Parameters as of ``search``.

        It is made of the log's own words, unless a language model is configured where the store is.
        """
        return await self._query(query_request(question, namespace or self.namespace, options))

    async def query_stream(
        self, question: str, *, namespace: Namespace | None = None, **options: Unpack[RetrievalOptions]
    ) -> AsyncGenerator[QueryEvent, None]:
        """What happens while a question is answered: stages, evidence, the answer piece by piece, the result last.

        Pieces of the answer are provisional: only the result has been checked. Parameters as of ``search``; close the
        iterator, or end it, to let go of the question.
        """
        request = query_request(question, namespace or self.namespace, options)
        async with aclosing(self._query_stream(request)) as events:
            async for event in events:
                yield event

    async def records(
        self,
        *,
        limit: int = 50,
        cursor: str | None = None,
        group_id: str | None = None,
        source_id: str | None = None,
        include_closed: bool = False,
        kind: Kind | None = None,
        namespace: Namespace | None = None,
    ) -> RecordPage:
        """At most ``limit`` records in the order of the log; ``next`` of a page is the ``cursor`` of the one after.

        ``include_closed`` also lists what no longer counts: archived versions, replaced messages. Without ``kind`` it
        is what was brought in, not the facts that were derived from it.
        """
        return await self._records(
            namespace or self.namespace, limit, cursor, group_id, source_id, include_closed, kind
        )

    @abstractmethod
    async def record(self, record_id: str) -> Record:
        """One record of the log; raises ``record.not_found``."""

    @abstractmethod
    async def preview(self, record_id: str) -> Preview:
        """A record in its place in its source; raises ``record.not_found``, ``source.no_original``."""

    @abstractmethod
    async def content(self, source_id: str, *, version: int | None = None) -> bytes:
        """The original bytes of a source, of its newest version where none is named.

        Raises ``source.not_found``, and ``source.no_original`` for conversations and what was erased.
        """

    @abstractmethod
    async def proof(self, record_id: str) -> RecordProof:
        """That the log holds the record: to be verified by anyone, offline. Raises ``record.not_found``."""

    @abstractmethod
    async def correct(self, record_id: str, text: str, *, reason: str) -> LifecycleEvent:
        """Puts a correction in the place of a record, which stays in the log; raises ``record.not_found``, ``_live``.

        The log keeps each ``reason`` for good.
        """

    @abstractmethod
    async def forget(self, record_ids: Sequence[str], *, reason: str) -> LifecycleEvent:
        """Lets records no longer count, nor what is derived from them alone; raises ``record.not_found``, ``_live``."""

    @abstractmethod
    async def retract(self, source_id: str, *, reason: str) -> LifecycleEvent:
        """Lets nothing of a source count any more; raises ``source.not_found``."""

    @abstractmethod
    async def undo(self, commit: int, *, reason: str) -> LifecycleEvent:
        """Lets count again what the commit closed; raises ``commit.not_found``, ``commit.not_undoable``."""

    @abstractmethod
    async def erase(
        self, *, records: Sequence[str] = (), sources: Sequence[str] = (), runs: Sequence[str] = (), reason: str
    ) -> Erasure:
        """Erases records, sources, and what ingestion runs brought or keep of what failed, with all that quotes them.

        There is no way back. Gives the receipt.

        When it returns nothing of the content is in the database's rows; a job then rewrites its files. Raises
        ``record.not_found``, ``source.not_found`` and ``run.not_found``.
        """

    @abstractmethod
    async def erasure(self, erasure_id: str) -> Erasure:
        """How far an erasure is; raises ``erasure.not_found``."""

    @abstractmethod
    async def erasures(self) -> list[Erasure]:
        """The receipts, the latest first, at most 500."""

    @abstractmethod
    async def history(self, record_id: str) -> RecordHistory:
        """All that befell a record, and what stood in its place; raises ``record.not_found``."""

    @abstractmethod
    async def sources(self, *, limit: int = 50, namespace: Namespace | None = None) -> list[Source]:
        """The newest sources that the namespace sees, at most ``limit``."""

    @abstractmethod
    async def source(self, source_id: str) -> Source:
        """One source with its versions; raises ``source.not_found``."""

    @abstractmethod
    async def runs(self, *, limit: int = 50) -> list[IngestionRun]:
        """The newest ingestion runs of the tenant, at most ``limit``."""

    @abstractmethod
    async def run(self, run_id: str) -> IngestionRun:
        """One ingestion run; raises ``run.not_found``."""

    @abstractmethod
    async def retry(self, run_id: str) -> IngestionRun:
        """Tries the failed sources of a run again; raises ``run.not_found`` or ``source.retry_impossible``."""

    @abstractmethod
    async def extract(self, method: Method = "rules") -> ExtractionRequest:
        """Has jobs read for facts what the method has not read yet, failed to read, or read by another version of it.

        ``vision`` has images described. Raises ``input.invalid`` where a model is to and none is set up.
        """

    @abstractmethod
    async def query_runs(self, *, limit: int = 50, cursor: str | None = None) -> QueryRunPage:
        """The tenant's searches and questions, the latest first; ``next`` is the ``cursor`` of the page after."""

    @abstractmethod
    async def query_run(self, query_id: str) -> QueryRun:
        """One of them, with its hits and its steps; raises ``run.not_found``."""

    @abstractmethod
    async def explain(self, query_id: str, record_id: str | None = None) -> RunExplanation:
        """Why each hit was returned; with ``record_id``, why that record was, or at which step it fell.

        Raises ``run.not_found`` and ``record.not_found``.
        """

    @abstractmethod
    async def replay(self, query_id: str) -> Replay:
        """The run made again against the log as it was, and what made a difference; raises ``run.not_found``."""

    @abstractmethod
    async def profiles(self) -> list[RetrievalProfile]:
        """The retrieval profiles that searches may name, built in or the tenant's own, by name."""

    @abstractmethod
    async def profile(self, name: str) -> RetrievalProfile:
        """The one in force under the name; raises ``profile.not_found``."""

    @abstractmethod
    async def put_profile(self, name: str, changes: Mapping[str, Any], *, base: str | None = None) -> RetrievalProfile:
        """Makes the tenant's profile of this name the built-in ``base`` with ``changes``, in a new version.

        ``changes`` are nested as ``RetrievalProfile.parameters`` are: ``{"lexical": {"k1": 1.4}}``. A built-in name,
        such as ``default``, is taken over. Raises ``input.invalid`` for a parameter that is not there or out of range.
        """

    async def summaries(
        self,
        kind: SummaryKind = "card",
        *,
        group_id: str | None = None,
        entity: str | None = None,
        known_at: int | None = None,
        asked_at: datetime | None = None,
        limit: int = 50,
        cursor: str | None = None,
        namespace: Namespace | None = None,
    ) -> SummaryPage:
        """Cards of groups, episodes of conversations, or profiles of entities, in the order of their making.

        They lead to records and are context, never evidence. ``group_id`` keeps to one group, ``entity`` to the
        profile of a name. ``known_at`` is the commit as of which the log is read; ``asked_at`` takes the place of the
        clock, against which their age is told. ``next`` of a page is the ``cursor`` of the one after.
        """
        asked = summaries_asked(kind=kind, group_id=group_id, entity=entity, known_at=known_at, asked_at=asked_at)
        return await self._summaries(namespace or self.namespace, asked, limit, cursor)

    async def claims(
        self,
        *,
        subject: str | None = None,
        relation: str | None = None,
        status: Sequence[ClaimStatus] | None = None,
        as_of: datetime | None = None,
        known_at: int | None = None,
        asked_at: datetime | None = None,
        limit: int = 50,
        cursor: str | None = None,
        namespace: Namespace | None = None,
    ) -> ClaimPage:
        """What the live facts say together: at most ``limit`` claims in the order in which their first facts came.

        ``subject`` and ``relation`` go by any of their names. Listed is what holds now, or at ``as_of``; with
        ``status`` SUPERSEDED and no ``as_of`` whatever held ever. ``known_at`` is the commit as of which the log is
        read, ``asked_at`` takes the place of the clock. ``next`` of a page is the ``cursor`` of the one after.
        """
        asked = claims_asked(
            subject=subject, relation=relation, status=status, as_of=as_of, known_at=known_at, asked_at=asked_at
        )
        return await self._claims(namespace or self.namespace, asked, limit, cursor)

    @abstractmethod
    async def claim(
        self, claim_id: str, *, known_at: int | None = None, asked_at: datetime | None = None
    ) -> ClaimDetail:
        """One claim with its evidence down to raw records, its decisions and versions; raises ``claim.not_found``."""

    @abstractmethod
    async def undo_decision(self, decision_id: str) -> UndoneDecision:
        """Takes back that one value ended another, or that a name means an entity.

        Raises ``claim.decision_not_found`` and ``claim.decision_not_undone``.
        """

    @abstractmethod
    async def relations(self) -> list[Relation]:
        """What is known of relations, by name; others have many values."""

    @abstractmethod
    async def put_relation(
        self, name: str, *, single: bool, aliases: Sequence[str] = (), inverses: Sequence[str] = ()
    ) -> Relation:
        """Says from now on whether a subject has one value of a relation at a time, and what else it is called.

        ``inverses`` are names under which subject and object stand the other way round. Raises ``input.invalid``.
        """

    @abstractmethod
    async def quota(self) -> Quota:
        """What the tenant may use, and what it uses now."""

    @abstractmethod
    async def usage(self, *, days: int = 30) -> Usage:
        """What the tenant used on each of the last days, in UTC, today among them; at most 1,000 days."""

    @abstractmethod
    async def policy(self) -> Policy:
        """What is done with sensitive content, and for how long what is kept; the empty policy where none was set."""

    @abstractmethod
    async def policies(self) -> list[Policy]:
        """The policies that there were, the one in force first, at most 500."""

    async def put_policy(
        self,
        *,
        classes: Mapping[str, SensitiveRule | Mapping[str, Any]] | None = None,
        retention: Sequence[RetentionRule | Mapping[str, Any]] = (),
        reason: str,
    ) -> Policy:
        """Puts a whole policy in force, as an entry of the log: ``classes={"email": {"ingest": "mask"}}``.

        The log keeps the ``reason`` for good. Raises ``input.invalid``, and ``policy.detector_missing`` where classes
        are named and the extra ``policy`` is not installed where the store is.
        """
        return await self._put_policy(policy_change(classes or {}, retention, reason))

    @abstractmethod
    async def jobs(
        self, *, state: str | None = None, kind: str | None = None, limit: int = 50, cursor: str | None = None
    ) -> JobPage:
        """The tenant's background jobs, the latest first, of a state and a kind where they are named."""

    @abstractmethod
    async def job(self, job_id: str) -> Job:
        """One job as it stands; raises ``job.not_found``."""

    @abstractmethod
    async def cancel_job(self, job_id: str) -> Job:
        """Takes a job out of the queue, or ends it within seconds; raises ``job.not_found``, ``job.ended``."""

    @abstractmethod
    async def requeue_job(self, job_id: str) -> Job:
        """Puts a dead job back into the queue; raises ``job.not_found``, ``job.not_dead``."""

    @abstractmethod
    async def checkpoint(self) -> str:
        """A signed note over the log as it stands, to be kept where the store cannot reach it."""

    @abstractmethod
    async def export(self, path: str | Path) -> ArchiveSummary:
        """Writes the whole tenant with its proofs to a new file, as ``docs/archive.md`` says; ``.gz`` is compressed.

        Raises ``archive.file_unusable``.
        """

    @abstractmethod
    async def validate(self, *, checkpoint: str | None = None) -> ValidationReport:
        """Checks the log and every index against each other, and against a ``checkpoint`` kept outside."""

    @abstractmethod
    async def rebuild(self, *, progress: Progress | None = None) -> dict[str, int]:
        """Drops every index and computes it from the log again; the rows of each. A server reports no progress."""

    @abstractmethod
    async def start(self) -> None:
        """Opens what is needed, unless it is open; every other method does so by itself."""

    @abstractmethod
    async def close(self) -> None:
        """Lets go of everything; may be called twice. A local store first works off short jobs for some seconds."""

    @abstractmethod
    async def _summaries(
        self, namespace: Namespace, asked: Mapping[str, Any], limit: int, cursor: str | None
    ) -> SummaryPage: ...

    @abstractmethod
    async def _claims(
        self, namespace: Namespace, asked: Mapping[str, Any], limit: int, cursor: str | None
    ) -> ClaimPage: ...

    @abstractmethod
    async def _ingest_sources(
        self, namespace: Namespace, sources: list[SourceInput], wait: Wait, idempotency_key: str | None, run: str | None
    ) -> IngestionRun: ...

    @abstractmethod
    async def _ingest_messages(
        self, namespace: Namespace, messages: list[Message], group_id: str, wait: Wait, idempotency_key: str | None
    ) -> IngestionRun: ...

    @abstractmethod
    async def _put_policy(self, change: PolicyChange) -> Policy: ...

    @abstractmethod
    async def _context(self, request: ContextRequest) -> Context: ...

    @abstractmethod
    async def _search(self, request: SearchRequest) -> SearchResult: ...

    @abstractmethod
    async def _query(self, request: QueryRequest) -> QueryResult: ...

    @abstractmethod
    def _query_stream(self, request: QueryRequest) -> AsyncGenerator[QueryEvent, None]: ...

    @abstractmethod
    async def _records(
        self,
        namespace: Namespace,
        limit: int,
        cursor: str | None,
        group_id: str | None,
        source_id: str | None,
        include_closed: bool,
        kind: Kind | None,
    ) -> RecordPage: ...

    async def _entered(self) -> Self:
        await self.start()
        return self

    def __await__(self) -> Generator[Any, None, Self]:
        return self._entered().__await__()

    async def __aenter__(self) -> Self:
        return await self._entered()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.close()


def _raise_first_failure(run: IngestionRun) -> None:
    for item in run.items:
        if item.error is not None:
            error = MunimentError(item.error.code, item.error.detail)
            error.facts = item.error.facts | {"run": run.id, "index": item.index}
            raise error
