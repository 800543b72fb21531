"""The request under way: the names that its log lines and spans carry, all of them public ids."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, Literal

from structlog.contextvars import bind_contextvars, bound_contextvars

Name = Literal["request_id", "tenant", "query_run", "job", "kind"]
_NONE: Final[dict[str, str]] = {}
# a dictionary that is shared, so that what a task inside notes is known to whoever began the request
_current: ContextVar[dict[str, str] | None] = ContextVar("muniment_telemetry", default=None)


@contextmanager
def noting(**names: str) -> Iterator[dict[str, str]]:
    """Begins something that is told of: a request, a job. Gives what is noted of it until the block ends."""
    noted = dict(names)
    token = _current.set(noted)
    try:
        with bound_contextvars(**names):
            yield noted
    finally:
        _current.reset(token)


def note(name: Name, value: str) -> None:
    """Adds a public id to what is told of the request under way; without one it only goes into this task's log."""
    bind_contextvars(**{name: value})
    noted = _current.get()
    if noted is not None:
        noted[name] = value


def noted() -> dict[str, str]:
    """What is known of the request under way."""
    return dict(_current.get() or _NONE)
