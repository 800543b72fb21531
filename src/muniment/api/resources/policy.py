"""The tenant's policy: sensitive content and retention."""

from typing import Annotated, Any

from litestar import Controller, Request, get, put
from litestar.datastructures import State
from litestar.params import Body

from muniment.api.authentication import needs
from muniment.api.problems import documented
from muniment.log.policies import get_policy, list_policies, put_policy
from muniment.model.policy import Policy, PolicyChange, PolicyList
from muniment.tenancy.principal import Principal


class PolicyController(Controller):
    """What is done with sensitive content, and for how long what is kept."""

    path = "/api/v1/policy"
    tags = ["policy"]  # noqa: RUF012 - Litestar's own form

    @get("/", operation_id="getPolicy", guards=[needs("memory:read")], responses=documented(400, 401, 403, 503))
    async def get_policy(self, request: Request[Principal, Any, Any], state: State) -> Policy:
        """The policy in force."""
        return await get_policy(state.runtime.database, request.user.tenant)

    @get(
        "/history", operation_id="listPolicies", guards=[needs("memory:read")],
        responses=documented(400, 401, 403, 503),
    )  # fmt: skip
    async def list_policies(self, request: Request[Principal, Any, Any], state: State) -> PolicyList:
        """The policies that there were, the one in force first, at most 500."""
        return PolicyList(policies=await list_policies(state.runtime.database, request.user.tenant))

    @put(
        "/", operation_id="putPolicy", guards=[needs("tenant:admin")],
        responses=documented(400, 401, 403, 413, 422, 503),
    )  # fmt: skip
    async def put_policy(
        self, data: Annotated[PolicyChange, Body()], request: Request[Principal, Any, Any], state: State
    ) -> Policy:
        """Puts a whole policy in force, as an entry of the log; the same again changes nothing."""
        return await put_policy(
            state.runtime.database, request.user.tenant, classes=data.classes, retention=data.retention,
            reason=data.reason,
        )  # fmt: skip
