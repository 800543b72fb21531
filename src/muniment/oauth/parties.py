"""The parties of authlib's flows over our own: a client, who consents, a code, a refresh token, a device."""

from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from authlib.oauth2.rfc6749 import ClientMixin

from muniment.database.pinning import Pin
from muniment.oauth.grants import Granted, in_order, within
from muniment.tenancy.clients import LiveClient


@dataclass(slots=True)
class Party(ClientMixin):  # type: ignore[misc]
    """A client in one request. ``issued`` is what the token of the request is made of."""

    live: LiveClient
    issued: Granted | None = None

    def get_client_id(self) -> str:
        """The public id."""
        return self.live.id

    def get_default_redirect_uri(self) -> str | None:
        """The redirect URI where a request may leave it out: the only one."""
        return self.live.redirect_uris[0] if len(self.live.redirect_uris) == 1 else None

    def get_allowed_scope(self, scope: str | None) -> str | None:
        """The scopes asked for, all of the client's where none are; None where one is not the client's."""
        allowed = within(self.live.scopes, self.live.pin)
        if not scope:
            return " ".join(allowed)
        asked = set(scope.split())
        return " ".join(in_order(asked)) if asked <= set(allowed) else None

    def check_redirect_uri(self, redirect_uri: str) -> bool:
        """Whether it is one of the client's."""
        return self.live.leads_to(redirect_uri)

    def check_client_secret(self, client_secret: str) -> bool:
        """Whether it is the client's."""
        return self.live.knows(client_secret)

    def check_endpoint_auth_method(self, method: str, endpoint: str) -> bool:
        """Whether the client authenticates like this: as it is registered, at every endpoint (RFC 7591, section 2)."""
        return method == self.live.auth_method

    def check_response_type(self, response_type: str) -> bool:
        """Whether the client may use the authorization endpoint."""
        return response_type == "code" and "authorization_code" in self.live.grant_types

    def check_grant_type(self, grant_type: str) -> bool:
        """Whether the client may use this grant."""
        return grant_type in self.live.grant_types


@dataclass(frozen=True, slots=True)
class Consent:
    """What a member lets a client do: no more than both may."""

    member: UUID
    scopes: tuple[str, ...]
    pin: Pin | None


@dataclass(frozen=True, slots=True)
class Subject:
    """Whom a token is about; authlib only asks that there be one."""

    granted: Granted

    def get_user_id(self) -> str:
        """The public id."""
        return self.granted.subject


@dataclass(frozen=True, slots=True)
class Code:
    """An authorization code that has just been used."""

    granted: Granted
    redirect_uri: str | None
    code_challenge: str
    code_challenge_method: str = "S256"

    def get_redirect_uri(self) -> str | None:
        """Where it was sent to, None where the request did not say."""
        return self.redirect_uri

    def get_scope(self) -> str:
        """What was granted."""
        return " ".join(self.granted.scopes)


@dataclass(frozen=True, slots=True)
class Refresh:
    """A refresh token that can be used, by its hash."""

    granted: Granted
    token_hash: bytes = field(repr=False)
    expires_at: float = 0.0

    def check_client(self, client: Party) -> bool:
        """Whether it is the client's."""
        return client.live.client == self.granted.client

    def get_scope(self) -> str:
        """What was granted."""
        return " ".join(self.granted.scopes)


@dataclass(frozen=True, slots=True)
class Device:
    """A device code."""

    client_id: str
    device_hash: bytes = field(repr=False)
    row: Any = field(repr=False)

    def get_client_id(self) -> str:
        """The client that asked for it."""
        return self.client_id

    def get_scope(self) -> str:
        """What the device asked for."""
        return " ".join(self.row["scopes"])

    def get_user_code(self) -> bytes:
        """What ``query_user_grant`` looks it up by: only the hash of what people type is kept."""
        return self.device_hash

    def is_expired(self) -> bool:
        """Whether it is too late."""
        return bool(self.row["expired"])
