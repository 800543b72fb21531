"""What is told of a question while it is being answered."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from muniment.model.result import Hit, QueryResult


class StageEvent(BaseModel):
    """A stage has ended: what it decided, in a few words."""

    type: Literal["stage"] = "stage"
    name: str
    decision: str | None
    duration_ms: float


class EvidenceEvent(BaseModel):
    """The records that the answer may cite, best first; they come before the answer."""

    type: Literal["evidence"] = "evidence"
    hits: list[Hit]


class AnswerDeltaEvent(BaseModel):
    """A piece more of the answer, as a model writes it. Provisional: it has not been checked, and may be retracted."""

    type: Literal["answer_delta"] = "answer_delta"
    text: str
    provisional: Literal[True] = True


class RetractedEvent(BaseModel):
    """All pieces so far no longer count. Others may follow; what counts in the end is the result."""

    type: Literal["retracted"] = "retracted"
    because: str


class ResultEvent(BaseModel):
    """The result, whole: always the last event. Only what stands in it has been checked."""

    type: Literal["result"] = "result"
    result: QueryResult


QueryEvent = Annotated[
    StageEvent | EvidenceEvent | AnswerDeltaEvent | RetractedEvent | ResultEvent, Field(discriminator="type")
]
