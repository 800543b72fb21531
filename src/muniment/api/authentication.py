"""Who asks: a bearer API key becomes a principal; the tenant comes from the key, never from the request."""

from typing import Any

from litestar.connection import ASGIConnection
from litestar.handlers.base import BaseRouteHandler
from litestar.middleware import AbstractAuthenticationMiddleware, AuthenticationResult
from litestar.types import Guard

from muniment.errors import MunimentError
from muniment.tenancy.keys import Principal, resolve_key

ADMIN = "admin"


class KeyAuthentication(AbstractAuthenticationMiddleware):
    """Resolves ``Authorization: Bearer mun_…``; raises ``auth.missing`` or ``auth.invalid``."""

    async def authenticate_request(self, connection: ASGIConnection[Any, Any, Any, Any]) -> AuthenticationResult:
        """The principal of the key, as ``request.user``."""
        scheme, _, secret = connection.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not secret.strip():
            raise MunimentError("auth.missing", "send the API key as: Authorization: Bearer mun_…")
        principal = await resolve_key(connection.app.state.runtime.database, secret.strip())
        return AuthenticationResult(user=principal, auth=None)


def needs(scope: str) -> Guard:
    """A guard that asks for this scope; ``admin`` has them all."""

    def guard(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
        principal: Principal = connection.user
        if scope not in principal.scopes and ADMIN not in principal.scopes:
            raise MunimentError("auth.scope_missing", f"the API key lacks the scope {scope}", scope=scope)

    return guard
