"""How a process of ours writes its log: a line an event on standard error, tracebacks without what was worked on."""

import sys
import traceback
from collections.abc import Iterator
from types import TracebackType
from typing import TextIO

import structlog

_LEVELS = {"debug": 10, "info": 20, "warning": 30, "error": 40}


def configure_logs(level: str) -> None:
    """For a process that is ours: the server, a worker, a command. Programs that import us keep their own.

    ``level`` is that of ``Settings.log_level``; where settings would refuse it, ``info``.

    The default of structlog shows the local variables of each frame of a traceback, request bodies among them.
    """
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), exception_formatter=write_traceback),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(_LEVELS.get(level.lower(), _LEVELS["info"])),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )


def write_traceback(
    sio: TextIO, exc_info: tuple[type[BaseException], BaseException, TracebackType | None]
) -> None:  # the first name is structlog's
    """Writes the types and frames of an exception, of its causes and of those in its group, but no message of theirs.

    Libraries quote in their messages what they could not read: a piece of JSON, the row that a constraint refused.
    """
    sio.write("\n".join(line.rstrip("\n") for line in _lines(exc_info[1], set())))


def _lines(error: BaseException, seen: set[int]) -> Iterator[str]:
    seen.add(id(error))
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if before is not None and id(before) not in seen:
        yield from _lines(before, seen)
        yield "which led to"
    yield from traceback.format_tb(error.__traceback__)
    code = getattr(error, "code", None) or getattr(error, "sqlstate", None)
    name = f"{type(error).__module__}.{type(error).__qualname__}"
    yield f"{name} {code}" if isinstance(code, str) and len(code) < 64 else name
    for each in error.exceptions if isinstance(error, BaseExceptionGroup) else ():
        if id(each) not in seen:
            yield "of which"
            yield from _lines(each, seen)
