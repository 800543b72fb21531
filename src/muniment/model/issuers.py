"""A tenant's own OIDC providers as they are added and shown."""

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, Field

from muniment.model.access import AccessScopes, NamespacePin, Shown
from muniment.model.refusals import Closed

_Claim = Annotated[str, Field(min_length=1, max_length=512)]


class IssuerRequest(Closed):
    """A provider, and how the claims of its access tokens are read."""

    url: Annotated[str, Field(min_length=1, max_length=512)]
    scopes: AccessScopes
    scope_claim: _Claim = "scope"
    user_claim: _Claim | None = None
    pin: NamespacePin | None = None
    unchecked: bool = Field(False, description="not to ask the provider whether its discovery and keys will do")


class OwnIssuer(Shown):
    """A provider of the tenant's."""

    id: str
    url: str
    scopes: list[str]
    scope_claim: str
    user_claim: str | None = None
    pin: NamespacePin | None = None
    created_at: datetime | None = None


class IssuerList(BaseModel):
    """All issuers of the tenant, the oldest first."""

    issuers: list[OwnIssuer]
