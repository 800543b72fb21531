"""Who acts: a variable of the context, set where a request, a command or a job begins."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_actor: ContextVar[str] = ContextVar("muniment_actor", default="local")


def current_actor() -> str:
    """``key:k_…``, ``client:o_…``, ``member:u_…``, ``cli``, ``job:<kind>``, or ``local``: a program with the store."""
    return _actor.get()


@contextmanager
def acting_as(actor: str) -> Iterator[None]:
    """Whatever the block does, and every task that it starts, is done by this actor."""
    token = _actor.set(actor)
    try:
        yield
    finally:
        _actor.reset(token)
