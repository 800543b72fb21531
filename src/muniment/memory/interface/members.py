"""The people of the tenant, who sign in and let clients act for them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from muniment.memory.inputs import Pinned, request_of
from muniment.memory.interface.part import Part
from muniment.model.access import AccessScope
from muniment.model.members import MemberRequest, Password, TenantMember


class Members(Part):
    """Members, administered."""

    @abstractmethod
    async def members(self) -> list[TenantMember]:
        """The tenant's members, the oldest first."""

    async def create_member(
        self, email: str, *, scopes: Sequence[AccessScope], password: str | None = None, pin: Pinned | None = None
    ) -> TenantMember:
        """Makes a member; ``scopes`` and ``pin`` bound what they may let a client do.

        One without a password cannot sign in. Raises ``input.*`` and ``auth.member_exists``.
        """
        return await self._create_member(
            request_of(MemberRequest, email=email, scopes=list(scopes), password=password, pin=pin)
        )

    async def set_password(self, member_id: str, password: str) -> None:
        """Gives a member another password, of 12 to 1024 characters, and signs them out everywhere.

        Raises ``auth.member_not_found`` and ``input.invalid``.
        """
        await self._set_password(member_id, request_of(Password, password=password))

    @abstractmethod
    async def suspend_member(self, member_id: str) -> TenantMember:
        """Signs a member out, ends what they granted, and lets them in no more; raises ``auth.member_not_found``."""

    @abstractmethod
    async def resume_member(self, member_id: str) -> TenantMember:
        """Lets a suspended member sign in again; raises ``auth.member_not_found``."""

    @abstractmethod
    async def delete_member(self, member_id: str) -> None:
        """Takes a member away, with sessions and grants; raises ``auth.member_not_found``."""

    @abstractmethod
    async def _create_member(self, request: MemberRequest) -> TenantMember: ...

    @abstractmethod
    async def _set_password(self, member_id: str, request: Password) -> None: ...
