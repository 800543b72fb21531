"""Parameters that several resources share, and the refusal of those that a resource does not know."""

from typing import Annotated, Any, Final

from litestar import Litestar
from litestar.connection import ASGIConnection
from litestar.handlers.base import BaseRouteHandler
from litestar.params import FromQuery, HeaderParameter, QueryParameter
from litestar.routes import HTTPRoute
from pydantic import ValidationError

from muniment.errors import MunimentError
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

_API: Final = "/api/"
_LONGEST_TOLD: Final = 64


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


def name_parameters(app: Litestar) -> None:
    """Notes what each resource takes in its query string, for ``refuse_unknown_parameters``."""
    app.state.parameters = {
        (route.path_format, method): sorted({each.field_alias for each in model.expected_query_params})
        for route in app.routes
        if isinstance(route, HTTPRoute) and route.path.startswith(_API)
        for method, (_, model) in route.route_handler_map.items()
    }


def refuse_unknown_parameters(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """A guard: a parameter that is not known is a mistake, not to be passed over; raises ``input.invalid``."""
    if not connection.scope["query_string"]:
        return
    key = connection.scope["path_template"], connection.scope.get("method")
    known = connection.app.state.parameters.get(key)
    if known is None:
        return
    unknown = next((name for name in connection.query_params if name not in known), None)
    if unknown is not None:
        told = f"the parameters are {', '.join(known)}" if known else "there are no parameters here"
        raise MunimentError("input.invalid", f'there is no parameter "{unknown[:_LONGEST_TOLD]}": {told}', known=known)
