"""Tracebacks in the log say what failed and where, and nothing of what was worked on."""

import io

import structlog

from muniment.errors import MunimentError
from muniment.logs import configure_logs, write_traceback


def _written(error: BaseException) -> str:
    written = io.StringIO()
    write_traceback(written, (type(error), error, error.__traceback__))
    return written.getvalue()


def _raised(error: BaseException) -> BaseException:
    try:
        raise error
    except BaseException as caught:
        return caught


def test_types_and_frames_are_written_and_messages_are_not() -> None:
    secret = "-".join(("my", "secret"))  # not as it stands in the lines of code that the frames show
    try:
        try:
            int(secret)
        except ValueError as error:
            raise MunimentError("input.invalid", secret) from error
    except MunimentError as caught:
        written = _written(caught)
    assert "my-secret" not in written
    assert "builtins.ValueError" in written and "muniment.errors.MunimentError input.invalid" in written
    assert "test_logs.py" in written and written.index("ValueError") < written.index("which led to")


def test_groups_are_followed_and_circles_end() -> None:
    one, other = _raised(KeyError("my secret")), _raised(OSError("my secret"))
    one.__context__, other.__context__ = other, one
    written = _written(_raised(ExceptionGroup("my secret", [one, other])))
    assert "my secret" not in "".join(line for line in written.splitlines() if "_raised" not in line)
    assert written.count("builtins.KeyError") == written.count("builtins.OSError") == 1


def test_what_is_logged_with_an_exception_has_no_message_of_it() -> None:
    before = structlog.get_config()
    try:
        configure_logs("info")
        stream = io.StringIO()
        structlog.configure(logger_factory=structlog.PrintLoggerFactory(stream))
        try:
            int("quoted")
        except ValueError:
            structlog.get_logger().exception("request_failed", code="internal")
    finally:
        structlog.configure(**before)
    logged = stream.getvalue()
    assert "request_failed" in logged and "builtins.ValueError" in logged
    assert "invalid literal" not in logged
