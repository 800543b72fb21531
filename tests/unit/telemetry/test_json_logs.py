"""The log as JSON: one object a line, with the ids of the request, and nothing of what is stored."""

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
import structlog

from muniment.logs import configure_logs
from muniment.telemetry.context import note, noted, noting


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Configures the JSON log and gives a function that returns what was logged."""
    before, root = structlog.get_config(), logging.getLogger()
    handlers, level, own = list(root.handlers), root.level, logging.getLogger("muniment").level
    stream = io.StringIO()
    monkeypatch.setattr("sys.stderr", stream)
    configure_logs("info", "json")
    yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    structlog.configure(**before)
    root.handlers[:] = handlers
    root.setLevel(level)
    logging.getLogger("muniment").setLevel(own)


def test_lines_of_both_kinds_of_loggers_carry_the_ids_of_the_request(lines: Any) -> None:
    with noting(request_id="r1"):
        note("tenant", "t_1")
        structlog.get_logger().info("request", status=200)
        logging.getLogger("muniment.jobs").warning("job %s failed", "j_1")
        assert noted() == {"request_id": "r1", "tenant": "t_1"}
    structlog.get_logger().info("after")
    one, other, after = lines()
    assert (one["event"], one["request_id"], one["tenant"], one["status"]) == ("request", "r1", "t_1", 200)
    assert (other["event"], other["request_id"], other["level"]) == ("job j_1 failed", "r1", "warning")
    assert other["logger"] == "muniment.jobs" and other["timestamp"].endswith("Z")
    assert "request_id" not in after and noted() == {}


def test_neither_messages_of_exceptions_nor_what_libraries_quote_are_logged(lines: Any) -> None:
    secret = "-".join(("my", "secret"))
    try:
        raise ValueError(secret)
    except ValueError as error:
        structlog.get_logger().exception("request_failed")
        logging.getLogger("asyncio").error("never retrieved\nfuture: %r", error, exc_info=error)
    one, other = lines()
    assert one["exception"][-1] == other["exception"][-1] == "builtins.ValueError"
    assert other["event"] == "never retrieved"
    assert "my-secret" not in json.dumps([one, other])


def test_libraries_are_heard_from_warnings_on(lines: Any) -> None:
    logging.getLogger("httpx").info("GET http://somewhere/?question=secret")
    logging.getLogger("httpx").warning("slow")
    assert [line["event"] for line in lines()] == ["slow"]
