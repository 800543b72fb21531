"""Who asks, and what for: the principal that a credential resolves to, and the scopes that it may hold."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, get_args
from uuid import UUID

from muniment.database.pinning import Pin
from muniment.errors import MunimentError
from muniment.model.access import AccessScope, NamespacePin

SCOPES: Final[tuple[AccessScope, ...]] = get_args(AccessScope)
WHOLE_TENANT: Final[frozenset[str]] = frozenset({"tenant:admin", "ops:read"})
"""The scopes that are about the tenant as a whole, which a pinned credential cannot hold."""


@dataclass(frozen=True, slots=True)
class Principal:
    """Who is asking. ``tenant`` is the internal number; everything else is public.

    ``actor`` names the credential as the audit log does: ``key:k_…``, ``client:o_…`` or ``member:u_…``. ``key_id`` is
    the API key's id, None where it was another credential. ``pin`` is the namespace it is pinned to.
    """

    tenant: int
    tenant_public_id: UUID
    actor: str
    scopes: frozenset[str]
    pin: Pin | None = None
    key_id: str | None = None

    def allows(self, scope: AccessScope) -> bool:
        """Whether this scope was granted; no scope holds another."""
        return scope in self.scopes

    def require(self, scope: AccessScope) -> None:
        """Raises ``auth.scope_missing`` unless this scope was granted."""
        if not self.allows(scope):
            raise MunimentError("auth.scope_missing", f"the credential lacks the scope {scope}", scope=scope)


def admit_scopes(scopes: Iterable[str], pin: Pin | None = None) -> tuple[AccessScope, ...]:
    """The scopes, each once, in the order of ``SCOPES``; raises ``input.invalid``."""
    wanted = set([scopes] if isinstance(scopes, str) else scopes)
    unknown = sorted(wanted.difference(SCOPES))
    if unknown or not wanted:
        problem = f"unknown scope {unknown[0][:64]!r}" if unknown else "a credential needs a scope"
        raise MunimentError("input.invalid", f"{problem}; the scopes are {', '.join(SCOPES)}", field="scopes")
    if pin is not None and (whole := sorted(wanted & WHOLE_TENANT)):
        told = f"{whole[0]} is about the whole tenant: a credential that is pinned to a namespace cannot hold it"
        raise MunimentError("input.invalid", told, field="scopes")
    return tuple(scope for scope in SCOPES if scope in wanted)


def pin_of(project_id: str | None, user_id: str | None, agent_id: str | None) -> Pin | None:
    """The pin of these fields, None where all are None."""
    pin = Pin(project_id, user_id, agent_id)
    return None if pin == Pin() else pin


def pin_named(pin: NamespacePin | None) -> Pin | None:
    """The pin that a caller names, None where none is named."""
    return None if pin is None else Pin(pin.project_id, pin.user_id, pin.agent_id)
