"""API keys of the tenant: making, listing, rotating and revoking them."""

from typing import Annotated, Any

from litestar import Controller, Request, delete, get, post
from litestar.datastructures import State
from litestar.params import Body, FromPath

from muniment.api.authentication import needs
from muniment.api.operations import OptionalBody
from muniment.api.problems import documented
from muniment.model.keys import ApiKey, ApiKeyList, ApiKeyWithSecret, KeyRequest, Rotation
from muniment.tenancy.keys import create_key, list_keys, revoke_key, rotate_key
from muniment.tenancy.principal import Principal, pin_named


class KeysController(Controller):
    """Credentials of machines. Whoever administers a tenant may give a key any scope."""

    path = "/api/v1/keys"
    tags = ["keys"]  # noqa: RUF012 - Litestar's own form

    @get("/", operation_id="listKeys", guards=[needs("tenant:admin")], responses=documented(400, 401, 403, 503))
    async def list_keys(self, request: Request[Principal, Any, Any], state: State) -> ApiKeyList:
        """The tenant's keys, revoked ones too, never their secrets."""
        found = await list_keys(state.runtime.database, request.user.tenant)
        return ApiKeyList(keys=[ApiKey.of(key) for key in found])

    @post(
        "/", operation_id="createKey", guards=[needs("tenant:admin")],
        responses=documented(400, 401, 403, 413, 422, 503),
    )  # fmt: skip
    async def create_key(
        self, data: Annotated[KeyRequest, Body()], request: Request[Principal, Any, Any], state: State
    ) -> ApiKeyWithSecret:
        """Makes a key. Its secret is in this answer and nowhere else."""
        pin = pin_named(data.pin)
        made = await create_key(
            state.runtime.database, request.user.tenant, data.label, data.scopes, data.expires_at, pin=pin
        )
        return ApiKeyWithSecret.of(made)

    @post(
        "/{key_id:str}/rotate", operation_id="rotateKey", status_code=200, guards=[needs("tenant:admin")],
        operation_class=OptionalBody,
        responses=documented(400, 401, 403, 404, 409, 413, 503),
    )  # fmt: skip
    async def rotate_key(
        self,
        key_id: FromPath[str],
        request: Request[Principal, Any, Any],
        state: State,
        data: Annotated[Rotation | None, Body()] = None,
    ) -> ApiKeyWithSecret:
        """Gives a key a new secret; its last one works for a while yet."""
        grace = None if data is None else data.grace
        made = await rotate_key(state.runtime.database, request.user.tenant, key_id, grace=grace)
        return ApiKeyWithSecret.of(made)

    @delete(
        "/{key_id:str}", operation_id="revokeKey", guards=[needs("tenant:admin")],
        responses=documented(400, 401, 403, 404, 503),
    )  # fmt: skip
    async def revoke_key(self, key_id: FromPath[str], request: Request[Principal, Any, Any], state: State) -> None:
        """Ends a key for good; every process of the server notices within 5 seconds."""
        await revoke_key(state.runtime.database, request.user.tenant, key_id)
