"""The authorization server's endpoints for programs, and what it and the API are described by."""

from collections.abc import Awaitable, Callable
from typing import Any

from litestar import Controller, MediaType, Request, Response, get, post
from litestar.datastructures import State
from litestar.exceptions import HTTPException

from muniment.api.authentication import principal_of
from muniment.api.operations import FORM
from muniment.api.problems import documented
from muniment.api.request_body import media_type_of, media_type_refused
from muniment.api.resources.oauth_answers import (
    ClientMetadata,
    DeviceAnswer,
    DeviceForm,
    IntrospectionAnswer,
    OfToken,
    RegisteredClient,
    TokenAnswer,
    TokenForm,
    answers,
)
from muniment.errors import MunimentError
from muniment.oauth.issuer import Issuer
from muniment.oauth.requests import Reply, invalid_request
from muniment.oauth.server import AuthorizationServer
from muniment.oauth.signing import published_keys

_MOST_BYTES = 64 * 1024
_OF_CLIENTS: list[dict[str, list[str]]] = [{"clientSecret": []}, {}]  # a secret may come in the form, or there is none


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
    """The form in the body, undecoded; raises ``input.media_type_unsupported`` and ``input.too_large``."""
    given = media_type_of(request.headers)
    if given != FORM:
        raise media_type_refused(given, FORM)
    return (await _body_of(request)).decode("ascii", "replace")


async def _body_of(request: Request[Any, Any, Any]) -> bytes:
    try:
        body = await request.body()
    except HTTPException as error:
        if error.status_code != 413:
            raise
        body = b" " * (_MOST_BYTES + 1)  # as much as nobody may send here either
    if len(body) > _MOST_BYTES:
        raise MunimentError("input.too_large", "the body is too large", limit=_MOST_BYTES)
    return body


async def _told(form: Awaitable[Any], work: Callable[[Any], Awaitable[Reply]]) -> Response[bytes]:
    """What the authorization server says to a body; one that cannot be read is an error of OAuth's own as well."""
    try:
        body = await form
    except MunimentError as error:
        if error.code.startswith("request."):  # nothing that was said is wrong
            raise
        status = 413 if error.kind.status == 413 else 400  # RFC 6749 knows no other for a request that is wrong
        return answer(invalid_request(error.detail, status))
    return answer(await work(body))


class DescriptionController(Controller):
    """Where everything is."""

    path = "/.well-known"
    tags = ["oauth"]  # noqa: RUF012 - Litestar's own form
    opt = {"exclude_from_auth": True}  # noqa: RUF012
    security = [{}]  # noqa: RUF012

    @get("/oauth-authorization-server", operation_id="getAuthorizationServer", responses=documented(404))
    async def authorization_server(self, state: State) -> dict[str, Any]:
        """The authorization server (RFC 8414)."""
        return issuer_in(state).metadata(registration=state.runtime.settings.client_registration)

    @get("/oauth-protected-resource/api/v1", operation_id="getProtectedResource", responses=documented(404))
    async def protected_resource(self, state: State) -> dict[str, Any]:
        """The REST interface (RFC 9728)."""
        return issuer_in(state).resource_metadata()

    @get("/oauth-protected-resource", include_in_schema=False)
    async def protected_resource_without_path(self, state: State) -> dict[str, Any]:
        """The same, for those who leave the path out."""
        return issuer_in(state).resource_metadata()

    @get("/jwks.json", operation_id="getSigningKeys", responses=documented(404, 503))
    async def keys(self, state: State) -> dict[str, Any]:
        """The public keys of access tokens (RFC 7517)."""
        issuer_in(state)
        return await published_keys(state.runtime.database)


class OAuthController(Controller):
    """OAuth 2.1; errors are OAuth's own, except where the server is not set up or its database does not answer."""

    path = "/oauth"
    tags = ["oauth"]  # noqa: RUF012 - Litestar's own form
    opt = {"exclude_from_auth": True}  # noqa: RUF012

    @post(
        "/token", operation_id="issueToken", status_code=200, operation_class=TokenForm, security=_OF_CLIENTS,
        responses=answers(200, TokenAnswer, 400, 401, 413),
    )  # fmt: skip
    async def token(self, request: Request[Any, Any, Any], state: State) -> Response[bytes]:
        """Tokens for a client's own credentials, a code, a refresh token or a device code."""
        server = server_in(state)
        return await _told(form_of(request), lambda form: server.token(form, request.headers))

    @post(
        "/device_authorization", operation_id="authorizeDevice", status_code=200, operation_class=DeviceForm,
        security=_OF_CLIENTS, responses=answers(200, DeviceAnswer, 400, 401, 413),
    )  # fmt: skip
    async def device(self, request: Request[Any, Any, Any], state: State) -> Response[bytes]:
        """Codes for a device without a browser (RFC 8628)."""
        return await self._asked("device_authorization", request, state)

    @post(
        "/introspect", operation_id="introspectToken", status_code=200, operation_class=OfToken, security=_OF_CLIENTS,
        responses=answers(200, IntrospectionAnswer, 400, 401, 413),
    )  # fmt: skip
    async def introspect(self, request: Request[Any, Any, Any], state: State) -> Response[bytes]:
        """Whether a token can be used, and what for (RFC 7662)."""
        return await self._asked("introspection", request, state)

    @post(
        "/revoke", operation_id="revokeToken", status_code=200, operation_class=OfToken, security=_OF_CLIENTS,
        responses=answers(200, dict[str, Any], 400, 401, 413),
    )  # fmt: skip
    async def revoke(self, request: Request[Any, Any, Any], state: State) -> Response[bytes]:
        """Gives a token back with its whole family (RFC 7009)."""
        return await self._asked("revocation", request, state)

    @post(
        "/register", operation_id="registerClient", status_code=201, operation_class=ClientMetadata,
        responses=answers(201, RegisteredClient, 400, 413) | documented(401),
    )  # fmt: skip
    async def register(self, request: Request[Any, Any, Any], state: State) -> Response[bytes]:
        """Registers a client (RFC 7591) in the tenant of the credential in the request, where that is switched on."""
        server = server_in(state)
        if not state.runtime.settings.client_registration:
            raise MunimentError("route.not_found", "clients do not register themselves here")
        principal = await principal_of(request)
        return await _told(_body_of(request), lambda body: server.register(body, request.headers, principal))

    @staticmethod
    async def _asked(endpoint: str, request: Request[Any, Any, Any], state: State) -> Response[bytes]:
        server = server_in(state)
        return await _told(form_of(request), lambda form: server.endpoint(endpoint, form, request.headers))
