"""API keys as they are made and shown."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from muniment.model.access import AccessScopes, NamespacePin, Shown
from muniment.model.refusals import Closed


class KeyRequest(Closed):
    """What a new key is for, and what it may do. ``tenant:admin`` and ``ops:read`` cannot be pinned."""

    label: Annotated[str, Field(min_length=1, max_length=256)]
    scopes: AccessScopes
    expires_at: datetime | None = None
    pin: NamespacePin | None = None


class Rotation(Closed):
    """For how many seconds the last secret works on; the setting MUNIMENT_KEY_GRACE is the default and the most."""

    grace: Annotated[float | None, Field(ge=0)] = None


class ApiKey(Shown):
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


class ApiKeyWithSecret(Shown):
    """A key with its secret, which is shown this once."""

    key: ApiKey
    secret: str = Field(repr=False)


class ApiKeyList(BaseModel):
    """All keys of the tenant, the oldest first."""

    keys: list[ApiKey]
