"""The flows: client credentials, authorization code with PKCE, refresh and device code, over the database.

Everything that can be used once is used by one statement, so that of two requests with the same code or token one gets
a token, in whatever process they arrive. What comes a second time was stolen, or is believed to be: its grant ends.
"""

from typing import Any
from uuid import UUID

from authlib.oauth2.rfc6749 import (
    AccessDeniedError,
    InvalidGrantError,
    InvalidRequestError,
    InvalidScopeError,
    OAuth2Error,
    grants,
)
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oauth2.rfc8628 import DeviceCodeGrant

from muniment.audit.acting import acting_as
from muniment.audit.chain import record_act
from muniment.database.pool import Database, Scope
from muniment.model.identifiers import new_id
from muniment.oauth.bridge import Bridge
from muniment.oauth.grants import Granted, store_grant
from muniment.oauth.issuer import Issuer
from muniment.oauth.parties import Code, Consent, Device, Party, Refresh, Subject
from muniment.oauth.tokens import forget_tokens
from muniment.tenancy.secrets import secret_hash

ANY_METHOD = ["client_secret_basic", "client_secret_post", "none"]
CODE_SECONDS = 60.0
POLL_SECONDS = 5
_SECONDS_A_DAY = 86_400.0
_REUSED = "grant.reused"


class InvalidTargetError(OAuth2Error):  # type: ignore[misc]
    """The resource is none of ours, or not the one that was granted (RFC 8707)."""

    error = "invalid_target"
    description = "The resource is not known, or not the one that was granted"


def asked_resource(request: Any, issuer: Issuer) -> str:
    """The resource that a request names, the REST interface where it names none; raises ``InvalidTargetError``."""
    named = request.payload.datalist.get("resource", [])
    if not named:
        return issuer.api
    if len(named) > 1 or named[0] not in issuer.resources:
        raise InvalidTargetError()
    return str(named[0])


class _Flow(grants.BaseGrant):  # type: ignore[misc]
    """What the flows share: the server's database, and a client that is known before anything is looked up."""

    @property
    def bridge(self) -> Bridge:
        return self.server.bridge  # type: ignore[no-any-return]

    @property
    def database(self) -> Database:
        return self.server.database  # type: ignore[no-any-return]

    def authenticate_token_endpoint_client(self) -> Party:
        client: Party = super().authenticate_token_endpoint_client()
        self.request.client = client
        return client

    def refuse_another_resource(self, granted: Granted) -> None:
        if self.request.payload.datalist.get("resource") not in (None, [], [granted.resource]):
            raise InvalidTargetError()


class ClientCredentialsFlow(_Flow, grants.ClientCredentialsGrant):  # type: ignore[misc]
    """A client acts for itself."""

    TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic", "client_secret_post"]  # noqa: RUF012

    def validate_token_request(self) -> None:
        """Raises authlib's errors."""
        super().validate_token_request()
        client: Party = self.request.client
        scope = client.get_allowed_scope(self.request.payload.scope)
        if not scope:
            raise InvalidScopeError()
        live = client.live
        client.issued = Granted(
            new_id(), live.tenant, live.tenant_public_id, live.client, None, tuple(scope.split()),
            asked_resource(self.request, self.server.issuer), live.pin,
        )  # fmt: skip

    def save_token(self, token: dict[str, Any]) -> None:
        """Keeps the grant for as long as its one token lives."""
        self.bridge.call(self._store(self.request.client.issued))

    async def _store(self, granted: Granted) -> None:
        async with self.database.scope(granted.tenant) as scope:
            await store_grant(scope, granted, self.database.settings.access_token_seconds)


class S256(CodeChallenge):  # type: ignore[misc]
    """PKCE as OAuth 2.1 wants it: always, and S256 alone."""

    SUPPORTED_CODE_CHALLENGE_METHOD = ["S256"]  # noqa: RUF012
    DEFAULT_CODE_CHALLENGE_METHOD = "S256"
    CODE_CHALLENGE_METHODS = {"S256": CodeChallenge.CODE_CHALLENGE_METHODS["S256"]}  # noqa: RUF012

    def validate_code_challenge(self, grant: Any, redirect_uri: str) -> None:
        """Raises ``InvalidRequestError``; authlib's own lets a request pass that has none."""
        data = grant.request.payload.data
        if not data.get("code_challenge"):
            raise InvalidRequestError("Missing 'code_challenge'")
        if data.get("code_challenge_method") != "S256":
            raise InvalidRequestError("Unsupported 'code_challenge_method'")
        super().validate_code_challenge(grant, redirect_uri)


class AuthorizationCodeFlow(_Flow, grants.AuthorizationCodeGrant):  # type: ignore[misc]
    """A member lets a client act for them."""

    TOKEN_ENDPOINT_AUTH_METHODS = ANY_METHOD

    def validate_authorization_request(self) -> str:
        """The redirect URI; raises authlib's errors."""
        redirect_uri: str = super().validate_authorization_request()
        try:
            asked_resource(self.request, self.server.issuer)
        except InvalidTargetError as error:
            error.redirect_uri = redirect_uri
            raise
        return redirect_uri

    def save_authorization_code(self, code: str, request: Any) -> None:
        """Keeps what the member consented to, and the code for it."""
        client, consent = request.client.live, request.user
        assert isinstance(consent, Consent)
        resource = asked_resource(request, self.server.issuer)
        granted = Granted(
            new_id(), client.tenant, client.tenant_public_id, client.client, consent.member, consent.scopes, resource,
            consent.pin,
        )  # fmt: skip
        self.bridge.call(self._store(granted, code, request.payload))

    async def _store(self, granted: Granted, code: str, payload: Any) -> None:
        settings = self.database.settings
        async with self.database.scope(granted.tenant) as scope:
            await store_grant(scope, granted, CODE_SECONDS + settings.access_token_seconds)
            await scope.execute(
                "oauth.insert_code", code_hash=secret_hash(code), grant=granted.grant,
                redirect_uri=payload.redirect_uri, challenge=payload.data["code_challenge"], seconds=CODE_SECONDS,
            )  # fmt: skip
            with acting_as(granted.actor):
                await record_act(scope, "grant.consent", self.request.client.live.id, scopes=list(granted.scopes))

    def query_authorization_code(self, code: str, client: Party) -> Code | None:
        """The code, which is used by this: whatever is wrong about the rest of the request, it is gone."""
        return self.bridge.call(self._use(code, client))

    async def _use(self, code: str, client: Party) -> Code | None:
        live, hashed = client.live, secret_hash(code)
        async with self.database.scope(live.tenant) as scope:
            row = await scope.row("oauth.use_code", code_hash=hashed, client=live.client)
            if row is None:
                grant = await scope.value("oauth.grant_of_used_code", code_hash=hashed)
                if grant is not None:
                    await end_grant(scope, self.database, grant, live.id, what="code")
                return None
        granted = Granted.of_row(row, live.tenant, live.tenant_public_id, live.client)
        return Code(granted, row["redirect_uri"], row["challenge"])

    def authenticate_user(self, authorization_code: Code) -> Subject:
        """Whom the token is about."""
        self.refuse_another_resource(authorization_code.granted)
        self.request.client.issued = authorization_code.granted
        return Subject(authorization_code.granted)

    def delete_authorization_code(self, authorization_code: Code) -> None:
        """Nothing: it is kept as used, so that it is known when it comes again."""

    def save_token(self, token: dict[str, Any]) -> None:
        """Keeps the refresh token."""
        self.bridge.call(keep_refresh(self.database, self.request.client.issued, token))


class RefreshFlow(_Flow, grants.RefreshTokenGrant):  # type: ignore[misc]
    """A refresh token for a new access token and a new refresh token."""

    TOKEN_ENDPOINT_AUTH_METHODS = ANY_METHOD
    INCLUDE_NEW_REFRESH_TOKEN = True

    def authenticate_refresh_token(self, refresh_token: str) -> Refresh | None:
        """The token where it can be used; one that was used before ends its grant."""
        return self.bridge.call(self._find(refresh_token))

    async def _find(self, refresh_token: str) -> Refresh | None:
        live, hashed = self.request.client.live, secret_hash(refresh_token)
        async with self.database.scope(live.tenant) as scope:
            row = await scope.row("oauth.refresh", token_hash=hashed)
            if row is None or row["client_id"] != live.client:
                return None
            if row["used"]:
                await end_grant(scope, self.database, row["grant_id"], live.id, what="refresh_token")
                return None
        if not row["live"] or row["revoked"] or not row["member_active"]:
            return None
        granted = Granted.of_row(row, live.tenant, live.tenant_public_id, live.client)
        return Refresh(granted, hashed, row["expires_at"].timestamp())

    def authenticate_user(self, refresh_token: Refresh) -> Subject:
        """Whom the token is about."""
        self.refuse_another_resource(refresh_token.granted)
        self.request.client.issued = refresh_token.granted
        return Subject(refresh_token.granted)

    def save_token(self, token: dict[str, Any]) -> None:
        """Uses the old token and keeps the new one, both or neither."""
        if not self.bridge.call(self._rotate(self.request.refresh_token, token)):
            raise InvalidGrantError()

    async def _rotate(self, old: Refresh, token: dict[str, Any]) -> bool:
        async with self.database.scope(old.granted.tenant) as scope:
            if await scope.value("oauth.use_refresh", token_hash=old.token_hash) is not None:
                await _insert_refresh(scope, self.database, old.granted, token)
                return True
            # another request was first: one of the two is not the client's
            await end_grant(scope, self.database, old.granted.grant, self.request.client.live.id, what="refresh_token")
        return False

    def revoke_old_credential(self, refresh_token: Refresh) -> None:
        """Nothing: it was used where the new one was kept."""


class DeviceFlow(_Flow, DeviceCodeGrant):  # type: ignore[misc]
    """A device without a browser waits until a member has said yes in one."""

    TOKEN_ENDPOINT_AUTH_METHODS = ANY_METHOD

    def query_device_credential(self, device_code: str) -> Device | None:
        """The device code; that it was asked about is noted."""
        return self.bridge.call(self._find(device_code))

    async def _find(self, device_code: str) -> Device | None:
        live, hashed = self.request.client.live, secret_hash(device_code)
        async with self.database.scope(live.tenant) as scope:
            row = await scope.row("oauth.device", device_hash=hashed)
            if row is None or row["client_id"] != live.client or row["state"] == "used":
                return None
            granted = None if row["grant_id"] is None else await scope.row("oauth.grant", grant=row["grant_id"])
        return Device(live.id, hashed, row | {"granted": granted})

    def validate_device_credential(self, credential: Device) -> Subject:
        """Whom the token is about; raises authlib's errors while nobody has said yes."""
        self.request.credential = credential
        return super().validate_device_credential(credential)  # type: ignore[no-any-return]

    def query_user_grant(self, user_code: bytes) -> tuple[Subject, bool] | None:
        """What the member said, None where they said nothing yet."""
        row, live = self.request.credential.row, self.request.client.live
        if row["state"] == "pending":
            return None
        if row["state"] != "approved" or row["granted"] is None:
            raise AccessDeniedError()
        granted = Granted.of_row(row["granted"], live.tenant, live.tenant_public_id, live.client)
        self.refuse_another_resource(granted)
        self.request.client.issued = granted
        return Subject(granted), True

    def should_slow_down(self, credential: Device) -> bool:
        """Whether the device asks too often."""
        since: float | None = credential.row["since"]
        return since is not None and since < POLL_SECONDS - 1

    def save_token(self, token: dict[str, Any]) -> None:
        """Uses the device code and keeps the refresh token, both or neither."""
        if not self.bridge.call(self._keep(self.request.credential, self.request.client.issued, token)):
            raise InvalidGrantError()

    async def _keep(self, device: Device, granted: Granted, token: dict[str, Any]) -> bool:
        async with self.database.scope(granted.tenant) as scope:
            if await scope.value("oauth.use_device", device_hash=device.device_hash) is None:
                return False
            await _insert_refresh(scope, self.database, granted, token)
        return True


async def keep_refresh(database: Database, granted: Granted, token: dict[str, Any]) -> None:
    """Keeps the refresh token of a new token, where it has one."""
    async with database.scope(granted.tenant) as scope:
        await _insert_refresh(scope, database, granted, token)


async def end_grant(scope: Scope, database: Database, grant: UUID, client_id: str, *, what: str) -> None:
    """Ends a grant of which something came twice: all its tokens, whoever has them."""
    if await scope.value("oauth.revoke_grant", grant=grant) is not None:
        with acting_as(f"client:{client_id}"):
            await record_act(scope, _REUSED, client_id, grant=grant.hex, what=what)
    forget_tokens(database)


async def _insert_refresh(scope: Scope, database: Database, granted: Granted, token: dict[str, Any]) -> None:
    settings = database.settings
    lasts = float(settings.access_token_seconds)
    if "refresh_token" in token:
        lasts = settings.refresh_token_days * _SECONDS_A_DAY
        await scope.execute(
            "oauth.insert_refresh", token_hash=secret_hash(token["refresh_token"]), grant=granted.grant, seconds=lasts
        )
    await scope.execute("oauth.extend_grant", grant=granted.grant, seconds=lasts)
