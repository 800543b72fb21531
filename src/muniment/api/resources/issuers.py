"""External issuers of the tenant: its own OIDC providers."""

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
from muniment.tenancy.issuers import ExternalIssuer, add_issuer, list_issuers, remove_issuer
from muniment.tenancy.principal import AccessScope, Principal

_Claim = Annotated[str, Field(min_length=1, max_length=512)]


class IssuerRequest(Closed):
    """A provider, and how the claims of its access tokens are read."""

    url: Annotated[str, Field(min_length=1, max_length=512)]
    scopes: Annotated[list[AccessScope], Field(min_length=1, max_length=16)]
    scope_claim: _Claim = "scope"
    user_claim: _Claim | None = None
    pin: NamespacePin | None = None


class OwnIssuer(BaseModel):
    """A provider of the tenant's."""

    id: str
    url: str
    scopes: list[str]
    scope_claim: str
    user_claim: str | None = None
    pin: NamespacePin | None = None
    created_at: datetime | None = None

    @classmethod
    def of(cls, issuer: ExternalIssuer) -> Self:
        """The issuer as it is shown."""
        pin = None if issuer.pin is None else NamespacePin(**asdict(issuer.pin))
        return cls(
            id=issuer.id, url=issuer.url, scopes=list(issuer.scopes), scope_claim=issuer.scope_claim,
            user_claim=issuer.user_claim, pin=pin, created_at=issuer.created_at,
        )  # fmt: skip


class IssuerList(BaseModel):
    """All issuers of the tenant, the oldest first."""

    issuers: list[OwnIssuer]


class IssuersController(Controller):
    """Whose access tokens open the tenant beside the server's own; where `MUNIMENT_EXTERNAL_ISSUERS` lets them."""

    path = "/api/v1/issuers"
    tags = ["issuers"]  # noqa: RUF012 - Litestar's own form

    @get("/", operation_id="listIssuers", guards=[needs("tenant:admin")], responses=documented(400, 401, 403, 503))
    async def list_issuers(self, request: Request[Principal, Any, Any], state: State) -> IssuerList:
        """The tenant's issuers."""
        found = await list_issuers(state.runtime.database, request.user.tenant)
        return IssuerList(issuers=[OwnIssuer.of(issuer) for issuer in found])

    @post(
        "/", operation_id="addIssuer", guards=[needs("tenant:admin")],
        responses=documented(400, 401, 403, 409, 413, 503),
    )  # fmt: skip
    async def add_issuer(
        self, data: Annotated[IssuerRequest, Body()], request: Request[Principal, Any, Any], state: State
    ) -> OwnIssuer:
        """Lets a provider's access tokens open the tenant."""
        made = await add_issuer(
            state.runtime.database, request.user.tenant, data.url, data.scopes, scope_claim=data.scope_claim,
            user_claim=data.user_claim, pin=None if data.pin is None else data.pin.pin,
        )  # fmt: skip
        return OwnIssuer.of(made)

    @delete(
        "/{issuer_id:str}", operation_id="removeIssuer", guards=[needs("tenant:admin")],
        responses=documented(400, 401, 403, 404, 503),
    )  # fmt: skip
    async def remove_issuer(
        self, issuer_id: FromPath[str], request: Request[Principal, Any, Any], state: State
    ) -> None:
        """Its tokens open the tenant no more."""
        await remove_issuer(state.runtime.database, request.user.tenant, issuer_id)
