"""Retrieval profiles: the constants that searches rank by, and a tenant's own changes of them."""

from typing import Annotated, Any

from litestar import Controller, Request, get, put
from litestar.datastructures import State
from litestar.params import Body, FromPath

from muniment.api.authentication import needs
from muniment.api.problems import documented
from muniment.model.profile import ProfileChange, RetrievalProfile, RetrievalProfileList
from muniment.retrieval.stored_profiles import get_profile, list_profiles, put_profile
from muniment.tenancy.principal import Principal


class RetrievalProfilesController(Controller):
    """What searches rank by."""

    path = "/api/v1/retrieval-profiles"
    tags = ["retrieval profiles"]  # noqa: RUF012 - Litestar's own form

    @get(
        "/", operation_id="listRetrievalProfiles", guards=[needs("query:read")],
        responses=documented(400, 401, 403, 503),
    )  # fmt: skip
    async def list_profiles(self, request: Request[Principal, Any, Any], state: State) -> RetrievalProfileList:
        """Every profile that a search may name, built in or the tenant's own, with all its parameters."""
        return RetrievalProfileList(profiles=await list_profiles(state.runtime.database, request.user.tenant))

    @get(
        "/{name:str}", operation_id="getRetrievalProfile", guards=[needs("query:read")],
        responses=documented(400, 401, 403, 404, 503),
    )  # fmt: skip
    async def get_profile(
        self, name: FromPath[str], request: Request[Principal, Any, Any], state: State
    ) -> RetrievalProfile:
        """The profile in force under the name."""
        return await get_profile(state.runtime.database, request.user.tenant, name)

    @put(
        "/{name:str}", operation_id="putRetrievalProfile", guards=[needs("tenant:admin")],
        responses=documented(400, 401, 403, 413, 422, 503),
    )  # fmt: skip
    async def put_profile(
        self,
        name: FromPath[str],
        data: Annotated[ProfileChange, Body()],
        request: Request[Principal, Any, Any],
        state: State,
    ) -> RetrievalProfile:
        """The tenant's profile in a new version, in force from now on; the same again changes nothing."""
        return await put_profile(state.runtime.database, request.user.tenant, name, data.base, data.changes)
