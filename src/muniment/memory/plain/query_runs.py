"""Query runs, in the plain form."""

from __future__ import annotations

from muniment.memory.plain.waiting import Waiting
from muniment.model.query_runs import QueryRun, QueryRunPage, Replay, RunExplanation


class PlainQueryRuns(Waiting):
    """As ``QueryRuns``, waiting."""

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
