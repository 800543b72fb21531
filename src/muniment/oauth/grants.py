"""What was granted: to which client, by whom, for what, and where it is pinned."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from muniment.database.pinning import Pin
from muniment.database.pool import Scope
from muniment.model.identifiers import CLIENT, MEMBER, public_id
from muniment.tenancy.principal import SCOPES, WHOLE_TENANT, pin_of


@dataclass(frozen=True, slots=True)
class Granted:
    """A grant. ``member`` is None where the client acts for itself; ``scopes`` are in the order of ``SCOPES``."""

    grant: UUID
    tenant: int
    tenant_public_id: UUID
    client: UUID
    member: UUID | None
    scopes: tuple[str, ...]
    resource: str
    pin: Pin | None

    @property
    def subject(self) -> str:
        """The public id of whom a token of the grant is about: the member, else the client."""
        return public_id(CLIENT, self.client) if self.member is None else public_id(MEMBER, self.member)

    @property
    def actor(self) -> str:
        """Who acts by the grant, as the audit log names it."""
        kind = "client" if self.member is None else "member"
        return f"{kind}:{self.subject}"

    @classmethod
    def of_row(cls, row: Mapping[str, Any], tenant: int, tenant_public_id: UUID, client: UUID) -> "Granted":
        """The grant of a row of ``oauth_grant``."""
        pin = pin_of(row["pin_project"], row["pin_user"], row["pin_agent"])
        scopes = in_order(row["scopes"])
        return cls(row["grant_id"], tenant, tenant_public_id, client, row["member_id"], scopes, row["resource"], pin)


async def store_grant(scope: Scope, granted: Granted, seconds: float) -> None:
    """Writes a grant that lives for so many seconds, and takes away those that are long expired."""
    await scope.execute("oauth.tidy")
    await scope.execute(
        "oauth.insert_grant",
        grant=granted.grant,
        client=granted.client,
        member=granted.member,
        scopes=list(granted.scopes),
        resource=granted.resource,
        pin_project=None if granted.pin is None else granted.pin.project_id,
        pin_user=None if granted.pin is None else granted.pin.user_id,
        pin_agent=None if granted.pin is None else granted.pin.agent_id,
        seconds=seconds,
    )


def in_order(scopes: Iterable[str]) -> tuple[str, ...]:
    """The scopes that there are among these, each once, in their order."""
    wanted = set(scopes)
    return tuple(scope for scope in SCOPES if scope in wanted)


def within(scopes: Iterable[str], pin: Pin | None) -> tuple[str, ...]:
    """The scopes that a credential with this pin can hold."""
    return in_order(set(scopes) - (WHOLE_TENANT if pin is not None else frozenset()))


def both_pins(one: Pin | None, other: Pin | None) -> Pin | None:
    """The pin that agrees with both; raises ValueError where they name the same field differently."""
    if one is None or other is None:
        return one or other
    fields = []
    for name in ("project_id", "user_id", "agent_id"):
        here, there = getattr(one, name), getattr(other, name)
        if here is not None and there is not None and here != there:
            raise ValueError(f"the pins differ in {name}")
        fields.append(here if here is not None else there)
    return pin_of(*fields)
