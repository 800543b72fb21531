"""Memory over a store in this process."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, aclosing
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from muniment.errors import MunimentError
from muniment.memory.asking import claim_asked
from muniment.memory.engine import AsyncMuniment, Progress, Wait
from muniment.memory.inputs import relation_change
from muniment.model.archive import ArchiveSummary
from muniment.model.claims import ClaimDetail, ClaimPage, Relation, UndoneDecision
from muniment.model.context import Context, ContextRequest
from muniment.model.events import QueryEvent
from muniment.model.filters import Kind
from muniment.model.job import Job, JobPage
from muniment.model.lifecycle import Erasure, LifecycleEvent, RecordHistory
from muniment.model.message import Message
from muniment.model.namespace import Namespace
from muniment.model.policy import Policy, PolicyChange
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
from muniment.model.summaries import SummaryPage
from muniment.runtime import Runtime, open_runtime
from muniment.settings import Settings

if TYPE_CHECKING:
    from muniment.log.proofs import RecordProof

_log = logging.getLogger("muniment.memory")


class LocalMuniment(AsyncMuniment):
    """The default tenant of a store, with its jobs run in this process while it is open."""

    def __init__(self, settings: Settings, namespace: Namespace) -> None:
        super().__init__(namespace)
        self._settings = settings
        self._runtime: Runtime | None = None
        self._opening: AbstractAsyncContextManager[Runtime] | None = None
        self._lock = asyncio.Lock()
        self._closed = False
        self._left_work = False

    def _limits(self) -> Settings:
        return self._settings

    async def start(self) -> None:
        await self._open()

    async def close(self) -> None:
        async with self._lock:
            self._closed = True
            runtime, opening = self._runtime, self._opening
            self._runtime = self._opening = None
        if runtime is None or opening is None:
            return
        try:
            left = self._left_work and self._settings.runs_jobs
            if left and not await runtime.runner.drain(self._settings.close_drain):
                _log.info("jobs are left for the next time the store is opened")
        except MunimentError as error:
            _log.warning("jobs are left for the next time the store is opened: %s", error.code)
        finally:
            await opening.__aexit__(None, None, None)

    async def record(self, record_id: str) -> Record:
        from muniment.log.records import get_record

        runtime = await self._open()
        return await get_record(runtime.database, runtime.tenant.number, record_id)

    async def preview(self, record_id: str) -> Preview:
        from muniment.log.previews import preview

        runtime = await self._open()
        return await preview(runtime.database, runtime.tenant.number, record_id)

    async def content(self, source_id: str, *, version: int | None = None) -> bytes:
        from muniment.log.previews import get_content

        runtime = await self._open()
        return (await get_content(runtime.database, runtime.tenant.number, source_id, version)).data

    async def proof(self, record_id: str) -> RecordProof:
        from muniment.log.proofs import prove_record

        runtime = await self._open()
        return await prove_record(runtime.database, runtime.tenant.number, record_id)

    async def correct(self, record_id: str, text: str, *, reason: str) -> LifecycleEvent:
        runtime = await self._open()
        self._left_work = True
        return await runtime.writer.correct(runtime.tenant.number, record_id, text, reason=reason)

    async def forget(self, record_ids: Sequence[str], *, reason: str) -> LifecycleEvent:
        from muniment.log.lifecycle import forget

        runtime = await self._open()
        return await forget(runtime.database, runtime.tenant.number, record_ids, reason)

    async def retract(self, source_id: str, *, reason: str) -> LifecycleEvent:
        from muniment.log.lifecycle import retract

        runtime = await self._open()
        return await retract(runtime.database, runtime.tenant.number, source_id, reason)

    async def undo(self, commit: int, *, reason: str) -> LifecycleEvent:
        from muniment.log.lifecycle import undo

        runtime = await self._open()
        return await undo(runtime.database, runtime.tenant.number, commit, reason)

    async def erase(
        self, *, records: Sequence[str] = (), sources: Sequence[str] = (), runs: Sequence[str] = (), reason: str
    ) -> Erasure:
        from muniment.log.erasure import erase

        runtime = await self._open()
        self._left_work = True
        return await erase(
            runtime.database, runtime.tenant.number, records=records, sources=sources, runs=runs, reason=reason
        )

    async def erasure(self, erasure_id: str) -> Erasure:
        from muniment.log.erasure import get_erasure

        runtime = await self._open()
        return await get_erasure(runtime.database, runtime.tenant.number, erasure_id)

    async def erasures(self) -> list[Erasure]:
        from muniment.log.erasure import list_erasures

        runtime = await self._open()
        return await list_erasures(runtime.database, runtime.tenant.number)

    async def history(self, record_id: str) -> RecordHistory:
        from muniment.log.history import history

        runtime = await self._open()
        return await history(runtime.database, runtime.tenant.number, record_id)

    async def sources(self, *, limit: int = 50, namespace: Namespace | None = None) -> list[Source]:
        from muniment.log.sources import list_sources

        runtime = await self._open()
        found, _ = await list_sources(
            runtime.database, runtime.tenant.number, namespace or self.namespace, limit=limit, cursor=None
        )
        return list(found)

    async def source(self, source_id: str) -> Source:
        from muniment.log.sources import get_source

        runtime = await self._open()
        return await get_source(runtime.database, runtime.tenant.number, source_id)

    async def runs(self, *, limit: int = 50) -> list[IngestionRun]:
        from muniment.log.runs import list_runs

        runtime = await self._open()
        found, _ = await list_runs(runtime.database, runtime.tenant.number, limit=limit, cursor=None)
        return list(found)

    async def run(self, run_id: str) -> IngestionRun:
        from muniment.log.runs import get_run

        runtime = await self._open()
        return await get_run(runtime.database, runtime.tenant.number, run_id)

    async def retry(self, run_id: str) -> IngestionRun:
        runtime = await self._open()
        self._left_work = True
        return await runtime.writer.retry(runtime.tenant.number, run_id)

    async def extract(self, method: Method = "rules") -> ExtractionRequest:
        runtime = await self._open()
        self._left_work = True
        return await runtime.extract(runtime.tenant.number, method)

    async def query_runs(self, *, limit: int = 50, cursor: str | None = None) -> QueryRunPage:
        from muniment.retrieval.runs import list_query_runs

        runtime = await self._open()
        return await list_query_runs(runtime.database, runtime.tenant.number, limit=limit, cursor=cursor)

    async def query_run(self, query_id: str) -> QueryRun:
        from muniment.retrieval.runs import get_query_run

        runtime = await self._open()
        return await get_query_run(runtime.database, runtime.tenant.number, query_id, details=False)

    async def explain(self, query_id: str, record_id: str | None = None) -> RunExplanation:
        from muniment.retrieval.explain.explaining import explain

        runtime = await self._open()
        return await explain(runtime.database, runtime.retriever.tools, runtime.tenant.number, query_id, record_id)

    async def replay(self, query_id: str) -> Replay:
        from muniment.retrieval.replay import replay_run

        runtime = await self._open()
        return await replay_run(runtime.database, runtime.retriever.tools, runtime.tenant.number, query_id)

    async def profiles(self) -> list[RetrievalProfile]:
        from muniment.retrieval.stored_profiles import list_profiles

        runtime = await self._open()
        return await list_profiles(runtime.database, runtime.tenant.number)

    async def profile(self, name: str) -> RetrievalProfile:
        from muniment.retrieval.stored_profiles import get_profile

        runtime = await self._open()
        return await get_profile(runtime.database, runtime.tenant.number, name)

    async def put_profile(self, name: str, changes: Mapping[str, Any], *, base: str | None = None) -> RetrievalProfile:
        from muniment.retrieval.stored_profiles import put_profile

        runtime = await self._open()
        return await put_profile(runtime.database, runtime.tenant.number, name, base, changes)

    async def quota(self) -> Quota:
        from muniment.tenancy.quotas import get_quota

        runtime = await self._open()
        return await get_quota(runtime.database, runtime.tenant.number)

    async def usage(self, *, days: int = 30) -> Usage:
        from muniment.tenancy.quotas import get_usage

        runtime = await self._open()
        return await get_usage(runtime.database, runtime.tenant.number, days)

    async def policy(self) -> Policy:
        from muniment.log.policies import get_policy

        runtime = await self._open()
        return await get_policy(runtime.database, runtime.tenant.number)

    async def policies(self) -> list[Policy]:
        from muniment.log.policies import list_policies

        runtime = await self._open()
        return await list_policies(runtime.database, runtime.tenant.number)

    async def _put_policy(self, change: PolicyChange) -> Policy:
        from muniment.log.policies import put_policy

        runtime = await self._open()
        self._left_work = True
        return await put_policy(
            runtime.database, runtime.tenant.number, classes=change.classes, retention=change.retention,
            reason=change.reason,
        )  # fmt: skip

    async def jobs(
        self, *, state: str | None = None, kind: str | None = None, limit: int = 50, cursor: str | None = None
    ) -> JobPage:
        from muniment.jobs.administration import list_jobs

        runtime = await self._open()
        return await list_jobs(
            runtime.database, runtime.tenant.number, state=state, kind=kind, limit=limit, cursor=cursor
        )

    async def job(self, job_id: str) -> Job:
        from muniment.jobs.administration import get_job

        runtime = await self._open()
        return await get_job(runtime.database, runtime.tenant.number, job_id)

    async def cancel_job(self, job_id: str) -> Job:
        from muniment.jobs.administration import cancel_job

        runtime = await self._open()
        return await cancel_job(runtime.database, runtime.tenant.number, job_id)

    async def requeue_job(self, job_id: str) -> Job:
        from muniment.jobs.administration import requeue_job

        runtime = await self._open()
        return await requeue_job(runtime.database, runtime.tenant.number, job_id)

    async def claim(
        self, claim_id: str, *, known_at: int | None = None, asked_at: datetime | None = None
    ) -> ClaimDetail:
        from muniment.derivation.claims import get_claim

        asked = claim_asked(known_at=known_at, asked_at=asked_at)
        runtime = await self._open()
        return await get_claim(runtime.database, runtime.tenant.number, claim_id, **asked)

    async def undo_decision(self, decision_id: str) -> UndoneDecision:
        from muniment.derivation.decisions import undo_decision

        runtime = await self._open()
        self._left_work = True
        return await undo_decision(runtime.database, runtime.tenant.number, decision_id)

    async def relations(self) -> list[Relation]:
        from muniment.derivation.relations import list_relations

        runtime = await self._open()
        return await list_relations(runtime.database, runtime.tenant.number)

    async def put_relation(
        self, name: str, *, single: bool, aliases: Sequence[str] = (), inverses: Sequence[str] = ()
    ) -> Relation:
        from muniment.derivation.relations import put_relation

        change = relation_change(single, aliases, inverses)
        runtime = await self._open()
        self._left_work = True
        return await put_relation(runtime.database, runtime.tenant.number, name, change)

    async def checkpoint(self) -> str:
        runtime = await self._open()
        return await runtime.checkpoint(runtime.tenant.number)

    async def export(self, path: str | Path) -> ArchiveSummary:
        from muniment.archive.exporting import export_to_file

        runtime = await self._open()
        return await export_to_file(runtime.database, runtime.tenant.number, Path(path))

    async def validate(self, *, checkpoint: str | None = None) -> ValidationReport:
        runtime = await self._open()
        return await runtime.validate(runtime.tenant.number, checkpoint=checkpoint)

    async def rebuild(self, *, progress: Progress | None = None) -> dict[str, int]:
        from muniment.jobs.rebuild import rebuild

        runtime = await self._open()
        return await rebuild(runtime, runtime.tenant.number, progress=progress)

    async def _summaries(
        self, namespace: Namespace, asked: Mapping[str, Any], limit: int, cursor: str | None
    ) -> SummaryPage:
        from muniment.derivation.summaries.reading import SummaryFilter, list_summaries

        runtime = await self._open()
        wanted = SummaryFilter(**asked)
        return await list_summaries(
            runtime.database, runtime.tenant.number, namespace, wanted, limit=limit, cursor=cursor
        )  # fmt: skip

    async def _claims(
        self, namespace: Namespace, asked: Mapping[str, Any], limit: int, cursor: str | None
    ) -> ClaimPage:
        from muniment.derivation.claims import ClaimFilter, list_claims

        runtime = await self._open()
        wanted = ClaimFilter(
            asked["subject"], asked["relation"], asked["status"], asked["as_of"], asked["known_at"], asked["asked_at"]
        )
        return await list_claims(
            runtime.database, runtime.tenant.number, namespace, wanted, limit=limit, cursor=cursor
        )  # fmt: skip

    async def _ingest_sources(
        self, namespace: Namespace, sources: list[SourceInput], wait: Wait, idempotency_key: str | None, run: str | None
    ) -> IngestionRun:
        runtime = await self._open()
        self._left_work = True
        return await runtime.writer.ingest_sources(
            runtime.tenant.number, namespace, sources, idempotency_key=idempotency_key, wait=wait, run=run
        )

    async def _ingest_messages(
        self, namespace: Namespace, messages: list[Message], group_id: str, wait: Wait, idempotency_key: str | None
    ) -> IngestionRun:
        runtime = await self._open()
        self._left_work = True
        return await runtime.writer.ingest_messages(
            runtime.tenant.number, namespace, messages, group_id=group_id, idempotency_key=idempotency_key, wait=wait
        )

    async def _context(self, request: ContextRequest) -> Context:
        from muniment.retrieval.context import gather_context

        runtime = await self._open()
        return await gather_context(runtime.retriever, runtime.database, runtime.tenant.number, request)

    async def _search(self, request: SearchRequest) -> SearchResult:
        runtime = await self._open()
        return await runtime.retriever.search(runtime.tenant.number, request)

    async def _query(self, request: QueryRequest) -> QueryResult:
        runtime = await self._open()
        return await runtime.retriever.query(runtime.tenant.number, request)

    async def _query_stream(self, request: QueryRequest) -> AsyncGenerator[QueryEvent, None]:
        runtime = await self._open()
        async with aclosing(runtime.retriever.query_events(runtime.tenant.number, request)) as events:
            async for event in events:
                yield event

    async def _records(
        self,
        namespace: Namespace,
        limit: int,
        cursor: str | None,
        group_id: str | None,
        source_id: str | None,
        include_closed: bool,
        kind: Kind | None,
    ) -> RecordPage:
        from muniment.log.records import list_records

        runtime = await self._open()
        return await list_records(
            runtime.database,
            runtime.tenant.number,
            namespace,
            limit=limit,
            cursor=cursor,
            group_id=group_id,
            source_id=source_id,
            include_closed=include_closed,
            kind=kind,
        )

    async def _open(self) -> Runtime:
        if self._runtime is not None:
            return self._runtime
        async with self._lock:
            if self._closed:
                raise MunimentError("memory.closed", "this memory has been closed; open it anew")
            if self._runtime is None:
                opening = open_runtime(self._settings, run_jobs=True)
                self._runtime = await opening.__aenter__()
                self._opening = opening
            return self._runtime
