"""API keys of the tenant: making, listing, rotating and revoking them."""

from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Any, Literal, Self

from litestar import Controller, Request, delete, get, post
from litestar.datastructures import State
from litestar.params import Body, FromPath
from pydantic import BaseModel, Field, model_validator

from muniment.api.authentication import needs
from muniment.api.problems import documented
from muniment.database.pinning import Pin
from muniment.model.namespace import Name
from muniment.model.refusals import Closed
from muniment.tenancy.keys import Key, NewKey, create_key, list_keys, revoke_key, rotate_key
from muniment.tenancy.principal import AccessScope, Principal, pin_of


class NamespacePin(Closed):
    """The spaces that a credential is kept to: those that agree in each field that is given, of which one must be."""

    project_id: Name | None = None
    user_id: Name | None = None
    agent_id: Name | None = None

    @model_validator(mode="after")
    def _names_something(self) -> Self:
        if self.pin is None:  # whoever lost the fields on the way must not be given the whole tenant
            raise ValueError("name at least one field, or leave the pin out")
        return self

    @property
    def pin(self) -> Pin | None:
        """The pin, None where no field is given."""
        return pin_of(self.project_id, self.user_id, self.agent_id)


class KeyRequest(Closed):
    """What a new key is for, and what it may do. ``tenant:admin`` and ``ops:read`` cannot be pinned."""

    label: Annotated[str, Field(min_length=1, max_length=256)]
    scopes: Annotated[list[AccessScope], Field(min_length=1, max_length=16)]
    expires_at: datetime | None = None
    pin: NamespacePin | None = None


class Rotation(Closed):
    """For how many seconds the last secret works on; the setting MUNIMENT_KEY_GRACE is the default and the most."""

    grace: Annotated[float | None, Field(ge=0)] = None


class ApiKey(BaseModel):
    """An API key without its secret; until ``previous_until`` the secret before the last rotation works too."""

    id: str
    prefix: str
    label: str
    scopes: list[str]
    state: Literal["usable", "revoked", "expired"]
    pin: NamespacePin | None = None
    created_at: datetime
    expires_at: datetime | None = None
    revoked_at: datetime | None = None
    last_used_at: datetime | None = None
    previous_until: datetime | None = None

    @classmethod
    def of(cls, key: Key) -> Self:
        """The key as it is shown."""
        shown = None if key.pin is None else NamespacePin(**asdict(key.pin))
        return cls(
            id=key.id, prefix=key.prefix, label=key.label, scopes=list(key.scopes), state=key.state, pin=shown,
            created_at=key.created_at, expires_at=key.expires_at, revoked_at=key.revoked_at,
            last_used_at=key.last_used_at, previous_until=key.previous_until,
        )  # fmt: skip


class ApiKeyWithSecret(BaseModel):
    """A key with its secret, which is shown this once."""

    key: ApiKey
    secret: str

    @classmethod
    def of(cls, made: NewKey) -> Self:
        """The key as it was made."""
        return cls(key=ApiKey.of(made.key), secret=made.secret)


class ApiKeyList(BaseModel):
    """All keys of the tenant, the oldest first."""

    keys: list[ApiKey]


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
        pin = None if data.pin is None else data.pin.pin
        made = await create_key(
            state.runtime.database, request.user.tenant, data.label, data.scopes, data.expires_at, pin=pin
        )
        return ApiKeyWithSecret.of(made)

    @post(
        "/{key_id:str}/rotate", operation_id="rotateKey", status_code=200, guards=[needs("tenant:admin")],
        responses=documented(400, 401, 403, 404, 409, 413, 503),
    )  # fmt: skip
    async def rotate_key(
        self,
        key_id: FromPath[str],
        data: Annotated[Rotation, Body()],
        request: Request[Principal, Any, Any],
        state: State,
    ) -> ApiKeyWithSecret:
        """Gives a key a new secret; its last one works for a while yet."""
        made = await rotate_key(state.runtime.database, request.user.tenant, key_id, grace=data.grace)
        return ApiKeyWithSecret.of(made)

    @delete(
        "/{key_id:str}", operation_id="revokeKey", guards=[needs("tenant:admin")],
        responses=documented(400, 401, 403, 404, 503),
    )  # fmt: skip
    async def revoke_key(self, key_id: FromPath[str], request: Request[Principal, Any, Any], state: State) -> None:
        """Ends a key for good; every process of the server notices within 5 seconds."""
        await revoke_key(state.runtime.database, request.user.tenant, key_id)
