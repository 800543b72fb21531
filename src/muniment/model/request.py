"""What a search and a question may ask for."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, TypedDict

from pydantic import Field

from muniment.model.filters import Filters
from muniment.model.languages import Language
from muniment.model.namespace import Name, Namespace
from muniment.model.refusals import Closed
from muniment.model.times import Moment


class RetrievalRequest(Closed):
    """What searches and questions have in common.

    ``known_at`` searches the log as it was after that commit. ``as_of`` leaves out what happened after that time: a
    record that was said later and tells of no earlier time; one whose time is not known stays. What was said by then of
    a later day stays, and what was told later of earlier times: ``known_at`` and the filter ``said`` are about when a
    thing was learned. ``asked_at`` is the question's own time, against which its "last Friday" is
    resolved; its offset is the zone; default now, in UTC. ``without`` switches routes and stages off by their names.
    ``timeout``, in seconds, is the deadline at which the best partial result is given; default the profile's.
    ``language`` is the one in which the question is read; default the one of those of the visible sources that its
    words tell, or all of these.
    """

    namespace: Namespace = Namespace()
    top_k: int = Field(10, ge=1, lt=2**63, strict=True)
    group_id: Name | None = None
    filters: Filters = Field(default_factory=Filters)
    known_at: int | None = Field(
        None, ge=0, lt=2**63, strict=True, description="a commit number: search the log as it was after that commit"
    )
    as_of: Moment | None = None
    asked_at: Moment | None = None
    profile: Name | None = Field(None, description="a retrieval profile by its name; default `default`")
    without: list[Name] = Field(default_factory=list, max_length=64)
    language: Language | None = Field(None, description="the language of the question, as in german")
    timeout: float | None = Field(
        None, gt=0, le=600, strict=True, description="seconds until the best partial result is given"
    )


class RetrievalOptions(TypedDict, total=False):
    """What may be said of a search or a question beside its text; see ``RetrievalRequest``."""

    top_k: int
    group_id: str | None
    filters: Filters | Mapping[str, Any]
    known_at: int | None
    as_of: datetime | None
    asked_at: datetime | None
    profile: str | None
    without: list[str]
    timeout: float | None
    language: str | None


class SearchRequest(RetrievalRequest):
    """A search for records, best first."""

    query: str


class QueryRequest(RetrievalRequest):
    """A question to answer from the log."""

    question: str
