"""Members, in the plain form."""

from __future__ import annotations

from collections.abc import Sequence

from muniment.memory.inputs import Pinned
from muniment.memory.plain.waiting import Waiting
from muniment.model.access import AccessScope
from muniment.model.members import TenantMember


class PlainMembers(Waiting):
    """As ``Members``, waiting."""

    def members(self) -> list[TenantMember]:
        """The tenant's members."""
        return self._loop.call(self._memory.members())

    def create_member(
        self, email: str, *, scopes: Sequence[AccessScope], password: str | None = None, pin: Pinned | None = None
    ) -> TenantMember:
        """Makes a member; see ``AsyncMuniment.create_member``."""
        return self._loop.call(self._memory.create_member(email, scopes=scopes, password=password, pin=pin))

    def set_password(self, member_id: str, password: str) -> None:
        """Gives a member another password, and signs them out everywhere."""
        self._loop.call(self._memory.set_password(member_id, password))

    def suspend_member(self, member_id: str) -> TenantMember:
        """Signs a member out, and lets them in no more."""
        return self._loop.call(self._memory.suspend_member(member_id))

    def resume_member(self, member_id: str) -> TenantMember:
        """Lets a suspended member sign in again."""
        return self._loop.call(self._memory.resume_member(member_id))

    def delete_member(self, member_id: str) -> None:
        """Takes a member away, with sessions and grants."""
        self._loop.call(self._memory.delete_member(member_id))
