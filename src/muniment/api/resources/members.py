"""Members of the tenant: who may sign in, and what they may let clients do."""

from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Any, Literal, Self

from litestar import Controller, Request, delete, get, post, put
from litestar.datastructures import State
from litestar.params import Body, FromPath
from pydantic import BaseModel, Field, SecretStr

from muniment.api.authentication import needs
from muniment.api.problems import documented
from muniment.api.resources.keys import NamespacePin
from muniment.model.refusals import Closed
from muniment.tenancy.members import (
    Member,
    create_member,
    delete_member,
    list_members,
    resume_member,
    set_password,
    suspend_member,
)
from muniment.tenancy.principal import AccessScope, Principal


class MemberRequest(Closed):
    """A new member; without a password they cannot sign in yet."""

    email: Annotated[str, Field(min_length=3, max_length=254)]
    scopes: Annotated[list[AccessScope], Field(min_length=1, max_length=16)]
    password: SecretStr | None = None
    pin: NamespacePin | None = None


class Password(Closed):
    """Another password, of 12 to 1024 characters."""

    password: SecretStr


class TenantMember(BaseModel):
    """A member; ``scopes`` and ``pin`` bound what they may let a client do."""

    id: str
    email: str
    scopes: list[str]
    state: Literal["active", "suspended"]
    pin: NamespacePin | None = None
    has_password: bool
    created_at: datetime
    signed_in_at: datetime | None = None

    @classmethod
    def of(cls, member: Member) -> Self:
        """The member as they are shown."""
        pin = None if member.pin is None else NamespacePin(**asdict(member.pin))
        return cls(
            id=member.id, email=member.email, scopes=list(member.scopes), state=member.state, pin=pin,
            has_password=member.has_password, created_at=member.created_at, signed_in_at=member.signed_in_at,
        )  # fmt: skip


class MemberList(BaseModel):
    """All members of the tenant, the oldest first."""

    members: list[TenantMember]


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
            pin=None if data.pin is None else data.pin.pin,
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
