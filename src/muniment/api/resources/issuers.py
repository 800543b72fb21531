"""External issuers of the tenant: its own OIDC providers."""

from functools import partial
from typing import Annotated, Any

from litestar import Controller, Request, delete, get, post
from litestar.datastructures import State
from litestar.params import Body, FromPath

from muniment.api.authentication import needs
from muniment.api.problems import documented
from muniment.model.issuers import IssuerList, IssuerRequest, OwnIssuer
from muniment.oauth.discovery import require_fit
from muniment.tenancy.issuers import add_issuer, list_issuers, remove_issuer
from muniment.tenancy.principal import Principal, pin_named


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
        responses=documented(400, 401, 403, 409, 413, 422, 503),
    )  # fmt: skip
    async def add_issuer(
        self, data: Annotated[IssuerRequest, Body()], request: Request[Principal, Any, Any], state: State
    ) -> OwnIssuer:
        """Lets a provider's access tokens open the tenant, after its discovery and keys were found to do."""
        database = state.runtime.database
        check = None if data.unchecked else partial(require_fit, settings=database.settings)
        made = await add_issuer(
            database, request.user.tenant, data.url, data.scopes, scope_claim=data.scope_claim,
            user_claim=data.user_claim, pin=pin_named(data.pin), check=check,
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
