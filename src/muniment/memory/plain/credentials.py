"""Credentials, in the plain form."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from muniment.memory.inputs import Pinned
from muniment.memory.plain.waiting import Waiting
from muniment.model.access import AccessScope
from muniment.model.clients import AuthMethod, ClientSecret, GrantType, OAuthClient, OAuthClientWithSecret
from muniment.model.issuers import OwnIssuer
from muniment.model.keys import ApiKey, ApiKeyWithSecret


class PlainCredentials(Waiting):
    """As ``Credentials``, waiting."""

    def keys(self) -> list[ApiKey]:
        """The tenant's API keys, revoked ones too."""
        return self._loop.call(self._memory.keys())

    def create_key(
        self,
        label: str,
        *,
        scopes: Sequence[AccessScope],
        expires_at: datetime | None = None,
        pin: Pinned | None = None,
    ) -> ApiKeyWithSecret:
        """Makes an API key; see ``AsyncMuniment.create_key``."""
        return self._loop.call(self._memory.create_key(label, scopes=scopes, expires_at=expires_at, pin=pin))

    def rotate_key(self, key_id: str, *, grace: float | None = None) -> ApiKeyWithSecret:
        """Gives a key another secret; see ``AsyncMuniment.rotate_key``."""
        return self._loop.call(self._memory.rotate_key(key_id, grace=grace))

    def revoke_key(self, key_id: str) -> None:
        """Ends a key for good."""
        self._loop.call(self._memory.revoke_key(key_id))

    def clients(self) -> list[OAuthClient]:
        """The tenant's OAuth clients, revoked ones too."""
        return self._loop.call(self._memory.clients())

    def create_client(
        self,
        name: str,
        *,
        scopes: Sequence[AccessScope],
        grant_types: Sequence[GrantType] = ("client_credentials",),
        redirect_uris: Sequence[str] = (),
        auth_method: AuthMethod = "client_secret_basic",
        pin: Pinned | None = None,
    ) -> OAuthClientWithSecret:
        """Makes an OAuth client; see ``AsyncMuniment.create_client``."""
        return self._loop.call(
            self._memory.create_client(
                name, scopes=scopes, grant_types=grant_types, redirect_uris=redirect_uris, auth_method=auth_method,
                pin=pin,
            )
        )  # fmt: skip

    def rotate_client(self, client_id: str) -> ClientSecret:
        """Gives a client another secret; the one before stops."""
        return self._loop.call(self._memory.rotate_client(client_id))

    def revoke_client(self, client_id: str) -> None:
        """Ends a client for good, with all that was granted to it."""
        self._loop.call(self._memory.revoke_client(client_id))

    def issuers(self) -> list[OwnIssuer]:
        """The tenant's own OIDC providers."""
        return self._loop.call(self._memory.issuers())

    def add_issuer(
        self,
        url: str,
        *,
        scopes: Sequence[AccessScope],
        scope_claim: str = "scope",
        user_claim: str | None = None,
        pin: Pinned | None = None,
        unchecked: bool = False,
    ) -> OwnIssuer:
        """Lets a provider's access tokens open the tenant; see ``AsyncMuniment.add_issuer``."""
        return self._loop.call(
            self._memory.add_issuer(
                url, scopes=scopes, scope_claim=scope_claim, user_claim=user_claim, pin=pin, unchecked=unchecked
            )
        )

    def remove_issuer(self, issuer_id: str) -> None:
        """Lets a provider's tokens open the tenant no more."""
        self._loop.call(self._memory.remove_issuer(issuer_id))
