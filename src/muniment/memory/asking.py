"""What is asked of claims and summaries, made into what it is: times may be written, and what cannot be is an error."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field, ValidationError

from muniment.model.claims import ClaimStatus
from muniment.model.refusals import Closed, refused
from muniment.model.summaries import SummaryKind
from muniment.model.times import Moment


class _ClaimsAsked(Closed):
    """What ``claims`` is asked for."""

    subject: str | None
    relation: str | None
    status: list[ClaimStatus] | None
    as_of: Moment | None
    known_at: Annotated[int | None, Field(ge=0, strict=True)]
    asked_at: Moment | None


class _SummariesAsked(Closed):
    """What ``summaries`` is asked for."""

    kind: SummaryKind
    group_id: str | None
    entity: str | None
    known_at: Annotated[int | None, Field(ge=0, strict=True)]
    asked_at: Moment | None


class _ClaimAsked(Closed):
    """As known when, and by which clock, ``claim`` is asked."""

    known_at: Annotated[int | None, Field(ge=0, strict=True)]
    asked_at: Moment | None


def claims_asked(**given: Any) -> dict[str, Any]:
    """The arguments of ``claims`` as what they are: times of ISO 8601 too; raises ``input.*`` with the ``field``."""
    return _asked(_ClaimsAsked, given)


def summaries_asked(**given: Any) -> dict[str, Any]:
    """The arguments of ``summaries``, as ``claims_asked``."""
    return _asked(_SummariesAsked, given)


def claim_asked(**given: Any) -> dict[str, Any]:
    """The arguments of ``claim``, as ``claims_asked``."""
    return _asked(_ClaimAsked, given)


def _asked(shape: type[Closed], given: Mapping[str, Any]) -> dict[str, Any]:
    try:
        return shape.model_validate(given).model_dump()
    except ValidationError as error:
        raise refused(error) from None
