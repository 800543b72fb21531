"""Query runs of a server."""

from __future__ import annotations

from muniment.memory.interface.query_runs import QueryRuns
from muniment.memory.over_rest.connected import Connected
from muniment.memory.wire import path_part, read_answer
from muniment.model.query_runs import QueryRun, QueryRunPage, Replay, RunExplanation


class RemoteQueryRuns(Connected, QueryRuns):
    """What the server was asked."""

    async def query_runs(self, *, limit: int = 50, cursor: str | None = None) -> QueryRunPage:
        return read_answer(QueryRunPage, await self._open().get("query-runs", {"limit": limit, "cursor": cursor}))

    async def query_run(self, query_id: str) -> QueryRun:
        return read_answer(QueryRun, await self._open().get(f"query-runs/{path_part(query_id, 'run')}"))

    async def explain(self, query_id: str, record_id: str | None = None) -> RunExplanation:
        path = f"query-runs/{path_part(query_id, 'run')}/explain"
        return read_answer(RunExplanation, await self._open().get(path, {"record": record_id}))

    async def replay(self, query_id: str) -> Replay:
        path = f"query-runs/{path_part(query_id, 'run')}/replay"
        return read_answer(Replay, await self._open().post(path, repeatable=True))
