"""The authorization server's endpoints for programs, and what it and the API are described by."""

from typing import Any

from litestar import Controller, MediaType, Request, Response, get, post
from litestar.datastructures import State

from muniment.api.authentication import principal_of
from muniment.errors import MunimentError
from muniment.oauth.issuer import Issuer
from muniment.oauth.requests import Reply
from muniment.oauth.server import AuthorizationServer
from muniment.oauth.signing import published_keys

_FORM = "application/x-www-form-urlencoded"
_MOST_BYTES = 64 * 1024


def issuer_in(state: State) -> Issuer:
    """The issuer; raises ``auth.oauth_off`` where there is no authorization server."""
    issuer: Issuer | None = state.issuer
    if issuer is None:
        raise MunimentError(
            "auth.oauth_off", "OAuth needs to know the server's URL: MUNIMENT_PUBLIC_URL", setting="MUNIMENT_PUBLIC_URL"
        )
    return issuer


def server_in(state: State) -> AuthorizationServer:
    """The authorization server of this process, made at the first call."""
    issuer = issuer_in(state)
    if state.get("authorization_server") is None:
        state.authorization_server = AuthorizationServer(state.runtime.database, issuer)
    server: AuthorizationServer = state.authorization_server
    return server


def answer(reply: Reply) -> Response[bytes]:
    """The HTTP answer. Where it leads somewhere else it has no body."""
    headers = dict(reply.headers)
    kind = headers.pop("Content-Type", MediaType.JSON.value)
    return Response(reply.body.encode(), status_code=reply.status, headers=headers, media_type=kind)


async def form_of(request: Request[Any, Any, Any]) -> str:
    """The form in the body, undecoded; raises ``input.invalid`` and ``input.too_large``."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != _FORM:
        raise MunimentError("input.invalid", f"the body must be a form ({_FORM})")
    body = await request.body()
    if len(body) > _MOST_BYTES:
        raise MunimentError("input.too_large", "the form is too large", limit=_MOST_BYTES)
    return body.decode("ascii", "replace")


class DescriptionController(Controller):
    """Where everything is."""

    path = "/.well-known"
    tags = ["oauth"]  # noqa: RUF012 - Litestar's own form
    opt = {"exclude_from_auth": True}  # noqa: RUF012
    include_in_schema = False

    @get("/oauth-authorization-server")
    async def authorization_server(self, state: State) -> dict[str, Any]:
        """The authorization server (RFC 8414)."""
        return issuer_in(state).metadata(registration=state.runtime.settings.client_registration)

    @get(["/oauth-protected-resource", "/oauth-protected-resource/api/v1"])
    async def protected_resource(self, state: State) -> dict[str, Any]:
        """The REST interface (RFC 9728)."""
        return issuer_in(state).resource_metadata()

    @get("/jwks.json")
    async def keys(self, state: State) -> dict[str, Any]:
        """The public keys of access tokens (RFC 7517)."""
        issuer_in(state)
        return await published_keys(state.runtime.database)


class OAuthController(Controller):
    """OAuth 2.1; errors are OAuth's own, except where the server is not set up or the form is none."""

    path = "/oauth"
    tags = ["oauth"]  # noqa: RUF012 - Litestar's own form
    opt = {"exclude_from_auth": True}  # noqa: RUF012
    include_in_schema = False

    @post("/token", status_code=200)
    async def token(self, request: Request[Any, Any, Any], state: State) -> Response[bytes]:
        """Tokens for a client's own credentials, a code, a refresh token or a device code."""
        return answer(await server_in(state).token(await form_of(request), request.headers))

    @post("/device_authorization", status_code=200)
    async def device(self, request: Request[Any, Any, Any], state: State) -> Response[bytes]:
        """Codes for a device without a browser (RFC 8628)."""
        form = await form_of(request)
        return answer(await server_in(state).endpoint("device_authorization", form, request.headers))

    @post("/introspect", status_code=200)
    async def introspect(self, request: Request[Any, Any, Any], state: State) -> Response[bytes]:
        """Whether a token can be used, and what for (RFC 7662)."""
        return answer(await server_in(state).endpoint("introspection", await form_of(request), request.headers))

    @post("/revoke", status_code=200)
    async def revoke(self, request: Request[Any, Any, Any], state: State) -> Response[bytes]:
        """Gives a token back with its whole family (RFC 7009)."""
        return answer(await server_in(state).endpoint("revocation", await form_of(request), request.headers))

    @post("/register", status_code=201)
    async def register(self, request: Request[Any, Any, Any], state: State) -> Response[bytes]:
        """Registers a client (RFC 7591) in the tenant of the credential in the request, where that is switched on."""
        server = server_in(state)
        if not state.runtime.settings.client_registration:
            raise MunimentError("route.not_found", "clients do not register themselves here")
        body = await request.body()
        if len(body) > _MOST_BYTES:
            raise MunimentError("input.too_large", "the metadata are too large", limit=_MOST_BYTES)
        return answer(await server.register(body, request.headers, await principal_of(request)))
