"""The Litestar application over a runtime."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import cast

from litestar import Litestar
from litestar.datastructures import ResponseHeader, State
from litestar.middleware import DefineMiddleware
from litestar.plugins.pydantic import PydanticPlugin

from muniment.api.authentication import Authentication
from muniment.api.documentation import asset_router, openapi_config
from muniment.api.interruption import Interruption
from muniment.api.parameters import name_parameters, refuse_unknown_parameters
from muniment.api.problems import to_problem
from muniment.api.rationing import ration, tell_rate
from muniment.api.request_body import JsonRequest
from muniment.api.resources.registry import route_handlers
from muniment.api.response_headers import HEADERS, guard
from muniment.api.telemetry import note_tenant, observe
from muniment.oauth.discovery import ForeignKeys
from muniment.oauth.issuer import issuer_of
from muniment.runtime import Runtime
from muniment.settings import Settings

_AS_EACH_FIELD_SAYS = cast("bool", None)  # False would take "5" where a field says that it wants a number


def create_app(settings: Settings, runtime: AbstractAsyncContextManager[Runtime]) -> Litestar:
    """The application; ``runtime`` is entered when the server starts and left when it stops."""

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        async with runtime as opened:
            app.state.runtime = opened
            yield

    foreign_keys = None
    if settings.external_issuers != "off":
        foreign_keys = ForeignKeys(settings)
    app = Litestar(
        route_handlers=[*route_handlers(settings.max_request_bytes), asset_router()],
        request_class=JsonRequest,
        before_request=note_tenant,
        guards=[refuse_unknown_parameters, ration],
        before_send=[guard, tell_rate],
        lifespan=[lifespan],
        state=State({"issuer": issuer_of(settings), "foreign_keys": foreign_keys, "interruption": Interruption()}),
        middleware=[DefineMiddleware(Authentication, exclude=["^/docs", "^/openapi.json$"])],
        exception_handlers={Exception: to_problem},
        plugins=[PydanticPlugin(prefer_alias=True, validate_strict=_AS_EACH_FIELD_SAYS)],
        openapi_config=openapi_config(),
        logging_config=None,  # the process has configured its log
        response_headers=[ResponseHeader(name=name, value=value) for name, value in HEADERS.items()],
        request_max_body_size=min(settings.max_command_bytes, settings.max_request_bytes),
        pdb_on_exception=False,
        debug=False,
    )
    name_parameters(app)
    observe(app, settings)
    return app
