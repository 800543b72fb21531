"""The authorization server of one process: authlib's core over the database, called from threads."""

import asyncio
import json
import logging
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote

from authlib.oauth2.rfc6749 import AuthorizationServer as Core
from authlib.oauth2.rfc6749 import InvalidClientError, InvalidRequestError, OAuth2Error
from authlib.oauth2.rfc6749.util import extract_basic_authorization

from muniment.database.pool import Database
from muniment.oauth.bridge import Bridge
from muniment.oauth.endpoints import DeviceAuthorization, Introspection, Registration, Revocation
from muniment.oauth.flows import (
    S256,
    AuthorizationCodeFlow,
    ClientCredentialsFlow,
    DeviceFlow,
    RefreshFlow,
)
from muniment.oauth.grants import in_order
from muniment.oauth.issuer import Issuer
from muniment.oauth.parties import Consent, Party
from muniment.oauth.requests import FormRequest, MetadataRequest, Reply, parameters_of
from muniment.oauth.tokens import sign_access_token
from muniment.tenancy.clients import resolve_client
from muniment.tenancy.principal import SCOPES, Principal
from muniment.tenancy.secrets import new_secret

logging.getLogger("authlib").setLevel(logging.INFO)  # below that it logs the tokens that it makes


class NoSuchClientError(InvalidClientError):  # type: ignore[misc]
    """The client is not known, or did not authenticate in the way that it is registered with (RFC 6749, 5.2)."""

    description = "The client is not known, or did not authenticate as it is registered"
    status_code = 401

    def get_headers(self) -> list[tuple[str, str]]:
        """With the way that there is in HTTP (RFC 7617)."""
        return [*OAuth2Error.get_headers(self), ("WWW-Authenticate", 'Basic realm="muniment", charset="UTF-8"')]


class AuthorizationServer(Core):  # type: ignore[misc]
    """OAuth 2.1 for all tenants; the tenant is the client's. Make it on the event loop."""

    def __init__(self, database: Database, issuer: Issuer) -> None:
        super().__init__(scopes_supported=list(SCOPES))
        self.database, self.issuer, self.bridge = database, issuer, Bridge()
        self.register_token_generator("default", self._token)
        for flow in (ClientCredentialsFlow, RefreshFlow, DeviceFlow):
            self.register_grant(flow)
        self.register_grant(AuthorizationCodeFlow, [S256(required=True)])
        for endpoint in (DeviceAuthorization, Introspection, Revocation, Registration):
            self.register_endpoint(endpoint)

    async def token(self, body: str, headers: Mapping[str, str]) -> Reply:
        """Answers a request of the token endpoint."""
        return await asyncio.to_thread(self._answer, self.create_token_response, body, headers)

    async def endpoint(self, name: str, body: str, headers: Mapping[str, str]) -> Reply:
        """Answers ``device_authorization``, ``introspection`` or ``revocation``."""
        work = lambda request: self.create_endpoint_response(name, request)  # noqa: E731
        return await asyncio.to_thread(self._answer, work, body, headers)

    async def register(self, body: bytes, headers: Mapping[str, str], principal: Principal | None) -> Reply:
        """Registers a client in the principal's tenant."""
        request = MetadataRequest(body, headers)
        request.principal = principal
        if principal is not None:
            await self.database.requests.take(principal.tenant)
        return await asyncio.to_thread(self.create_endpoint_response, "client_registration", request)

    async def asked(self, query: str) -> "AuthorizationRequest":
        """The authorization request in a query string; raises authlib's errors.

        One with a ``redirect_uri`` is to be sent there; one without is for the person in the browser alone.
        """
        return await asyncio.to_thread(self._asked, query)

    async def decide(self, asked: "AuthorizationRequest", consent: Consent | None) -> Reply:
        """Sends the browser back to the client, with a code or with the member's refusal."""
        return await asyncio.to_thread(self._decide, asked, consent)

    def _asked(self, query: str) -> "AuthorizationRequest":
        request = FormRequest("GET", parameters_of(query), {})
        try:
            grant = self.get_consent_grant(request)
        except ValueError:  # authlib's, about an error that cannot be told in its characters
            raise InvalidRequestError("The request cannot be read") from None
        return AuthorizationRequest(request, grant)

    def _decide(self, asked: "AuthorizationRequest", consent: Consent | None) -> Reply:
        reply: Reply = self.create_authorization_response(asked.request, grant_user=consent, grant=asked.grant)
        return reply

    def _answer(self, work: Callable[[FormRequest], Reply], body: str, headers: Mapping[str, str]) -> Reply:
        try:
            return work(FormRequest("POST", parameters_of(body), headers))
        except OAuth2Error as error:
            return self.handle_response(*error())
        except ValueError:  # authlib's, as above
            return self.handle_response(*InvalidRequestError("The request cannot be read")())

    def refusal(self, error: OAuth2Error) -> Reply:
        """The answer to an authorization request that is sent back to its client."""
        return self.handle_response(*error())

    def query_client(self, client_id: str) -> Party | None:
        """The live client of this id."""
        live = self.bridge.call(resolve_client(self.database, client_id))
        return None if live is None else Party(live)

    def authenticate_client(self, request: FormRequest, methods: list[str], endpoint: str = "token") -> Party:
        """Who asks; raises ``NoSuchClientError``, ``InvalidRequestError`` for who authenticates in two ways, and
        ``quota.requests_exceeded``."""
        named, _ = extract_basic_authorization(request.headers)
        posted = request.form.get("client_id")
        if named is not None and ("client_secret" in request.form or posted not in (None, named)):
            raise InvalidRequestError("The client authenticates in more than one way")
        try:
            client: Party = super().authenticate_client(request, methods, endpoint)
        except InvalidClientError:
            raise NoSuchClientError from None
        self.bridge.call(self.database.requests.take(client.live.tenant))
        return client

    def get_token_grant(self, request: FormRequest) -> Any:
        """The flow of a token request; raises authlib's errors."""
        if not request.payload.grant_type:
            raise InvalidRequestError("Missing 'grant_type'")
        return super().get_token_grant(request)

    def send_signal(self, name: str, *args: Any, **kwargs: Any) -> None:
        """Nobody listens."""

    def create_oauth2_request(self, request: Any) -> FormRequest:
        """The request, which is one already."""
        assert isinstance(request, FormRequest)
        return request

    def create_json_request(self, request: Any) -> MetadataRequest:
        """The request, which is one already."""
        assert isinstance(request, MetadataRequest)
        return request

    def handle_response(self, status: int, body: Any, headers: Any) -> Reply:
        """What is answered; a redirect also says whose answer it is (RFC 9207), against mix-up."""
        told = {"Cache-Control": "no-store", **dict(headers)}
        if status == 302 and "Location" in told:
            separator = "&" if "?" in told["Location"] else "?"
            told["Location"] += f"{separator}iss={quote(self.issuer.url, safe='')}"
        return Reply(status, body if isinstance(body, str) else json.dumps(dict(body)), told)

    def _token(
        self, grant_type: str, client: Party, user: Any = None, scope: str | None = None,
        expires_in: int | None = None, include_refresh_token: bool = True,
    ) -> dict[str, Any]:  # fmt: skip
        granted = client.issued
        assert granted is not None
        scopes = in_order(set(scope.split()) & set(granted.scopes)) if scope else granted.scopes
        token: dict[str, Any] = {
            "token_type": "Bearer",
            "access_token": self.bridge.call(sign_access_token(self.database, self.issuer, granted, scopes)),
            "expires_in": self.database.settings.access_token_seconds,
            "scope": " ".join(scopes),
        }
        if include_refresh_token:
            token["refresh_token"] = new_secret("mur_")
        return token


class AuthorizationRequest:
    """A valid authorization request, before somebody decides about it."""

    def __init__(self, request: FormRequest, grant: Any) -> None:
        self.request, self.grant = request, grant

    @property
    def client(self) -> Party:
        """Who asks."""
        return self.request.client  # type: ignore[no-any-return]

    @property
    def scopes(self) -> tuple[str, ...]:
        """What for."""
        return in_order((self.request.scope or "").split())

    @property
    def redirect_uri(self) -> str:
        """Where the answer goes."""
        return self.grant.redirect_uri  # type: ignore[no-any-return]
