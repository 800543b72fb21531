"""What opens the tenant: API keys, OAuth clients, and providers of its own."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from datetime import datetime

from muniment.memory.inputs import Pinned, request_of
from muniment.memory.interface.part import Part
from muniment.model.access import AccessScope
from muniment.model.clients import (
    AuthMethod,
    ClientRequest,
    ClientSecret,
    GrantType,
    OAuthClient,
    OAuthClientWithSecret,
)
from muniment.model.issuers import IssuerRequest, OwnIssuer
from muniment.model.keys import ApiKey, ApiKeyWithSecret, KeyRequest, Rotation


class Credentials(Part):
    """Credentials, made, listed, given other secrets and ended; over a server by who administers the tenant.

    A secret is in the answer that made it and nowhere else. With a ``pin``, as in ``{"user_id": "maya"}``, a credential
    sees the spaces alone that agree with it; ``tenant:admin`` and ``ops:read`` cannot be pinned.
    """

    @abstractmethod
    async def keys(self) -> list[ApiKey]:
        """The tenant's API keys, revoked ones too, the oldest first."""

    async def create_key(
        self,
        label: str,
        *,
        scopes: Sequence[AccessScope],
        expires_at: datetime | None = None,
        pin: Pinned | None = None,
    ) -> ApiKeyWithSecret:
        """Makes an API key; raises ``input.*``."""
        return await self._create_key(
            request_of(KeyRequest, label=label, scopes=list(scopes), expires_at=expires_at, pin=pin)
        )

    async def rotate_key(self, key_id: str, *, grace: float | None = None) -> ApiKeyWithSecret:
        """Gives a key another secret; the one that it had works on for ``grace`` seconds, default and most a setting.

        Raises ``auth.key_not_found``, ``auth.key_ended`` and ``input.invalid``.
        """
        return await self._rotate_key(key_id, request_of(Rotation, grace=grace))

    @abstractmethod
    async def revoke_key(self, key_id: str) -> None:
        """Ends a key for good, within seconds in every process; raises ``auth.key_not_found``."""

    @abstractmethod
    async def clients(self) -> list[OAuthClient]:
        """The tenant's OAuth clients, revoked ones too, the oldest first."""

    async def create_client(
        self,
        name: str,
        *,
        scopes: Sequence[AccessScope],
        grant_types: Sequence[GrantType] = ("client_credentials",),
        redirect_uris: Sequence[str] = (),
        auth_method: AuthMethod = "client_secret_basic",
        pin: Pinned | None = None,
    ) -> OAuthClientWithSecret:
        """Makes a client, by default one that acts for itself; ``auth_method`` ``none`` gives it no secret.

        Raises ``input.*``.
        """
        return await self._create_client(
            request_of(
                ClientRequest, name=name, scopes=list(scopes), grant_types=list(grant_types),
                redirect_uris=list(redirect_uris), auth_method=auth_method, pin=pin,
            )
        )  # fmt: skip

    @abstractmethod
    async def rotate_client(self, client_id: str) -> ClientSecret:
        """Gives a client another secret; the one before stops. Raises ``auth.client_not_found``."""

    @abstractmethod
    async def revoke_client(self, client_id: str) -> None:
        """Ends a client for good, with all that was granted to it; raises ``auth.client_not_found``."""

    @abstractmethod
    async def issuers(self) -> list[OwnIssuer]:
        """The tenant's own OIDC providers, the oldest first."""

    async def add_issuer(
        self,
        url: str,
        *,
        scopes: Sequence[AccessScope],
        scope_claim: str = "scope",
        user_claim: str | None = None,
        pin: Pinned | None = None,
        unchecked: bool = False,
    ) -> OwnIssuer:
        """Lets a provider's access tokens open the tenant, where the server lets providers do so at all.

        ``scopes`` are the most that its tokens may hold, of those that their ``scope_claim`` names; ``user_claim``
        pins each token to the user that it names. The provider is asked whether its discovery and keys will do, unless
        ``unchecked``. Raises ``input.*``, ``auth.issuer_exists`` and ``auth.issuer_unfit``.
        """
        return await self._add_issuer(
            request_of(
                IssuerRequest,
                url=url,
                scopes=list(scopes),
                scope_claim=scope_claim,
                user_claim=user_claim,
                pin=pin,
                unchecked=unchecked,
            )
        )

    @abstractmethod
    async def remove_issuer(self, issuer_id: str) -> None:
        """Lets a provider's tokens open the tenant no more; raises ``auth.issuer_not_found``."""

    @abstractmethod
    async def _create_key(self, request: KeyRequest) -> ApiKeyWithSecret: ...

    @abstractmethod
    async def _rotate_key(self, key_id: str, request: Rotation) -> ApiKeyWithSecret: ...

    @abstractmethod
    async def _create_client(self, request: ClientRequest) -> OAuthClientWithSecret: ...

    @abstractmethod
    async def _add_issuer(self, request: IssuerRequest) -> OwnIssuer: ...
