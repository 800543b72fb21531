"""Members of the tenant: who may sign in, and what they may let clients do."""

from typing import Annotated, Any

from litestar import Controller, Request, delete, get, post, put
from litestar.datastructures import State
from litestar.params import Body, FromPath

from muniment.api.authentication import needs
from muniment.api.problems import documented
from muniment.model.members import MemberList, MemberRequest, Password, TenantMember
from muniment.tenancy.members import (
    create_member,
    delete_member,
    list_members,
    resume_member,
    set_password,
    suspend_member,
)
from muniment.tenancy.principal import Principal, pin_named


class MembersController(Controller):
    """People."""

    path = "/api/v1/members"
    tags = ["members"]  # noqa: RUF012 - Litestar's own form

    @get("/", operation_id="listMembers", guards=[needs("tenant:admin")], responses=documented(400, 401, 403, 503))
    async def list_members(self, request: Request[Principal, Any, Any], state: State) -> MemberList:
        """The tenant's members."""
        found = await list_members(state.runtime.database, request.user.tenant)
        return MemberList(members=[TenantMember.of(member) for member in found])

    @post(
        "/", operation_id="createMember", guards=[needs("tenant:admin")],
        responses=documented(400, 401, 403, 409, 413, 503),
    )  # fmt: skip
    async def create_member(
        self, data: Annotated[MemberRequest, Body()], request: Request[Principal, Any, Any], state: State
    ) -> TenantMember:
        """Makes a member."""
        made = await create_member(
            state.runtime.database, request.user.tenant, data.email, data.scopes,
            password=None if data.password is None else data.password.get_secret_value(),
            pin=pin_named(data.pin),
        )  # fmt: skip
        return TenantMember.of(made)

    @put(
        "/{member_id:str}/password", operation_id="setPassword", status_code=204, guards=[needs("tenant:admin")],
        responses=documented(400, 401, 403, 404, 413, 503),
    )  # fmt: skip
    async def set_password(
        self,
        member_id: FromPath[str],
        data: Annotated[Password, Body()],
        request: Request[Principal, Any, Any],
        state: State,
    ) -> None:
        """Gives a member another password, and signs them out everywhere."""
        await set_password(state.runtime.database, request.user.tenant, member_id, data.password.get_secret_value())

    @post(
        "/{member_id:str}/suspend", operation_id="suspendMember", status_code=200, guards=[needs("tenant:admin")],
        responses=documented(400, 401, 403, 404, 503),
    )  # fmt: skip
    async def suspend_member(
        self, member_id: FromPath[str], request: Request[Principal, Any, Any], state: State
    ) -> TenantMember:
        """Signs a member out, ends what they granted, and lets them in no more."""
        return TenantMember.of(await suspend_member(state.runtime.database, request.user.tenant, member_id))

    @post(
        "/{member_id:str}/resume", operation_id="resumeMember", status_code=200, guards=[needs("tenant:admin")],
        responses=documented(400, 401, 403, 404, 503),
    )  # fmt: skip
    async def resume_member(
        self, member_id: FromPath[str], request: Request[Principal, Any, Any], state: State
    ) -> TenantMember:
        """Lets a suspended member sign in again."""
        return TenantMember.of(await resume_member(state.runtime.database, request.user.tenant, member_id))

    @delete(
        "/{member_id:str}", operation_id="deleteMember", guards=[needs("tenant:admin")],
        responses=documented(400, 401, 403, 404, 503),
    )  # fmt: skip
    async def delete_member(
        self, member_id: FromPath[str], request: Request[Principal, Any, Any], state: State
    ) -> None:
        """Takes a member away, with sessions and grants."""
        await delete_member(state.runtime.database, request.user.tenant, member_id)
