"""Parameters that several resources share."""

from typing import Annotated

from litestar.params import FromQuery, HeaderParameter, QueryParameter
from pydantic import ValidationError

from muniment.model.namespace import Namespace
from muniment.model.refusals import refused

IdempotencyKey = Annotated[
    str | None,
    HeaderParameter(
        name="Idempotency-Key",
        description="Any text of up to 255 printable characters: the same write sent again under it is done once.",
    ),
]
Limit = Annotated[int, QueryParameter(ge=1, le=500, description="How many at most")]
Cursor = Annotated[str | None, QueryParameter(description="`next` of the page before")]
_Field = Annotated[str | None, QueryParameter(min_length=1, max_length=256)]


def asked_namespace(
    project_id: _Field = None,
    user_id: _Field = None,
    agent_id: _Field = None,
    session_id: _Field = None,
    include_shared: FromQuery[bool] = False,
) -> Namespace:
    """The namespace in the query string; raises ``input.namespace_invalid``."""
    try:
        return Namespace(
            project_id=project_id,
            user_id=user_id,
            agent_id=agent_id,
            session_id=session_id,
            include_shared=include_shared,
        )
    except ValidationError as error:
        raise refused(error, code="input.namespace_invalid") from None
