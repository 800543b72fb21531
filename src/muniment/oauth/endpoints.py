"""Device authorization, introspection, revocation and registration."""

import time
from typing import Any

from authlib.oauth2.rfc6749 import (
    AccessDeniedError,
    InvalidRequestError,
    InvalidScopeError,
    OAuth2Error,
    UnauthorizedClientError,
)
from authlib.oauth2.rfc7009 import RevocationEndpoint
from authlib.oauth2.rfc7591 import ClientRegistrationEndpoint
from authlib.oauth2.rfc7591.errors import InvalidClientMetadataError
from authlib.oauth2.rfc7662 import IntrospectionEndpoint
from authlib.oauth2.rfc8628 import DeviceAuthorizationEndpoint

from muniment.audit.acting import acting_as
from muniment.audit.chain import record_act
from muniment.errors import MunimentError
from muniment.oauth.flows import ANY_METHOD, POLL_SECONDS, asked_resource
from muniment.oauth.grants import Granted
from muniment.oauth.parties import Party
from muniment.oauth.tokens import forget_tokens, live_grant, verified_claims
from muniment.tenancy.clients import DEVICE_CODE, create_client
from muniment.tenancy.principal import SCOPES, Principal
from muniment.tenancy.secrets import secret_hash

JSON_HEADERS = [("Content-Type", "application/json"), ("Cache-Control", "no-store"), ("Pragma", "no-cache")]


class DeviceAuthorization(DeviceAuthorizationEndpoint):  # type: ignore[misc]
    """A device asks for a code that people type into a browser."""

    CLIENT_AUTH_METHODS = ANY_METHOD
    INTERVAL = POLL_SECONDS

    def create_endpoint_response(self, request: Any) -> tuple[int, Any, Any]:
        """The codes; raises authlib's errors."""
        client: Party = self.authenticate_client(request)
        if not client.check_grant_type(DEVICE_CODE):
            raise UnauthorizedClientError("The client is not authorized to use device codes")
        self.server.validate_requested_scope(request.payload.scope)
        scope = client.get_allowed_scope(request.payload.scope)
        if not scope:
            raise InvalidScopeError()
        resource = asked_resource(request, self.server.issuer)
        seconds = self.server.database.settings.device_code_seconds
        device_code, user_code = self.generate_device_code(), self.generate_user_code()
        self.server.bridge.call(self._store(client, device_code, user_code, scope.split(), resource, seconds))
        page = self.server.issuer.url + "/oauth/device"
        told = {
            "device_code": device_code, "user_code": user_code, "verification_uri": page,
            "verification_uri_complete": f"{page}?user_code={user_code}", "expires_in": seconds,
            "interval": self.INTERVAL,
        }  # fmt: skip
        return 200, told, JSON_HEADERS

    async def _store(
        self, client: Party, device_code: str, user_code: str, scopes: list[str], resource: str, seconds: int
    ) -> None:
        live = client.live
        async with self.server.database.scope(live.tenant) as scope:
            await scope.execute("oauth.tidy_devices", client=live.client)
            await scope.execute(
                "oauth.insert_device", device_hash=secret_hash(device_code), user_hash=user_code_hash(user_code),
                client=live.client, scopes=scopes, resource=resource, seconds=seconds,
            )  # fmt: skip


class _Found:
    """A token that somebody asks about or wants revoked."""

    def __init__(self, granted: Granted, told: dict[str, Any]) -> None:
        self.granted, self.told = granted, told

    def check_client(self, client: Party) -> bool:
        return client.live.client == self.granted.client

    def is_expired(self) -> bool:
        return False  # such a one is not found

    def is_revoked(self) -> bool:
        return False  # such a one is not found


async def _find(server: Any, text: str, client: Party) -> _Found | None:
    """An access token or a refresh token of the client's tenant that can be used, None where it is none."""
    database, live = server.database, client.live
    try:
        claims = await verified_claims(database, server.issuer, text)
    except MunimentError:
        claims = None
    if claims is not None:
        granted = await live_grant(database, claims)
        if granted is None or granted.tenant != live.tenant:
            return None
        return _Found(granted, {"token_type": "Bearer", **{n: v for n, v in claims.items() if n != "grant"}})
    async with database.scope(live.tenant) as scope:
        row = await scope.row("oauth.refresh", token_hash=secret_hash(text))
    if row is None or row["used"] or not row["live"] or row["revoked"] or not row["member_active"]:
        return None
    granted = Granted.of_row(row, live.tenant, live.tenant_public_id, row["client_id"])
    told = {"token_type": "refresh_token", "scope": " ".join(granted.scopes), "sub": granted.subject,
            "exp": int(row["expires_at"].timestamp()), "iss": server.issuer.url}  # fmt: skip
    return _Found(granted, told)


class Introspection(IntrospectionEndpoint):  # type: ignore[misc]
    """A client with a secret asks whether a token of its tenant can be used, and what for (RFC 7662)."""

    CLIENT_AUTH_METHODS = ["client_secret_basic", "client_secret_post"]  # noqa: RUF012

    def query_token(self, token_string: str, token_type_hint: str | None) -> str:
        """The text itself: whose it is depends on who asks."""
        return token_string

    def check_permission(self, token: str, client: Party, request: Any) -> bool:
        """Anyone with a secret may ask; of another tenant's token the answer is that it is none."""
        request.found = self.server.bridge.call(_find(self.server, token, client))
        return request.found is not None

    def authenticate_token(self, request: Any, client: Party) -> _Found | None:
        """The token, None where it can be used by nobody or is of another tenant."""
        found = super().authenticate_token(request, client)
        return request.found if found is not None else None

    def introspect_token(self, token: _Found) -> dict[str, Any]:
        """What it is for."""
        return {"active": True, **token.told}


class Revocation(RevocationEndpoint):  # type: ignore[misc]
    """A client gives a token back, and by that the whole grant: all tokens of its family end (RFC 7009)."""

    CLIENT_AUTH_METHODS = ANY_METHOD

    def authenticate_token(self, request: Any, client: Party) -> _Found | None:
        """The token where it is the client's; of another's it is said that all is well, and nothing is done."""
        self.check_params(request, client)
        found: _Found | None = self.server.bridge.call(_find(self.server, request.form["token"], client))
        return found if found is not None and found.check_client(client) else None

    def query_token(self, token_string: str, token_type_hint: str | None) -> None:
        """Not asked: see ``authenticate_token``."""

    def revoke_token(self, token: _Found, request: Any) -> None:
        """Ends the grant."""
        self.server.bridge.call(self._end(token.granted, request.client))

    async def _end(self, granted: Granted, client: Party) -> None:
        async with self.server.database.scope(granted.tenant) as scope:
            if await scope.value("oauth.revoke_grant", grant=granted.grant) is not None:
                with acting_as(f"client:{client.live.id}"):
                    await record_act(scope, "grant.revoke", client.live.id, grant=granted.grant.hex)
        forget_tokens(self.server.database)


class Registration(ClientRegistrationEndpoint):  # type: ignore[misc]
    """A client registers itself (RFC 7591) in the tenant of the credential that it brings, which may administer it."""

    def authenticate_token(self, request: Any) -> Principal:
        """The principal whose tenant it is; raises ``AccessDeniedError``."""
        principal: Principal | None = request.principal
        if principal is None or not principal.allows("tenant:admin"):
            raise AccessDeniedError()
        return principal

    def get_server_metadata(self) -> dict[str, Any]:
        """What metadata are checked against."""
        return self.server.issuer.metadata(registration=True)  # type: ignore[no-any-return]

    def create_registration_response(self, request: Any) -> tuple[int, Any, Any]:
        """The client with its secret; raises authlib's errors."""
        principal = self.authenticate_token(request)
        if not isinstance(request.payload.data.get("redirect_uris", []), list):
            raise InvalidClientMetadataError("redirect_uris is a list")
        try:
            known = self.extract_client_metadata(request)
        except (TypeError, AttributeError, ValueError):
            raise InvalidClientMetadataError() from None
        scopes = str(known.get("scope") or "memory:read query:read").split()
        method = str(known.get("token_endpoint_auth_method", "client_secret_basic"))
        grants = known.get("grant_types") or ["authorization_code"]
        try:
            with acting_as(principal.actor):
                made = self.server.bridge.call(
                    create_client(
                        self.server.database, principal.tenant, str(known.get("client_name") or "registered client"),
                        grant_types=[str(each) for each in grants], scopes=[each for each in scopes if each in SCOPES],
                        redirect_uris=[str(each) for each in known.get("redirect_uris") or []], auth_method=method,
                    )
                )  # fmt: skip
        except MunimentError as error:
            raise _metadata_error(error) from None
        client = made.client
        body = {
            "client_id": client.id, "client_id_issued_at": int(time.time()), "client_name": client.name,
            "redirect_uris": list(client.redirect_uris), "grant_types": list(client.grant_types),
            "response_types": ["code"] if "authorization_code" in client.grant_types else [],
            "scope": " ".join(client.scopes), "token_endpoint_auth_method": client.auth_method,
        }  # fmt: skip
        if made.secret is not None:  # authlib would hand one to public clients too
            body |= {"client_secret": made.secret, "client_secret_expires_at": 0}
        return 201, body, JSON_HEADERS


def user_code_hash(user_code: str) -> bytes:
    """SHA-256 of what people type, however they type it."""
    return secret_hash("".join(char for char in user_code.upper() if char.isalnum()))


def _metadata_error(error: MunimentError) -> OAuth2Error:
    if error.facts.get("field") == "redirect_uris":
        return OAuth2Error("A redirect URI cannot be used", error="invalid_redirect_uri", status_code=400)
    if error.code != "input.invalid":
        return InvalidRequestError()
    return InvalidClientMetadataError()
