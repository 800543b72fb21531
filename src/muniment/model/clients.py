"""OAuth clients as they are made and shown."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from muniment.model.access import AccessScopes, NamespacePin, Shown
from muniment.model.refusals import Closed

GrantType = Literal[
    "authorization_code", "refresh_token", "client_credentials", "urn:ietf:params:oauth:grant-type:device_code"
]
AuthMethod = Literal["none", "client_secret_basic", "client_secret_post"]


class ClientRequest(Closed):
    """A new client; ``auth_method`` ``none`` makes a public one, without a secret."""

    name: Annotated[str, Field(min_length=1, max_length=256)]
    grant_types: Annotated[list[GrantType], Field(min_length=1, max_length=8)]
    scopes: AccessScopes
    redirect_uris: Annotated[list[str], Field(max_length=32)] = []  # noqa: RUF012 - pydantic copies it
    auth_method: AuthMethod = "client_secret_basic"
    pin: NamespacePin | None = None


class OAuthClient(Shown):
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


class OAuthClientWithSecret(Shown):
    """A client with its secret, which is shown this once; a public one has none."""

    client: OAuthClient
    secret: str | None = Field(None, repr=False)


class ClientSecret(BaseModel):
    """A client's new secret, which is shown this once."""

    secret: str = Field(repr=False)


class OAuthClientList(BaseModel):
    """All clients of the tenant, the oldest first."""

    clients: list[OAuthClient]
