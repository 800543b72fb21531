"""Context for a model: what a search finds, in the units that the caller chooses, within a number of tokens."""

from typing import Literal

from pydantic import BaseModel, Field

from muniment.model.request import RetrievalRequest

Unit = Literal["raw", "fact", "episode", "profile"]
_DEFAULT: tuple[Unit, ...] = ("raw", "fact", "profile")


class ContextRequest(RetrievalRequest):
    """A question, the units that are wanted of what bears on it, and how many tokens they may take together."""

    question: str
    units: list[Unit] = Field(default_factory=lambda: list(_DEFAULT), min_length=1, max_length=4)
    tokens: int = Field(1200, ge=50, le=20_000)


class ContextUnit(BaseModel):
    """One unit. ``records`` are what it rests on: only of ``raw`` units they are what it says itself.

    Facts, episodes and profiles are context: cite the records.
    """

    unit: Unit
    id: str
    text: str
    records: list[str]
    tokens: int


class Context(BaseModel):
    """The units in the order of the request, each kind best first, and the query run of the search behind them."""

    query_id: str
    question: str
    units: list[ContextUnit]
    tokens: int
    tokens_are: str
    partial: bool
    notes: list[str]
