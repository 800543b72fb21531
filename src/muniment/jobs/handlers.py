"""The handlers of all kinds of jobs, by kind."""

from typing import Final

from muniment.jobs.context import Handler, Handlers, JobContext
from muniment.jobs.embedding import embed
from muniment.jobs.extraction import extract
from muniment.jobs.indexing import KIND as VECTOR_INDEX
from muniment.jobs.indexing import index_vectors
from muniment.jobs.linking import link
from muniment.jobs.merging import merge

__all__ = ["ADMIN_KINDS", "EMBEDDING_KINDS", "HANDLERS", "JobContext", "handlers_for"]

HANDLERS: Final[dict[str, Handler]] = {
    "embed": embed,
    "extract": extract,
    "link": link,
    "merge": merge,
    VECTOR_INDEX: index_vectors,
}

EMBEDDING_KINDS: Final = frozenset({"embed", "link"})
"""Kinds that need a model: a process without one leaves them to one that has it."""


ADMIN_KINDS: Final = frozenset({VECTOR_INDEX})
"""Kinds that need the administrator's URL: a process that knows only the service role's leaves them to others."""


def handlers_for(*, embedding: bool, administrator: bool = True) -> Handlers:
    """The handlers that a process can run, with or without an embedding model and the administrator's URL."""
    left = (frozenset() if embedding else EMBEDDING_KINDS) | (frozenset() if administrator else ADMIN_KINDS)
    return {kind: handler for kind, handler in HANDLERS.items() if kind not in left}
