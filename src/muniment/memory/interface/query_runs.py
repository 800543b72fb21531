"""What was asked: query runs, explained and made again."""

from __future__ import annotations

from abc import abstractmethod

from muniment.memory.interface.part import Part
from muniment.model.query_runs import QueryRun, QueryRunPage, Replay, RunExplanation


class QueryRuns(Part):
    """Every search and question as it was answered."""

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
