"""The pin of the work at hand: the namespace beyond which a credential sees and writes nothing.

It is a variable of the context, not a parameter: whatever a request calls, and every task that it starts, opens its
scopes under it, so that nothing can forget to pass it on. Work that no request caused is not pinned.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass

from muniment.errors import MunimentError
from muniment.model.namespace import Namespace


@dataclass(frozen=True, slots=True)
class Pin:
    """The fields of a namespace that the spaces of a credential agree in; None is not compared."""

    project_id: str | None = None
    user_id: str | None = None
    agent_id: str | None = None

    @property
    def namespace(self) -> Namespace:
        """The namespace of exactly these fields."""
        return Namespace(project_id=self.project_id, user_id=self.user_id, agent_id=self.agent_id)

    def refuse_others(self, namespace: Namespace) -> None:
        """Raises ``auth.namespace_denied`` for a namespace to write to that does not agree in each field."""
        named = {field: value for field, value in asdict(self).items() if value is not None}
        if any(getattr(namespace, field) != value for field, value in named.items()):
            raise MunimentError(
                "auth.namespace_denied", "the credential writes only to the namespace that it is pinned to", pin=named
            )


_current: ContextVar[Pin | None] = ContextVar("muniment_pin", default=None)


def current_pin() -> Pin | None:
    """The pin of the context, None where all spaces of the tenant may be seen."""
    return _current.get()


@contextmanager
def pinned_to(pin: Pin | None) -> Iterator[None]:
    """Whatever the block does, and every task that it starts, is pinned; None lifts a pin."""
    token = _current.set(pin)
    try:
        yield
    finally:
        _current.reset(token)
