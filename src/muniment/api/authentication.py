"""Who asks: a bearer credential becomes a principal; the tenant comes from it, never from the request."""

from typing import Any, cast

from litestar.connection import ASGIConnection
from litestar.handlers.base import BaseRouteHandler
from litestar.middleware import AbstractAuthenticationMiddleware, AuthenticationResult
from litestar.types import Guard, Receive, Scope, Send

from muniment.audit.acting import acting_as
from muniment.database.pinning import pinned_to
from muniment.database.pool import Database
from muniment.errors import MunimentError
from muniment.model.access import AccessScope
from muniment.oauth.discovery import ForeignKeys
from muniment.oauth.foreign import issuer_claim, resolve_foreign
from muniment.oauth.issuer import Issuer
from muniment.oauth.tokens import resolve_token
from muniment.tenancy.keys import resolve_key
from muniment.tenancy.principal import Principal


class Authentication(AbstractAuthenticationMiddleware):
    """Resolves ``Authorization: Bearer …``; raises ``auth.missing`` or ``auth.invalid``.

    What it asks for is done under its pin, and told to the audit log as its act.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._next = self.app
        self.app = self._pinned

    async def authenticate_request(self, connection: ASGIConnection[Any, Any, Any, Any]) -> AuthenticationResult:
        """The principal, as ``request.user``."""
        principal = await principal_of(connection)
        if principal is None:
            raise MunimentError("auth.missing", "send the credential as: Authorization: Bearer mun_…")
        return AuthenticationResult(user=principal, auth=None)

    async def _pinned(self, scope: Scope, receive: Receive, send: Send) -> None:
        principal = cast("Principal | None", scope.get("user"))
        if principal is None:
            await self._next(scope, receive, send)
            return
        with pinned_to(principal.pin), acting_as(principal.actor):
            await self._next(scope, receive, send)


async def principal_of(connection: ASGIConnection[Any, Any, Any, Any]) -> Principal | None:
    """Whose bearer credential it is, an API key or an access token; None without one. Raises ``auth.invalid``."""
    scheme, _, secret = connection.headers.get("authorization", "").partition(" ")
    secret = secret.strip()
    if scheme.lower() != "bearer" or not secret:
        return None
    state = connection.app.state
    database: Database = state.runtime.database
    issuer: Issuer | None = state.issuer
    if issuer is not None and secret.count(".") == 2:  # no key has a dot, every signed JWT has two
        keys: ForeignKeys | None = state.foreign_keys
        if keys is not None and issuer_claim(secret) != issuer.url:
            return await resolve_foreign(database, issuer, keys, secret)
        return await resolve_token(database, issuer, secret)
    return await resolve_key(database, secret)


async def operates(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """A guard for what reaches across tenants: a credential of the store's own tenant, where the server lets it.

    Raises ``auth.scope_missing``, ``auth.namespace_denied`` and ``auth.operator_only``.
    """
    principal: Principal = connection.user
    principal.require("tenant:admin")
    runtime = connection.app.state.runtime
    if principal.pin is not None:
        raise MunimentError("auth.namespace_denied", "this is about all tenants, and the credential is pinned")
    if not runtime.settings.operator_interface or principal.tenant != runtime.tenant.number:
        raise MunimentError("auth.operator_only", "tenants are administered by who operates the server")


def needs(scope: AccessScope, *, whole: bool = False) -> Guard:
    """A guard that asks for this scope, and with ``whole`` for a credential that is not pinned to a namespace.

    Raises ``auth.scope_missing`` and ``auth.namespace_denied``.
    """

    def guard(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
        principal: Principal = connection.user
        principal.require(scope)
        if whole and principal.pin is not None:
            raise MunimentError("auth.namespace_denied", "this shows the whole tenant, and the credential is pinned")

    return guard
