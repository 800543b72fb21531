"""Credentials over REST, for who administers the tenant."""

from __future__ import annotations

from muniment.memory.interface.credentials import Credentials
from muniment.memory.over_rest.connected import Connected
from muniment.memory.wire import as_json, dump, path_part, read_answer
from muniment.model.clients import (
    ClientRequest,
    ClientSecret,
    OAuthClient,
    OAuthClientList,
    OAuthClientWithSecret,
)
from muniment.model.issuers import IssuerList, IssuerRequest, OwnIssuer
from muniment.model.keys import ApiKey, ApiKeyList, ApiKeyWithSecret, KeyRequest, Rotation


class RemoteCredentials(Connected, Credentials):
    """What opens the tenant of the credential."""

    async def keys(self) -> list[ApiKey]:
        return read_answer(ApiKeyList, await self._open().get("keys")).keys

    async def revoke_key(self, key_id: str) -> None:
        await self._open().delete(f"keys/{_key(key_id)}")

    async def clients(self) -> list[OAuthClient]:
        return read_answer(OAuthClientList, await self._open().get("clients")).clients

    async def rotate_client(self, client_id: str) -> ClientSecret:
        return read_answer(ClientSecret, await self._open().post(f"clients/{_client(client_id)}/rotate"))

    async def revoke_client(self, client_id: str) -> None:
        await self._open().delete(f"clients/{_client(client_id)}")

    async def issuers(self) -> list[OwnIssuer]:
        return read_answer(IssuerList, await self._open().get("issuers")).issuers

    async def remove_issuer(self, issuer_id: str) -> None:
        await self._open().delete(f"issuers/{path_part(issuer_id, 'issuer', 'auth.issuer_not_found')}")

    async def _create_key(self, request: KeyRequest) -> ApiKeyWithSecret:
        return read_answer(ApiKeyWithSecret, await self._open().post("keys", dump(as_json(request))))

    async def _rotate_key(self, key_id: str, request: Rotation) -> ApiKeyWithSecret:
        body = dump(as_json(request))
        return read_answer(ApiKeyWithSecret, await self._open().post(f"keys/{_key(key_id)}/rotate", body))

    async def _create_client(self, request: ClientRequest) -> OAuthClientWithSecret:
        return read_answer(OAuthClientWithSecret, await self._open().post("clients", dump(as_json(request))))

    async def _add_issuer(self, request: IssuerRequest) -> OwnIssuer:
        return read_answer(OwnIssuer, await self._open().post("issuers", dump(as_json(request))))


def _key(key_id: str) -> str:
    return path_part(key_id, "API key", "auth.key_not_found")


def _client(client_id: str) -> str:
    return path_part(client_id, "client", "auth.client_not_found")
