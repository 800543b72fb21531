"""The memory interface in its plain form: the same methods, which wait."""

from __future__ import annotations

import atexit
import threading
import weakref
from collections.abc import AsyncGenerator, Callable, Generator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, Unpack

from muniment.memory.background import BackgroundLoop
from muniment.memory.engine import AsyncMuniment, Progress, Wait
from muniment.memory.inputs import RetrievalOptions
from muniment.model.archive import ArchiveSummary
from muniment.model.claims import ClaimDetail, ClaimPage, ClaimStatus, Relation, UndoneDecision
from muniment.model.context import Context, Unit
from muniment.model.events import QueryEvent
from muniment.model.filters import Kind
from muniment.model.job import Job, JobPage
from muniment.model.lifecycle import Erasure, LifecycleEvent, RecordHistory
from muniment.model.message import Message
from muniment.model.namespace import Namespace
from muniment.model.policy import Policy, RetentionRule, SensitiveRule
from muniment.model.profile import RetrievalProfile
from muniment.model.query_runs import QueryRun, QueryRunPage, Replay, RunExplanation
from muniment.model.quotas import Quota, Usage
from muniment.model.result import QueryResult, Record, RecordPage, SearchResult, ValidationReport
from muniment.model.source import ExtractionRequest, IngestionRun, Method, Preview, Source, SourceInput
from muniment.model.summaries import SummaryKind, SummaryPage
from muniment.settings import Settings

if TYPE_CHECKING:
    from muniment.log.proofs import RecordProof

_CLOSE_AT_EXIT = 30.0  # seconds, after which the end of the program no longer waits


class Muniment:
    """The memory of one namespace, as ``AsyncMuniment``, whose methods say what each does and raises.

    May be used from several threads at once, and where an event loop runs (it blocks that). Close it, or use it as
    a context manager; what a program leaves open is closed at its end.
    """

    def __init__(self, make: Callable[[], AsyncMuniment]) -> None:
        """For ``open`` and ``connect``. ``make`` gives the asyncio form; it is called on the event loop's thread."""
        self._loop = BackgroundLoop("muniment")
        self._closing = threading.Lock()
        try:
            self._memory: AsyncMuniment = self._loop.call(_started(make))
        except BaseException:
            self._loop.stop()
            raise
        _opened.add(self)

    @classmethod
    def open(
        cls, path: str | Path | None = None, *, namespace: Namespace | None = None, settings: Settings | None = None
    ) -> Self:
        """Opens the store at ``path``, made where there is none; see ``AsyncMuniment.open``."""
        return cls(lambda: AsyncMuniment.open(path, namespace=namespace, settings=settings))

    @classmethod
    def connect(cls, url: str, *, api_key: str, namespace: Namespace | None = None, timeout: float = 600.0) -> Self:
        """The memory behind a server's REST API; see ``AsyncMuniment.connect``."""
        return cls(lambda: AsyncMuniment.connect(url, api_key=api_key, namespace=namespace, timeout=timeout))

    @property
    def namespace(self) -> Namespace:
        """The namespace named at the opening."""
        return self._memory.namespace

    def ingest(
        self,
        sources: SourceInput | Mapping[str, Any] | Sequence[SourceInput | Mapping[str, Any]],
        *,
        namespace: Namespace | None = None,
        wait: Wait = "default",
        idempotency_key: str | None = None,
        raise_on_failure: bool | None = None,
        run: str | None = None,
    ) -> IngestionRun:
        """Ingests a source, or several; see ``AsyncMuniment.ingest``."""
        return self._loop.call(
            self._memory.ingest(
                sources,
                namespace=namespace,
                wait=wait,
                idempotency_key=idempotency_key,
                raise_on_failure=raise_on_failure,
                run=run,
            )
        )

    def ingest_tree(
        self,
        place: str | Path,
        *,
        source_key: str | None = None,
        namespace: Namespace | None = None,
        wait: Wait = "default",
    ) -> IngestionRun:
        """Ingests a directory or a git repository as one run; see ``AsyncMuniment.ingest_tree``."""
        return self._loop.call(self._memory.ingest_tree(place, source_key=source_key, namespace=namespace, wait=wait))

    def ingest_messages(
        self,
        messages: Sequence[Message | Mapping[str, Any]],
        *,
        group_id: str,
        namespace: Namespace | None = None,
        wait: Wait = "default",
        idempotency_key: str | None = None,
        language: str | None = None,
    ) -> IngestionRun:
        """Appends messages to a conversation; see ``AsyncMuniment.ingest_messages``."""
        return self._loop.call(
            self._memory.ingest_messages(
                messages,
                group_id=group_id,
                namespace=namespace,
                wait=wait,
                idempotency_key=idempotency_key,
                language=language,
            )
        )

    def search(
        self, query: str, *, namespace: Namespace | None = None, **options: Unpack[RetrievalOptions]
    ) -> SearchResult:
        """Records that bear on the query; see ``AsyncMuniment.search``."""
        return self._loop.call(self._memory.search(query, namespace=namespace, **options))

    def context(
        self,
        question: str,
        *,
        units: Sequence[Unit] = ("raw", "fact", "profile"),
        tokens: int = 1200,
        namespace: Namespace | None = None,
        **options: Unpack[RetrievalOptions],
    ) -> Context:
        """What bears on a question, for a model to read; see ``AsyncMuniment.context``."""
        return self._loop.call(
            self._memory.context(question, units=units, tokens=tokens, namespace=namespace, **options)
        )

    def query(
        self, question: str, *, namespace: Namespace | None = None, **options: Unpack[RetrievalOptions]
    ) -> QueryResult:
        """A cited answer, or an abstention; see ``AsyncMuniment.query``."""
        return self._loop.call(self._memory.query(question, namespace=namespace, **options))

    def query_stream(
        self, question: str, *, namespace: Namespace | None = None, **options: Unpack[RetrievalOptions]
    ) -> Generator[QueryEvent, None, None]:
        """What happens while a question is answered, the result last; see ``AsyncMuniment.query_stream``."""
        events = self._memory.query_stream(question, namespace=namespace, **options)
        try:
            while (event := self._loop.call(_next(events))) is not None:
                yield event
        finally:
            self._loop.call(events.aclose())

    def records(
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
        """A page of records in the order of the log; see ``AsyncMuniment.records``."""
        return self._loop.call(
            self._memory.records(
                limit=limit,
                cursor=cursor,
                group_id=group_id,
                source_id=source_id,
                include_closed=include_closed,
                kind=kind,
                namespace=namespace,
            )
        )

    def record(self, record_id: str) -> Record:
        """One record of the log."""
        return self._loop.call(self._memory.record(record_id))

    def preview(self, record_id: str) -> Preview:
        """A record in its place in its source."""
        return self._loop.call(self._memory.preview(record_id))

    def content(self, source_id: str, *, version: int | None = None) -> bytes:
        """The original bytes of a source; see ``AsyncMuniment.content``."""
        return self._loop.call(self._memory.content(source_id, version=version))

    def proof(self, record_id: str) -> RecordProof:
        """That the log holds the record."""
        return self._loop.call(self._memory.proof(record_id))

    def correct(self, record_id: str, text: str, *, reason: str) -> LifecycleEvent:
        """Puts a correction in the place of a record; see ``AsyncMuniment.correct``."""
        return self._loop.call(self._memory.correct(record_id, text, reason=reason))

    def forget(self, record_ids: Sequence[str], *, reason: str) -> LifecycleEvent:
        """Lets records no longer count; see ``AsyncMuniment.forget``."""
        return self._loop.call(self._memory.forget(record_ids, reason=reason))

    def retract(self, source_id: str, *, reason: str) -> LifecycleEvent:
        """Lets nothing of a source count any more."""
        return self._loop.call(self._memory.retract(source_id, reason=reason))

    def undo(self, commit: int, *, reason: str) -> LifecycleEvent:
        """Lets count again what the commit closed."""
        return self._loop.call(self._memory.undo(commit, reason=reason))

    def erase(
        self, *, records: Sequence[str] = (), sources: Sequence[str] = (), runs: Sequence[str] = (), reason: str
    ) -> Erasure:
        """Erases records and sources with all that quotes them; see ``AsyncMuniment.erase``."""
        return self._loop.call(self._memory.erase(records=records, sources=sources, runs=runs, reason=reason))

    def erasure(self, erasure_id: str) -> Erasure:
        """How far an erasure is."""
        return self._loop.call(self._memory.erasure(erasure_id))

    def erasures(self) -> list[Erasure]:
        """The receipts, the latest first."""
        return self._loop.call(self._memory.erasures())

    def history(self, record_id: str) -> RecordHistory:
        """All that befell a record, and what stood in its place."""
        return self._loop.call(self._memory.history(record_id))

    def sources(self, *, limit: int = 50, namespace: Namespace | None = None) -> list[Source]:
        """The newest sources that the namespace sees."""
        return self._loop.call(self._memory.sources(limit=limit, namespace=namespace))

    def source(self, source_id: str) -> Source:
        """One source with its versions."""
        return self._loop.call(self._memory.source(source_id))

    def runs(self, *, limit: int = 50) -> list[IngestionRun]:
        """The newest ingestion runs."""
        return self._loop.call(self._memory.runs(limit=limit))

    def run(self, run_id: str) -> IngestionRun:
        """One ingestion run."""
        return self._loop.call(self._memory.run(run_id))

    def retry(self, run_id: str) -> IngestionRun:
        """Tries the failed sources of a run again."""
        return self._loop.call(self._memory.retry(run_id))

    def extract(self, method: Method = "rules") -> ExtractionRequest:
        """Has jobs read for facts what was not read yet; see ``AsyncMuniment.extract``."""
        return self._loop.call(self._memory.extract(method))

    def query_runs(self, *, limit: int = 50, cursor: str | None = None) -> QueryRunPage:
        """The tenant's searches and questions, the latest first."""
        return self._loop.call(self._memory.query_runs(limit=limit, cursor=cursor))

    def query_run(self, query_id: str) -> QueryRun:
        """One of them, with its hits and its steps."""
        return self._loop.call(self._memory.query_run(query_id))

    def explain(self, query_id: str, record_id: str | None = None) -> RunExplanation:
        """Why each hit was returned, or what became of one record; see ``AsyncMuniment.explain``."""
        return self._loop.call(self._memory.explain(query_id, record_id))

    def replay(self, query_id: str) -> Replay:
        """The run made again against the log as it was."""
        return self._loop.call(self._memory.replay(query_id))

    def quota(self) -> Quota:
        """What the tenant may use, and what it uses now."""
        return self._loop.call(self._memory.quota())

    def usage(self, *, days: int = 30) -> Usage:
        """What the tenant used on each of the last days, in UTC."""
        return self._loop.call(self._memory.usage(days=days))

    def policy(self) -> Policy:
        """What is done with sensitive content, and for how long what is kept."""
        return self._loop.call(self._memory.policy())

    def policies(self) -> list[Policy]:
        """The policies that there were, the one in force first."""
        return self._loop.call(self._memory.policies())

    def put_policy(
        self,
        *,
        classes: Mapping[str, SensitiveRule | Mapping[str, Any]] | None = None,
        retention: Sequence[RetentionRule | Mapping[str, Any]] = (),
        reason: str,
    ) -> Policy:
        """Puts a whole policy in force; see ``AsyncMuniment.put_policy``."""
        return self._loop.call(self._memory.put_policy(classes=classes, retention=retention, reason=reason))

    def profiles(self) -> list[RetrievalProfile]:
        """The retrieval profiles that searches may name."""
        return self._loop.call(self._memory.profiles())

    def profile(self, name: str) -> RetrievalProfile:
        """The retrieval profile in force under the name."""
        return self._loop.call(self._memory.profile(name))

    def put_profile(self, name: str, changes: Mapping[str, Any], *, base: str | None = None) -> RetrievalProfile:
        """Changes the tenant's profile of this name; see ``AsyncMuniment.put_profile``."""
        return self._loop.call(self._memory.put_profile(name, changes, base=base))

    def jobs(
        self, *, state: str | None = None, kind: str | None = None, limit: int = 50, cursor: str | None = None
    ) -> JobPage:
        """The tenant's background jobs, the latest first; see ``AsyncMuniment.jobs``."""
        return self._loop.call(self._memory.jobs(state=state, kind=kind, limit=limit, cursor=cursor))

    def job(self, job_id: str) -> Job:
        """One job as it stands."""
        return self._loop.call(self._memory.job(job_id))

    def cancel_job(self, job_id: str) -> Job:
        """Takes a job out of the queue, or ends it within seconds."""
        return self._loop.call(self._memory.cancel_job(job_id))

    def requeue_job(self, job_id: str) -> Job:
        """Puts a dead job back into the queue."""
        return self._loop.call(self._memory.requeue_job(job_id))

    def summaries(
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
        """Cards, episodes or profiles; see ``AsyncMuniment.summaries``."""
        return self._loop.call(
            self._memory.summaries(
                kind, group_id=group_id, entity=entity, known_at=known_at, asked_at=asked_at, limit=limit,
                cursor=cursor, namespace=namespace,
            )
        )  # fmt: skip

    def claims(
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
        """What the live facts say together; see ``AsyncMuniment.claims``."""
        return self._loop.call(
            self._memory.claims(
                subject=subject, relation=relation, status=status, as_of=as_of, known_at=known_at, asked_at=asked_at,
                limit=limit, cursor=cursor, namespace=namespace,
            )
        )  # fmt: skip

    def claim(self, claim_id: str, *, known_at: int | None = None, asked_at: datetime | None = None) -> ClaimDetail:
        """One claim with all that it rests on."""
        return self._loop.call(self._memory.claim(claim_id, known_at=known_at, asked_at=asked_at))

    def undo_decision(self, decision_id: str) -> UndoneDecision:
        """Takes a decision back; see ``AsyncMuniment.undo_decision``."""
        return self._loop.call(self._memory.undo_decision(decision_id))

    def relations(self) -> list[Relation]:
        """What is known of relations."""
        return self._loop.call(self._memory.relations())

    def put_relation(
        self, name: str, *, single: bool, aliases: Sequence[str] = (), inverses: Sequence[str] = ()
    ) -> Relation:
        """Says from now on what a relation is; see ``AsyncMuniment.put_relation``."""
        return self._loop.call(self._memory.put_relation(name, single=single, aliases=aliases, inverses=inverses))

    def checkpoint(self) -> str:
        """A signed note over the log as it stands."""
        return self._loop.call(self._memory.checkpoint())

    def export(self, path: str | Path) -> ArchiveSummary:
        """Writes the whole tenant with its proofs to a new file."""
        return self._loop.call(self._memory.export(path))

    def validate(self, *, checkpoint: str | None = None) -> ValidationReport:
        """Checks the log and every index against each other."""
        return self._loop.call(self._memory.validate(checkpoint=checkpoint))

    def rebuild(self, *, progress: Progress | None = None) -> dict[str, int]:
        """Drops every index and computes it again; ``progress`` is called on another thread."""
        return self._loop.call(self._memory.rebuild(progress=progress))

    def close(self) -> None:
        """Lets go of everything; may be called twice. A local store first works off short jobs for some seconds."""
        self._close(None)

    def _close(self, timeout: float | None) -> None:
        with self._closing:
            if self not in _opened:
                return
            _opened.discard(self)
            try:
                self._loop.call(self._memory.close(), timeout)
            finally:
                self._loop.stop(timeout)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


async def _next(events: AsyncGenerator[QueryEvent, None]) -> QueryEvent | None:
    return await anext(events, None)


async def _started(make: Callable[[], AsyncMuniment]) -> AsyncMuniment:
    memory = make()
    await memory.start()
    return memory


_opened: weakref.WeakSet[Muniment] = weakref.WeakSet()


@atexit.register
def _close_all() -> None:
    for memory in list(_opened):
        # threads can no longer be started now, so that something may be left to the operating system
        with suppress(Exception):
            memory._close(_CLOSE_AT_EXIT)
