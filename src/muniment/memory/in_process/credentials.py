"""Credentials of the store's tenant."""

from __future__ import annotations

from functools import partial

from muniment.memory.in_process.opened import Opened
from muniment.memory.interface.credentials import Credentials
from muniment.model.clients import ClientRequest, ClientSecret, OAuthClient, OAuthClientWithSecret
from muniment.model.issuers import IssuerRequest, OwnIssuer
from muniment.model.keys import ApiKey, ApiKeyWithSecret, KeyRequest, Rotation
from muniment.oauth.discovery import require_fit
from muniment.tenancy.clients import create_client, list_clients, revoke_client, rotate_client
from muniment.tenancy.issuers import add_issuer, list_issuers, remove_issuer
from muniment.tenancy.keys import create_key, list_keys, revoke_key, rotate_key
from muniment.tenancy.principal import pin_named


class LocalCredentials(Opened, Credentials):
    """What opens the store's tenant over a server of it."""

    async def keys(self) -> list[ApiKey]:
        runtime = await self._open()
        return [ApiKey.of(key) for key in await list_keys(runtime.database, runtime.tenant.number)]

    async def revoke_key(self, key_id: str) -> None:
        runtime = await self._open()
        await revoke_key(runtime.database, runtime.tenant.number, key_id)

    async def clients(self) -> list[OAuthClient]:
        runtime = await self._open()
        return [OAuthClient.of(client) for client in await list_clients(runtime.database, runtime.tenant.number)]

    async def rotate_client(self, client_id: str) -> ClientSecret:
        runtime = await self._open()
        return ClientSecret(secret=await rotate_client(runtime.database, runtime.tenant.number, client_id))

    async def revoke_client(self, client_id: str) -> None:
        runtime = await self._open()
        await revoke_client(runtime.database, runtime.tenant.number, client_id)

    async def issuers(self) -> list[OwnIssuer]:
        runtime = await self._open()
        return [OwnIssuer.of(issuer) for issuer in await list_issuers(runtime.database, runtime.tenant.number)]

    async def remove_issuer(self, issuer_id: str) -> None:
        runtime = await self._open()
        await remove_issuer(runtime.database, runtime.tenant.number, issuer_id)

    async def _create_key(self, request: KeyRequest) -> ApiKeyWithSecret:
        runtime = await self._open()
        made = await create_key(
            runtime.database, runtime.tenant.number, request.label, request.scopes, request.expires_at,
            pin=pin_named(request.pin),
        )  # fmt: skip
        return ApiKeyWithSecret.of(made)

    async def _rotate_key(self, key_id: str, request: Rotation) -> ApiKeyWithSecret:
        runtime = await self._open()
        made = await rotate_key(runtime.database, runtime.tenant.number, key_id, grace=request.grace)
        return ApiKeyWithSecret.of(made)

    async def _create_client(self, request: ClientRequest) -> OAuthClientWithSecret:
        runtime = await self._open()
        made = await create_client(
            runtime.database, runtime.tenant.number, request.name, grant_types=request.grant_types,
            scopes=request.scopes, redirect_uris=request.redirect_uris, auth_method=request.auth_method,
            pin=pin_named(request.pin),
        )  # fmt: skip
        return OAuthClientWithSecret.of(made)

    async def _add_issuer(self, request: IssuerRequest) -> OwnIssuer:
        runtime = await self._open()
        check = None if request.unchecked else partial(require_fit, settings=runtime.settings)
        made = await add_issuer(
            runtime.database, runtime.tenant.number, request.url, request.scopes, scope_claim=request.scope_claim,
            user_claim=request.user_claim, pin=pin_named(request.pin), check=check,
        )  # fmt: skip
        return OwnIssuer.of(made)
