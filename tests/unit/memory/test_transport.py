"""HTTP to a server: errors keep their codes, and nothing is sent twice that must not be."""

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from muniment.errors import MunimentError
from muniment.memory import transport as module
from muniment.memory.transport import Transport

Answer = httpx.Response | Exception


class Server:
    """Gives the answers in their order, and keeps the requests."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.requests: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


def problem(status: int, code: str, /, **facts: Any) -> httpx.Response:
    body = {"type": "about:blank", "title": "t", "status": status, "detail": "d", "code": code, "facts": facts}
    return httpx.Response(status, headers={"Content-Type": "application/problem+json"}, content=json.dumps(body))


def connected(server: Callable[[httpx.Request], httpx.Response]) -> Transport:
    return Transport("http://server:1/base/", "mun_key", 5.0, transport=httpx.MockTransport(server))


@pytest.fixture(autouse=True)
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """What was waited for, without waiting."""
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr(module.asyncio, "sleep", sleep)
    return waited


async def test_a_request_carries_the_key_and_the_idempotency_key_to_the_right_place() -> None:
    server = Server(httpx.Response(200, content=b"{}"))
    transport = connected(server)
    assert await transport.post("messages", b'{"a":1}', idempotency_key="once") == b"{}"
    (request,) = server.requests
    assert str(request.url) == "http://server:1/base/api/v1/messages"
    assert request.headers["Authorization"] == "Bearer mun_key"
    assert request.headers["Idempotency-Key"] == "once"
    assert request.content == b'{"a":1}'
    await transport.close()


async def test_a_problem_becomes_the_same_error_with_its_facts() -> None:
    server = Server(problem(413, "input.too_large", limit=5, setting="MUNIMENT_MAX_TEXT_BYTES", code="x", detail="y"))
    with pytest.raises(MunimentError) as caught:
        await connected(server).get("records")
    assert (caught.value.code, caught.value.detail) == ("input.too_large", "d")
    assert caught.value.facts == {"limit": 5, "setting": "MUNIMENT_MAX_TEXT_BYTES", "code": "x", "detail": "y"}


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (problem(418, "tea.pot"), "internal"),
        (httpx.Response(404, content=b"<html>nginx</html>"), "internal"),
        (httpx.Response(400, content=b"[1]"), "internal"),
        (httpx.Response(302, headers={"Location": "http://elsewhere/"}), "internal"),
    ],
)
async def test_an_answer_that_is_no_problem_of_ours_is_an_error_all_the_same(answer: httpx.Response, code: str) -> None:
    server = Server(answer)
    with pytest.raises(MunimentError) as caught:
        await connected(server).get("records")
    assert caught.value.code == code
    assert len(server.requests) == 1


async def test_reads_and_writes_with_a_key_are_sent_again_the_same(pauses: list[float]) -> None:
    broken = [httpx.ReadError("reset"), problem(503, "store.unavailable"), httpx.ConnectError("refused")]
    server = Server(*broken, httpx.Response(200, content=b"1"))
    assert await connected(server).post("sources/ingest", b"{}", idempotency_key="k") == b"1"
    assert {request.headers["Idempotency-Key"] for request in server.requests} == {"k"}
    assert len(pauses) == 3
    server = Server(*broken, httpx.Response(200, content=b"2"))
    assert await connected(server).get("records") == b"2"


async def test_what_must_not_be_done_twice_is_sent_again_only_if_it_never_left() -> None:
    server = Server(httpx.ConnectError("refused"), httpx.Response(200, content=b"{}"))
    assert await connected(server).post("rebuild") == b"{}"
    for answer in (httpx.ReadError("reset"), problem(503, "store.unavailable")):
        server = Server(answer, httpx.Response(200, content=b"{}"))
        with pytest.raises(MunimentError):
            await connected(server).post("rebuild")
        assert len(server.requests) == 1


async def test_a_first_attempt_still_at_work_is_waited_for_and_somebody_elses_is_not() -> None:
    busy = problem(409, "idempotency.in_progress")
    server = Server(httpx.ReadError("reset"), busy, busy, httpx.Response(200, content=b"{}"))
    assert await connected(server).post("messages", idempotency_key="k") == b"{}"
    server = Server(httpx.ReadTimeout("600 s"), *[busy] * 99, httpx.Response(200, content=b"{}"))
    assert await connected(server).post("messages", idempotency_key="k") == b"{}"  # however long it takes
    server = Server(busy, httpx.Response(200))
    with pytest.raises(MunimentError) as caught:
        await connected(server).post("messages", idempotency_key="k")
    assert caught.value.code == "idempotency.in_progress"


async def test_it_gives_up_in_the_end_and_names_the_cause(pauses: list[float]) -> None:
    for error, detail in [(httpx.ConnectError("x"), "cannot be reached"), (httpx.ReadTimeout("x"), "in time")]:
        pauses.clear()
        server = Server(*[error] * 99)
        with pytest.raises(MunimentError, match=detail) as caught:
            await connected(server).get("records")
        assert caught.value.code == "server.unreachable"
        assert len(server.requests) == 5
        assert sum(pauses) < 10


async def test_the_server_is_given_the_time_that_it_asks_for_within_reason(pauses: list[float]) -> None:
    def busy(wait: str) -> httpx.Response:
        return httpx.Response(503, headers={"Retry-After": wait})

    server = Server(busy("3"), busy("86400"), busy("Wed, 21 Oct 2026 07:28:00 GMT"), httpx.Response(200))
    await connected(server).get("records")
    assert pauses[:2] == [3.0, 10.0]
    assert pauses[2] < 1


@pytest.mark.parametrize("url", ["", "server:8765", "ftp://server", "http://", "file:///etc"])
def test_what_is_no_url_of_a_server_is_refused(url: str) -> None:
    with pytest.raises(MunimentError) as caught:
        Transport(url, "key", 5.0)
    assert caught.value.code == "input.invalid"


@pytest.mark.parametrize("key", ["mun_\n", "schlüssel", "a\x00"])
def test_a_key_that_no_header_can_carry_is_refused(key: str) -> None:
    with pytest.raises(MunimentError) as caught:
        Transport("http://server", key, 5.0)
    assert caught.value.code == "auth.invalid"
