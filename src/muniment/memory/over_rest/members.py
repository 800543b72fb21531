"""Members over REST, for who administers the tenant."""

from __future__ import annotations

from muniment.memory.interface.members import Members
from muniment.memory.over_rest.connected import Connected
from muniment.memory.wire import as_json, dump, path_part, read_answer
from muniment.model.members import MemberList, MemberRequest, Password, TenantMember


class RemoteMembers(Connected, Members):
    """Who may sign in to the tenant of the credential."""

    async def members(self) -> list[TenantMember]:
        return read_answer(MemberList, await self._open().get("members")).members

    async def suspend_member(self, member_id: str) -> TenantMember:
        return read_answer(TenantMember, await self._open().post(f"members/{_member(member_id)}/suspend"))

    async def resume_member(self, member_id: str) -> TenantMember:
        return read_answer(TenantMember, await self._open().post(f"members/{_member(member_id)}/resume"))

    async def delete_member(self, member_id: str) -> None:
        await self._open().delete(f"members/{_member(member_id)}")

    async def _create_member(self, request: MemberRequest) -> TenantMember:
        body = as_json(request)
        if request.password is not None:  # as JSON it is stars
            body["password"] = request.password.get_secret_value()
        return read_answer(TenantMember, await self._open().post("members", dump(body)))

    async def _set_password(self, member_id: str, request: Password) -> None:
        body = dump({"password": request.password.get_secret_value()})
        await self._open().put(f"members/{_member(member_id)}/password", body)


def _member(member_id: str) -> str:
    return path_part(member_id, "member", "auth.member_not_found")
