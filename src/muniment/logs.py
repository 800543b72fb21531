"""How a process of ours writes its log: a line an event on standard error, tracebacks without what was worked on."""

import logging
import sys
import traceback
from collections.abc import Iterator, MutableMapping
from types import TracebackType
from typing import Any, Final, TextIO

import structlog

_LEVELS: Final = {"debug": 10, "info": 20, "warning": 30, "error": 40}
_LONGEST_WORD: Final = 300  # characters of what a library says


def configure_logs(level: str, form: str = "console") -> None:
    """For a process that is ours: the server, a worker, a command. Programs that import us keep their own.

    ``level`` and ``form`` are those of ``Settings.log_level`` and ``log_format``; where settings would refuse them,
    ``info`` and ``console``. What libraries log comes out in the same form, from warnings on.

    The default of structlog shows the local variables of each frame of a traceback, request bodies among them.
    """
    number = _LEVELS.get(level.lower(), _LEVELS["info"])
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    ending = _ending(form)
    structlog.configure(
        processors=[*shared, *ending],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*shared, structlog.stdlib.add_logger_name],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, _cut_words, *ending],
        )
    )
    for own in ("muniment", "uvicorn"):
        logging.getLogger(own).setLevel(number)
    root = logging.getLogger()
    root.setLevel(max(number, logging.WARNING))
    root.handlers[:] = [each for each in root.handlers if not getattr(each, "of_muniment", False)]
    handler.of_muniment = True  # type: ignore[attr-defined]
    root.addHandler(handler)


def _ending(form: str) -> list[structlog.typing.Processor]:
    if form.lower() == "json":
        return [_trace_in_lines, structlog.processors.JSONRenderer(ensure_ascii=False)]
    return [structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), exception_formatter=write_traceback)]


def _cut_words(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Of what a library says, the first line: further ones quote what it worked on (the result of a task, a row)."""
    if not str(event.get("logger", "")).startswith("muniment"):
        event["event"] = str(event["event"]).partition("\n")[0][:_LONGEST_WORD]
    return event


def _trace_in_lines(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    given = event.pop("exc_info", None)
    if given is True:
        given = sys.exc_info()
    error = given[1] if isinstance(given, tuple) else given
    if isinstance(error, BaseException):
        event["exception"] = [line.rstrip("\n") for line in _lines(error, set())]
    return event


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
