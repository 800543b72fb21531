"""Query runs of the store."""

from __future__ import annotations

from muniment.memory.in_process.opened import Opened
from muniment.memory.interface.query_runs import QueryRuns
from muniment.model.query_runs import QueryRun, QueryRunPage, Replay, RunExplanation
from muniment.retrieval.explain.explaining import explain
from muniment.retrieval.replay import replay_run
from muniment.retrieval.runs import get_query_run, list_query_runs


class LocalQueryRuns(Opened, QueryRuns):
    """What the store was asked."""

    async def query_runs(self, *, limit: int = 50, cursor: str | None = None) -> QueryRunPage:
        runtime = await self._open()
        return await list_query_runs(runtime.database, runtime.tenant.number, limit=limit, cursor=cursor)

    async def query_run(self, query_id: str) -> QueryRun:
        runtime = await self._open()
        return await get_query_run(runtime.database, runtime.tenant.number, query_id, details=False)

    async def explain(self, query_id: str, record_id: str | None = None) -> RunExplanation:
        runtime = await self._open()
        return await explain(runtime.database, runtime.retriever.tools, runtime.tenant.number, query_id, record_id)

    async def replay(self, query_id: str) -> Replay:
        runtime = await self._open()
        return await replay_run(runtime.database, runtime.retriever.tools, runtime.tenant.number, query_id)
