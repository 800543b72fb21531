"""How a process of ours writes its log: a line an event on standard error, tracebacks without what was worked on."""

import sys

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
            structlog.dev.ConsoleRenderer(
                colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
            ),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(_LEVELS.get(level.lower(), _LEVELS["info"])),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
