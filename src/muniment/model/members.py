"""Members of a tenant as they are made and shown."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, Field, SecretStr

from muniment.model.access import AccessScopes, NamespacePin, Shown
from muniment.model.refusals import Closed


class MemberRequest(Closed):
    """A new member; without a password they cannot sign in yet."""

    email: Annotated[str, Field(min_length=3, max_length=254)]
    scopes: AccessScopes
    password: SecretStr | None = None
    pin: NamespacePin | None = None


class Password(Closed):
    """Another password, of 12 to 1024 characters."""

    password: SecretStr


class TenantMember(Shown):
    """A member; ``scopes`` and ``pin`` bound what they may let a client do."""

    id: str
    email: str
    scopes: list[str]
    state: Literal["active", "suspended"]
    pin: NamespacePin | None = None
    has_password: bool
    created_at: datetime
    signed_in_at: datetime | None = None


class MemberList(BaseModel):
    """All members of the tenant, the oldest first."""

    members: list[TenantMember]
