"""The handlers of all kinds of jobs, by kind."""

from typing import Final

from muniment.jobs.context import Handler, Handlers, JobContext
from muniment.jobs.embedding import embed
from muniment.jobs.linking import link
from muniment.jobs.merging import merge

__all__ = ["EMBEDDING_KINDS", "HANDLERS", "JobContext", "handlers_for"]

HANDLERS: Final[dict[str, Handler]] = {"embed": embed, "link": link, "merge": merge}

EMBEDDING_KINDS: Final = frozenset({"embed", "link"})
"""Kinds that need a model: a process without one leaves them to one that has it."""


def handlers_for(*, embedding: bool) -> Handlers:
    """The handlers that a process can run, with or without an embedding model."""
    return {kind: handler for kind, handler in HANDLERS.items() if embedding or kind not in EMBEDDING_KINDS}
