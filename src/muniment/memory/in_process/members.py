"""Members of the store's tenant."""

from __future__ import annotations

from muniment.memory.in_process.opened import Opened
from muniment.memory.interface.members import Members
from muniment.model.members import MemberRequest, Password, TenantMember
from muniment.tenancy.members import (
    create_member,
    delete_member,
    list_members,
    resume_member,
    set_password,
    suspend_member,
)
from muniment.tenancy.principal import pin_named


class LocalMembers(Opened, Members):
    """Who may sign in at a server of the store."""

    async def members(self) -> list[TenantMember]:
        runtime = await self._open()
        return [TenantMember.of(member) for member in await list_members(runtime.database, runtime.tenant.number)]

    async def suspend_member(self, member_id: str) -> TenantMember:
        runtime = await self._open()
        return TenantMember.of(await suspend_member(runtime.database, runtime.tenant.number, member_id))

    async def resume_member(self, member_id: str) -> TenantMember:
        runtime = await self._open()
        return TenantMember.of(await resume_member(runtime.database, runtime.tenant.number, member_id))

    async def delete_member(self, member_id: str) -> None:
        runtime = await self._open()
        await delete_member(runtime.database, runtime.tenant.number, member_id)

    async def _create_member(self, request: MemberRequest) -> TenantMember:
        runtime = await self._open()
        made = await create_member(
            runtime.database, runtime.tenant.number, request.email, request.scopes,
            password=None if request.password is None else request.password.get_secret_value(),
            pin=pin_named(request.pin),
        )  # fmt: skip
        return TenantMember.of(made)

    async def _set_password(self, member_id: str, request: Password) -> None:
        runtime = await self._open()
        await set_password(runtime.database, runtime.tenant.number, member_id, request.password.get_secret_value())
