"""Members: the people of a tenant, who sign in and let clients act for them, within what they may do themselves."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from muniment.audit.chain import record_act
from muniment.database.pinning import Pin
from muniment.database.pool import Database, Row
from muniment.database.spaces import intern_space
from muniment.errors import MunimentError
from muniment.model.identifiers import MEMBER, new_id, parse_id, public_id
from muniment.tenancy.passwords import check_password, hash_password, outdated
from muniment.tenancy.principal import admit_scopes, pin_of
from muniment.tenancy.secrets import new_secret, secret_hash

_LONGEST_EMAIL = 254


@dataclass(frozen=True, slots=True)
class Member:
    """A member as lists show them. ``scopes`` and ``pin`` bound what they may let a client do."""

    id: str
    email: str
    scopes: tuple[str, ...]
    state: Literal["active", "suspended"]
    created_at: datetime
    pin: Pin | None = None
    has_password: bool = False
    signed_in_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class SignedIn:
    """Who is signed in in a browser."""

    member: UUID
    email: str
    scopes: frozenset[str]
    pin: Pin | None


async def create_member(
    database: Database, tenant: int, email: str, scopes: Iterable[str], *, password: str | None = None,
    pin: Pin | None = None,
) -> Member:  # fmt: skip
    """Makes a member; one without a password cannot sign in. Raises ``input.invalid`` and ``auth.member_exists``."""
    address, wanted = _admitted_email(email), admit_scopes(scopes, pin)
    hashed = None if password is None else await hash_password(password)
    if pin is not None:
        await intern_space(database, tenant, pin.namespace)
    member = new_id()
    async with database.scope(tenant) as scope:
        created_at = await scope.value(
            "members.insert",
            member=member,
            email=address,
            password_hash=hashed,
            scopes=list(wanted),
            pin_project=None if pin is None else pin.project_id,
            pin_user=None if pin is None else pin.user_id,
            pin_agent=None if pin is None else pin.agent_id,
        )
        if created_at is None:
            raise MunimentError("auth.member_exists", "the tenant has a member with this address")
        await record_act(scope, "member.create", public_id(MEMBER, member), scopes=list(wanted))
    return Member(public_id(MEMBER, member), address, wanted, "active", created_at, pin, hashed is not None)


async def list_members(database: Database, tenant: int) -> list[Member]:
    """All members of the tenant, oldest first."""
    async with database.scope(tenant) as scope:
        return [_shown(row) for row in await scope.rows("members.list")]


async def set_password(database: Database, tenant: int, member_id: str, password: str) -> None:
    """Gives a member another password, signs them out everywhere and ends all that was granted by the old one.

    Raises ``auth.member_not_found`` and ``input.invalid``.
    """
    member, hashed = _identifier(member_id), await hash_password(password)
    async with database.scope(tenant) as scope:
        if await scope.value("members.set_password", member=member, password_hash=hashed) is None:
            raise _not_found()
        await scope.execute("members.end_sessions", member=member)
        await scope.execute("members.end_grants", member=member)  # whoever knew the password may have granted some
        await record_act(scope, "member.password", member_id)


async def suspend_member(database: Database, tenant: int, member_id: str) -> Member:
    """Signs a member out and ends all that they granted; they cannot sign in. Raises ``auth.member_not_found``."""
    return await _set_state(database, tenant, member_id, "suspended")


async def resume_member(database: Database, tenant: int, member_id: str) -> Member:
    """Lets a suspended member sign in again; what they had granted stays ended. Raises ``auth.member_not_found``."""
    return await _set_state(database, tenant, member_id, "active")


async def delete_member(database: Database, tenant: int, member_id: str) -> None:
    """Takes a member away, with sessions and grants; raises ``auth.member_not_found``."""
    member = _identifier(member_id)
    async with database.scope(tenant) as scope:
        if await scope.value("members.delete", member=member) is None:
            raise _not_found()
        await record_act(scope, "member.delete", member_id)


async def sign_in(database: Database, tenant: int, email: str, password: str) -> str | None:
    """The secret of a new session, for a cookie; None where address or password is wrong, or tried too often.

    The three take the same time and are told alike.
    """
    async with database.scope(tenant) as scope:
        row = await scope.row("members.of_email", email=email.strip().lower())
    stored: str | None = None if row is None else row["password_hash"]
    right = await check_password(stored, password)
    if row is None or row["state"] != "active" or row["locked"] or stored is None:
        return None
    member = row["member_id"]
    if not right:
        async with database.scope(tenant) as scope:
            await scope.execute("members.failed", member=member)
        return None
    better = await hash_password(password) if outdated(stored) else None
    secret = new_secret()
    seconds = database.settings.sign_in_hours * 3600
    async with database.scope(tenant) as scope:
        await scope.execute("members.signed_in", member=member, password_hash=better)
        await scope.execute("members.close_old_sessions", member=member)
        await scope.execute("members.open_session", session_hash=secret_hash(secret), member=member, seconds=seconds)
    return secret


async def signed_in(database: Database, tenant: int, secret: str) -> SignedIn | None:
    """Whose session of this tenant it is, None where it is none, or has ended."""
    async with database.scope(tenant) as scope:
        row = await scope.row("members.of_session", session_hash=secret_hash(secret))
    if row is None:
        return None
    return SignedIn(row["member_id"], row["email"], frozenset(row["scopes"]), _pin(row))


async def sign_out(database: Database, tenant: int, secret: str) -> None:
    """Ends a session."""
    async with database.scope(tenant) as scope:
        await scope.execute("members.close_session", session_hash=secret_hash(secret))


async def _set_state(database: Database, tenant: int, member_id: str, state: Literal["active", "suspended"]) -> Member:
    member = _identifier(member_id)
    async with database.scope(tenant) as scope:
        if await scope.value("members.set_state", member=member, state=state) is None:
            raise _not_found()
        if state == "suspended":
            await scope.execute("members.end_sessions", member=member)
            await scope.execute("members.end_grants", member=member)
        row = await scope.row("members.get", member=member)
        assert row is not None
        await record_act(scope, "member.resume" if state == "active" else "member.suspend", member_id)
    return _shown(row)


def _admitted_email(email: str) -> str:
    address = email.strip().lower()
    name, _, host = address.rpartition("@")
    if not name or not host or not address.isprintable() or " " in address or len(address) > _LONGEST_EMAIL:
        raise MunimentError("input.invalid", "a member needs an e-mail address", field="email")
    return address


def _identifier(member_id: str) -> UUID:
    member = parse_id(MEMBER, member_id)
    if member is None:
        raise _not_found()
    return member


def _not_found() -> MunimentError:
    return MunimentError("auth.member_not_found", "the tenant has no such member")


def _pin(row: Row) -> Pin | None:
    return pin_of(row["pin_project"], row["pin_user"], row["pin_agent"])


def _shown(row: Row) -> Member:
    return Member(
        id=public_id(MEMBER, row["member_id"]),
        email=row["email"],
        scopes=tuple(row["scopes"]),
        state=row["state"],
        created_at=row["created_at"],
        pin=_pin(row),
        has_password=row["has_password"],
        signed_in_at=row["signed_in_at"],
    )
