"""OAuth clients of the tenant."""

from typing import Annotated, Any

from litestar import Controller, Request, delete, get, post
from litestar.datastructures import State
from litestar.params import Body, FromPath

from muniment.api.authentication import needs
from muniment.api.problems import documented
from muniment.model.clients import ClientRequest, ClientSecret, OAuthClient, OAuthClientList, OAuthClientWithSecret
from muniment.tenancy.clients import (
    create_client,
    list_clients,
    revoke_client,
    rotate_client,
)
from muniment.tenancy.principal import Principal, pin_named


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
            pin=pin_named(data.pin),
        )  # fmt: skip
        return OAuthClientWithSecret.of(made)

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
