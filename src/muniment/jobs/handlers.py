"""The handlers of all kinds of jobs, by kind."""

from typing import Final

from muniment.jobs.context import Handler, Handlers, JobContext
from muniment.jobs.describing import describe
from muniment.jobs.embedding import embed
from muniment.jobs.expiring import KIND as EXPIRE
from muniment.jobs.expiring import expire
from muniment.jobs.extraction import extract
from muniment.jobs.indexing import KIND as VECTOR_INDEX
from muniment.jobs.indexing import index_vectors
from muniment.jobs.linking import link
from muniment.jobs.merging import merge
from muniment.jobs.model_extraction import extract_by_model
from muniment.jobs.recompiling import recompile
from muniment.jobs.rederiving import KIND as REDERIVE
from muniment.jobs.rederiving import rederive
from muniment.jobs.removing import KIND as REMOVE_TENANT
from muniment.jobs.removing import remove
from muniment.jobs.reporting import KIND as REPORT
from muniment.jobs.reporting import report
from muniment.jobs.retyping import retype
from muniment.jobs.summarizing import summarize
from muniment.jobs.vacuuming import KIND as VACUUM
from muniment.jobs.vacuuming import vacuum
from muniment.log.retyping import KIND as RETYPE
from muniment.log.stale_claims import KIND as CLAIMS
from muniment.log.stale_summaries import KIND as SUMMARIES
from muniment.queue.extraction import KINDS as EXTRACTION_KINDS

__all__ = ["ADMIN_KINDS", "EMBEDDING_KINDS", "HANDLERS", "JobContext", "handlers_for"]

HANDLERS: Final[dict[str, Handler]] = {
    EXTRACTION_KINDS["vision"]: describe,
    "embed": embed,
    EXPIRE: expire,
    EXTRACTION_KINDS["rules"]: extract,
    EXTRACTION_KINDS["model"]: extract_by_model,
    "link": link,
    "merge": merge,
    CLAIMS: recompile,
    REDERIVE: rederive,
    REMOVE_TENANT: remove,
    RETYPE: retype,
    REPORT: report,
    SUMMARIES: summarize,
    VECTOR_INDEX: index_vectors,
    VACUUM: vacuum,
}

EMBEDDING_KINDS: Final = frozenset({"embed", "link"})
"""Kinds that need a model: a process without one leaves them to one that has it."""


ADMIN_KINDS: Final = frozenset({VECTOR_INDEX, VACUUM, REMOVE_TENANT})
"""Kinds that need the administrator's URL: a process that knows only the service role's leaves them to others."""


CHAT_KINDS: Final = frozenset({EXTRACTION_KINDS["model"]})
"""Kinds that need a language model that extracts facts."""


VISION_KINDS: Final = frozenset({EXTRACTION_KINDS["vision"]})
"""Kinds that need a language model that sees."""


def handlers_for(
    *, embedding: bool, administrator: bool = True, extraction: bool = True, vision: bool = True
) -> Handlers:
    """The handlers that a process can run, with or without an embedding model, the administrator's URL, and language
    models that extract facts and that describe images."""
    left = (frozenset() if embedding else EMBEDDING_KINDS) | (frozenset() if administrator else ADMIN_KINDS)
    left |= (frozenset() if extraction else CHAT_KINDS) | (frozenset() if vision else VISION_KINDS)
    return {kind: handler for kind, handler in HANDLERS.items() if kind not in left}
