"""Memory behind the REST API of a server."""

from __future__ import annotations

import asyncio
import base64
import json
import re
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import uuid4

import httpx
from pydantic import BaseModel, ValidationError

from muniment.errors import MunimentError
from muniment.memory.asking import claim_asked
from muniment.memory.engine import AsyncMuniment, Progress, Wait
from muniment.memory.event_stream import events_of
from muniment.memory.inputs import relation_change
from muniment.memory.transport import Transport
from muniment.model.archive import ArchiveSummary
from muniment.model.claims import (
    ClaimDetail,
    ClaimPage,
    Relation,
    RelationList,
    UndoneDecision,
    admit_relation_name,
)
from muniment.model.context import Context, ContextRequest
from muniment.model.events import QueryEvent
from muniment.model.filters import Kind
from muniment.model.job import Job, JobPage
from muniment.model.lifecycle import Erasure, ErasureList, LifecycleEvent, RecordHistory
from muniment.model.message import Message
from muniment.model.namespace import Namespace
from muniment.model.policy import Policy, PolicyChange, PolicyList
from muniment.model.profile import RetrievalProfile, RetrievalProfileList, admit_profile_name, can_name_profile
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

if TYPE_CHECKING:
    from muniment.log.proofs import RecordProof

_Model = TypeVar("_Model", bound=BaseModel)
_LARGEST_PAGE = 500
_IDENTIFIER = re.compile(r"[A-Za-z0-9_-]{1,128}")


class _SourcePage(BaseModel):
    sources: list[Source]
    next: str | None = None


class _RunPage(BaseModel):
    runs: list[IngestionRun]
    next: str | None = None


class _Note(BaseModel):
    note: str


class _Rebuilt(BaseModel):
    projections: dict[str, int]


class RemoteMuniment(AsyncMuniment):
    """The tenant of an API key, over HTTP."""

    def __init__(
        self,
        url: str,
        api_key: str,
        namespace: Namespace,
        timeout: float,
        *,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        super().__init__(namespace)
        self._transport = Transport(url, api_key, timeout, transport=transport)
        self._closed = False

    async def start(self) -> None:
        self._open()

    async def close(self) -> None:
        self._closed = True
        await self._transport.close()

    async def record(self, record_id: str) -> Record:
        return _read(Record, await self._open().get(f"records/{_id(record_id, 'record')}"))

    async def preview(self, record_id: str) -> Preview:
        source = (await self.record(record_id)).source_id
        return _read(Preview, await self._open().get(f"sources/{source}/preview", {"record": record_id}))

    async def content(self, source_id: str, *, version: int | None = None) -> bytes:
        return await self._open().get(f"sources/{_id(source_id, 'source')}/content", {"version": version})

    async def proof(self, record_id: str) -> RecordProof:
        from muniment.log.proofs import RecordProof

        return _read(RecordProof, await self._open().get(f"records/{_id(record_id, 'record')}/proof"))

    async def correct(self, record_id: str, text: str, *, reason: str) -> LifecycleEvent:
        body = _dump({"text": text, "reason": reason})
        path = f"records/{_id(record_id, 'record')}/correct"
        return _read(LifecycleEvent, await self._open().post(path, body, repeatable=True))

    async def forget(self, record_ids: Sequence[str], *, reason: str) -> LifecycleEvent:
        body = _dump({"records": list(record_ids), "reason": reason})
        return _read(LifecycleEvent, await self._open().post("records/forget", body, repeatable=True))

    async def retract(self, source_id: str, *, reason: str) -> LifecycleEvent:
        body = _dump({"reason": reason})
        path = f"sources/{_id(source_id, 'source')}/retract"
        return _read(LifecycleEvent, await self._open().post(path, body, repeatable=True))

    async def undo(self, commit: int, *, reason: str) -> LifecycleEvent:
        body = _dump({"reason": reason})
        return _read(LifecycleEvent, await self._open().post(f"commits/{commit:d}/undo", body, repeatable=True))

    async def erase(
        self, *, records: Sequence[str] = (), sources: Sequence[str] = (), runs: Sequence[str] = (), reason: str
    ) -> Erasure:
        body = _dump({"records": list(records), "sources": list(sources), "runs": list(runs), "reason": reason})
        return _read(Erasure, await self._open().post("erasures", body, repeatable=True))

    async def erasure(self, erasure_id: str) -> Erasure:
        return _read(Erasure, await self._open().get(f"erasures/{_id(erasure_id, 'erasure')}"))

    async def erasures(self) -> list[Erasure]:
        return _read(ErasureList, await self._open().get("erasures")).erasures

    async def history(self, record_id: str) -> RecordHistory:
        return _read(RecordHistory, await self._open().get(f"records/{_id(record_id, 'record')}/history"))

    async def sources(self, *, limit: int = 50, namespace: Namespace | None = None) -> list[Source]:
        found: list[Source] = []
        cursor: str | None = None
        while len(found) < limit:
            asked = {"limit": min(limit - len(found), _LARGEST_PAGE), "cursor": cursor}
            page = _read(_SourcePage, await self._open().get("sources", asked | _as_query(namespace or self.namespace)))
            found += page.sources
            cursor = page.next
            if cursor is None:
                break
        return found

    async def source(self, source_id: str) -> Source:
        return _read(Source, await self._open().get(f"sources/{_id(source_id, 'source')}"))

    async def runs(self, *, limit: int = 50) -> list[IngestionRun]:
        found: list[IngestionRun] = []
        cursor: str | None = None
        while len(found) < limit:
            asked = {"limit": min(limit - len(found), _LARGEST_PAGE), "cursor": cursor}
            page = _read(_RunPage, await self._open().get("ingestion-runs", asked))
            found += page.runs
            cursor = page.next
            if cursor is None:
                break
        return found

    async def run(self, run_id: str) -> IngestionRun:
        return _read(IngestionRun, await self._open().get(f"ingestion-runs/{_id(run_id, 'run')}"))

    async def retry(self, run_id: str) -> IngestionRun:
        return _read(IngestionRun, await self._open().post(f"ingestion-runs/{_id(run_id, 'run')}/retry"))

    async def extract(self, method: Method = "rules") -> ExtractionRequest:
        body = json.dumps({"method": method}).encode()
        return _read(ExtractionRequest, await self._open().post("extraction", body, repeatable=True))

    async def query_runs(self, *, limit: int = 50, cursor: str | None = None) -> QueryRunPage:
        return _read(QueryRunPage, await self._open().get("query-runs", {"limit": limit, "cursor": cursor}))

    async def query_run(self, query_id: str) -> QueryRun:
        return _read(QueryRun, await self._open().get(f"query-runs/{_id(query_id, 'run')}"))

    async def explain(self, query_id: str, record_id: str | None = None) -> RunExplanation:
        path = f"query-runs/{_id(query_id, 'run')}/explain"
        return _read(RunExplanation, await self._open().get(path, {"record": record_id}))

    async def replay(self, query_id: str) -> Replay:
        path = f"query-runs/{_id(query_id, 'run')}/replay"
        return _read(Replay, await self._open().post(path, repeatable=True))

    async def quota(self) -> Quota:
        return _read(Quota, await self._open().get("quota"))

    async def usage(self, *, days: int = 30) -> Usage:
        return _read(Usage, await self._open().get("usage", {"days": str(days)}))

    async def policy(self) -> Policy:
        return _read(Policy, await self._open().get("policy"))

    async def policies(self) -> list[Policy]:
        return _read(PolicyList, await self._open().get("policy/history")).policies

    async def _put_policy(self, change: PolicyChange) -> Policy:
        return _read(Policy, await self._open().put("policy", change.model_dump_json().encode()))

    async def profiles(self) -> list[RetrievalProfile]:
        return _read(RetrievalProfileList, await self._open().get("retrieval-profiles")).profiles

    async def profile(self, name: str) -> RetrievalProfile:
        if not can_name_profile(name):  # it must not become another path
            raise MunimentError("profile.not_found", "there is no such retrieval profile", name=name)
        return _read(RetrievalProfile, await self._open().get(f"retrieval-profiles/{name}"))

    async def put_profile(self, name: str, changes: Mapping[str, Any], *, base: str | None = None) -> RetrievalProfile:
        admit_profile_name(name)
        body = _dump({"base": base, "changes": dict(changes)})
        return _read(RetrievalProfile, await self._open().put(f"retrieval-profiles/{name}", body))

    async def jobs(
        self, *, state: str | None = None, kind: str | None = None, limit: int = 50, cursor: str | None = None
    ) -> JobPage:
        asked = {"state": state, "kind": kind, "limit": limit, "cursor": cursor}
        return _read(JobPage, await self._open().get("jobs", asked))

    async def job(self, job_id: str) -> Job:
        return _read(Job, await self._open().get(f"jobs/{_id(job_id, 'job')}"))

    async def cancel_job(self, job_id: str) -> Job:
        return _read(Job, await self._open().post(f"jobs/{_id(job_id, 'job')}/cancel"))

    async def requeue_job(self, job_id: str) -> Job:
        return _read(Job, await self._open().post(f"jobs/{_id(job_id, 'job')}/requeue"))

    async def claim(
        self, claim_id: str, *, known_at: int | None = None, asked_at: datetime | None = None
    ) -> ClaimDetail:
        asked = claim_asked(known_at=known_at, asked_at=asked_at)
        asked["asked_at"] = None if asked["asked_at"] is None else asked["asked_at"].isoformat()
        return _read(ClaimDetail, await self._open().get(f"claims/{_id(claim_id, 'claim')}", asked))

    async def undo_decision(self, decision_id: str) -> UndoneDecision:
        if not _IDENTIFIER.fullmatch(decision_id):
            raise MunimentError("claim.decision_not_found", "there is no decision of this id")
        return _read(UndoneDecision, await self._open().post(f"claims/decisions/{decision_id}/undo"))

    async def relations(self) -> list[Relation]:
        return _read(RelationList, await self._open().get("relations")).relations

    async def put_relation(
        self, name: str, *, single: bool, aliases: Sequence[str] = (), inverses: Sequence[str] = ()
    ) -> Relation:
        admit_relation_name(name)  # it must not become another path
        body = _dump(relation_change(single, aliases, inverses).model_dump())
        return _read(Relation, await self._open().put(f"relations/{name}", body))

    async def checkpoint(self) -> str:
        return _read(_Note, await self._open().post("checkpoints", repeatable=True)).note

    async def export(self, path: str | Path) -> ArchiveSummary:
        from muniment.archive.file import write_archive
        from muniment.archive.format import read_through

        await write_archive(Path(path), self._open().download("archive"))
        return (await asyncio.to_thread(read_through, Path(path)))[1]

    async def validate(self, *, checkpoint: str | None = None) -> ValidationReport:
        body = _dump({"checkpoint": checkpoint})
        return _read(ValidationReport, await self._open().post("validate", body, repeatable=True))

    async def rebuild(self, *, progress: Progress | None = None) -> dict[str, int]:
        return _read(_Rebuilt, await self._open().post("rebuild")).projections

    async def _summaries(
        self, namespace: Namespace, asked: Mapping[str, Any], limit: int, cursor: str | None
    ) -> SummaryPage:
        given = {name: value.isoformat() if isinstance(value, datetime) else value for name, value in asked.items()}
        query = given | {"limit": limit, "cursor": cursor} | _as_query(namespace)
        return _read(SummaryPage, await self._open().get("summaries", query))

    async def _claims(
        self, namespace: Namespace, asked: Mapping[str, Any], limit: int, cursor: str | None
    ) -> ClaimPage:
        given = {name: value.isoformat() if isinstance(value, datetime) else value for name, value in asked.items()}
        query = given | {"limit": limit, "cursor": cursor} | _as_query(namespace)
        return _read(ClaimPage, await self._open().get("claims", query))

    async def _ingest_sources(
        self, namespace: Namespace, sources: list[SourceInput], wait: Wait, idempotency_key: str | None, run: str | None
    ) -> IngestionRun:
        transport = self._open()
        body = await asyncio.to_thread(_sources_body, namespace, sources, wait, run)
        answer = await transport.post("sources/ingest", body, idempotency_key=_key(idempotency_key))
        return _read(IngestionRun, answer)

    async def _ingest_messages(
        self, namespace: Namespace, messages: list[Message], group_id: str, wait: Wait, idempotency_key: str | None
    ) -> IngestionRun:
        body = _dump(
            {
                "namespace": _as_json(namespace),
                "group_id": group_id,
                "messages": [_as_json(message) for message in messages],
                "wait": wait,
            }
        )
        answer = await self._open().post("messages", body, idempotency_key=_key(idempotency_key))
        return _read(IngestionRun, answer)

    async def _context(self, request: ContextRequest) -> Context:
        body = _dump(_as_json(request))
        return _read(Context, await self._open().post("context", body, repeatable=True))

    async def _search(self, request: SearchRequest) -> SearchResult:
        body = _dump(_as_json(request))
        return _read(SearchResult, await self._open().post("search", body, repeatable=True))

    async def _query(self, request: QueryRequest) -> QueryResult:
        body = _dump(_as_json(request))
        return _read(QueryResult, await self._open().post("query", body, repeatable=True))

    async def _query_stream(self, request: QueryRequest) -> AsyncGenerator[QueryEvent, None]:
        body = _dump(_as_json(request))
        async with self._open().stream("query", body) as response, aclosing(events_of(response)) as events:
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
        asked: dict[str, Any] = {
            "limit": limit,
            "cursor": cursor,
            "group_id": group_id,
            "source_id": source_id,
            "include_closed": "true" if include_closed else None,
            "kind": kind,
        }
        return _read(RecordPage, await self._open().get("records", asked | _as_query(namespace)))

    def _open(self) -> Transport:
        if self._closed:
            raise MunimentError("memory.closed", "this memory has been closed; connect anew")
        return self._transport


def _sources_body(namespace: Namespace, sources: list[SourceInput], wait: Wait, run: str | None) -> bytes:
    return _dump(
        {
            "namespace": _as_json(namespace),
            "sources": [_as_json(_carried(index, source)) for index, source in enumerate(sources)],
            "wait": wait,
            **({} if run is None else {"run": run}),
        }
    )


def _carried(index: int, source: SourceInput) -> SourceInput:
    """The source with its file's bytes in place of its path, which means nothing to the server."""
    if source.path is None:
        return source
    try:
        data = source.path.read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "not a valid path"
        raise MunimentError("source.unreadable", f"the file cannot be read: {reason}", index=index) from None
    content = base64.b64encode(data).decode()
    name = source.filename or source.path.name
    return source.model_copy(update={"path": None, "content_base64": content, "filename": name})


def _as_json(model: BaseModel) -> dict[str, Any]:
    """The model as JSON values, without defaults: an older server is not asked for what it does not know."""
    return model.model_dump(mode="json", exclude_defaults=True)


def _dump(body: dict[str, Any]) -> bytes:
    try:
        return json.dumps(body, ensure_ascii=False, allow_nan=False).encode()
    except UnicodeEncodeError:
        raise MunimentError("input.encoding_invalid", "a text holds half of a surrogate pair") from None
    except ValueError:
        raise MunimentError("input.metadata_invalid", "a number is not finite") from None


def _as_query(namespace: Namespace) -> dict[str, Any]:
    return {
        name: "true" if value is True else value for name, value in namespace.model_dump(exclude_defaults=True).items()
    }


def _id(identifier: str, what: str) -> str:
    """An id as a part of a path; what cannot be one is not there, and must not become another path."""
    if not _IDENTIFIER.fullmatch(identifier):
        raise MunimentError(f"{what}.not_found", f"there is no such {what}")
    return identifier


def _key(given: str | None) -> str:
    return uuid4().hex if given is None else given


def _read(model: type[_Model], answer: bytes) -> _Model:
    try:
        return model.model_validate_json(answer)
    except ValidationError as error:
        raise MunimentError("internal", f"the server's answer is no {model.__name__.strip('_')}") from error
