"""OAuth clients of the tenant."""

from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Any, Self

from litestar import Controller, Request, delete, get, post
from litestar.datastructures import State
from litestar.params import Body, FromPath
from pydantic import BaseModel, Field

from muniment.api.authentication import needs
from muniment.api.problems import documented
from muniment.api.resources.keys import NamespacePin
from muniment.model.refusals import Closed
from muniment.tenancy.clients import (
    AuthMethod,
    Client,
    GrantType,
    create_client,
    list_clients,
    revoke_client,
    rotate_client,
)
from muniment.tenancy.principal import AccessScope, Principal


class ClientRequest(Closed):
    """A new client; ``auth_method`` ``none`` makes a public one, without a secret."""

    name: Annotated[str, Field(min_length=1, max_length=256)]
    grant_types: Annotated[list[GrantType], Field(min_length=1, max_length=8)]
    scopes: Annotated[list[AccessScope], Field(min_length=1, max_length=16)]
    redirect_uris: Annotated[list[str], Field(max_length=32)] = []  # noqa: RUF012 - pydantic copies it
    auth_method: AuthMethod = "client_secret_basic"
    pin: NamespacePin | None = None


class OAuthClient(BaseModel):
    """A client without its secret."""

    id: str
    name: str
    grant_types: list[str]
    redirect_uris: list[str]
    scopes: list[str]
    auth_method: str
    pin: NamespacePin | None = None
    created_at: datetime
    revoked_at: datetime | None = None

    @classmethod
    def of(cls, client: Client) -> Self:
        """The client as it is shown."""
        pin = None if client.pin is None else NamespacePin(**asdict(client.pin))
        return cls(
            id=client.id, name=client.name, grant_types=list(client.grant_types),
            redirect_uris=list(client.redirect_uris), scopes=list(client.scopes), auth_method=client.auth_method,
            pin=pin, created_at=client.created_at, revoked_at=client.revoked_at,
        )  # fmt: skip


class OAuthClientWithSecret(BaseModel):
    """A client with its secret, which is shown this once; a public one has none."""

    client: OAuthClient
    secret: str | None = None


class ClientSecret(BaseModel):
    """A client's new secret, which is shown this once."""

    secret: str


class OAuthClientList(BaseModel):
    """All clients of the tenant, the oldest first."""

    clients: list[OAuthClient]


class ClientsController(Controller):
    """Programs that get tokens."""

    path = "/api/v1/clients"
    tags = ["clients"]  # noqa: RUF012 - Litestar's own form

    @get("/", operation_id="listClients", guards=[needs("tenant:admin")], responses=documented(400, 401, 403, 503))
    async def list_clients(self, request: Request[Principal, Any, Any], state: State) -> OAuthClientList:
        """The tenant's clients, revoked ones too."""
        found = await list_clients(state.runtime.database, request.user.tenant)
        return OAuthClientList(clients=[OAuthClient.of(client) for client in found])

    @post(
        "/", operation_id="createClient", guards=[needs("tenant:admin")],
        responses=documented(400, 401, 403, 413, 503),
    )  # fmt: skip
    async def create_client(
        self, data: Annotated[ClientRequest, Body()], request: Request[Principal, Any, Any], state: State
    ) -> OAuthClientWithSecret:
        """Makes a client. Its secret is in this answer and nowhere else."""
        made = await create_client(
            state.runtime.database, request.user.tenant, data.name, grant_types=data.grant_types, scopes=data.scopes,
            redirect_uris=data.redirect_uris, auth_method=data.auth_method,
            pin=None if data.pin is None else data.pin.pin,
        )  # fmt: skip
        return OAuthClientWithSecret(client=OAuthClient.of(made.client), secret=made.secret)

    @post(
        "/{client_id:str}/rotate", operation_id="rotateClient", status_code=200, guards=[needs("tenant:admin")],
        responses=documented(400, 401, 403, 404, 503),
    )  # fmt: skip
    async def rotate_client(
        self, client_id: FromPath[str], request: Request[Principal, Any, Any], state: State
    ) -> ClientSecret:
        """Gives a client another secret; the one before stops."""
        return ClientSecret(secret=await rotate_client(state.runtime.database, request.user.tenant, client_id))

    @delete(
        "/{client_id:str}", operation_id="revokeClient", guards=[needs("tenant:admin")],
        responses=documented(400, 401, 403, 404, 503),
    )  # fmt: skip
    async def revoke_client(
        self, client_id: FromPath[str], request: Request[Principal, Any, Any], state: State
    ) -> None:
        """Ends a client, with all that was granted to it."""
        await revoke_client(state.runtime.database, request.user.tenant, client_id)
