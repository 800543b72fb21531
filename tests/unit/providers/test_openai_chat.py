"""A chat endpoint is asked for JSON as strictly as it knows how, and its failures have names."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from muniment.errors import MunimentError
from muniment.providers.chat import ChatMessage, ChatModel, Completion
from muniment.providers.completion import open_chat
from muniment.settings import Settings
from scripted_endpoint import Reply, Said, Script, ScriptedEndpoint, in_turn

ASKED = [ChatMessage("system", "Answer in JSON."), ChatMessage("user", "Who?")]
SCHEMA = {"type": "object", "properties": {"answer": {"type": "string"}}}


@asynccontextmanager
async def opened(url: str, **others: Any) -> AsyncIterator[ChatModel]:
    values: dict[str, Any] = {
        "answer_url": url,
        "answer_model": "scripted",
        "answer_api_key": "sk-very-secret",
        "answer_retries": 0,
        "answer_timeout": 10.0,
    }
    model = open_chat(Settings(**(values | others)))
    assert model is not None
    try:
        yield model
    finally:
        await model.close()


async def streamed(model: ChatModel, **more: Any) -> tuple[list[str], Completion]:
    items = [item async for item in model.stream(ASKED, **more)]
    assert isinstance(items[-1], Completion)
    return [item for item in items if isinstance(item, str)], items[-1]


def refusing(*words: str) -> Script:
    """Refuses requests that hold one of the words, as an older endpoint does with what it does not know."""

    def script(request: dict[str, Any]) -> Reply:
        for word in words:
            if f'"{word}"' in json.dumps(request):
                return 400, {"error": {"message": f"unsupported: {word}; sent by sk-very-secret", "param": word}}
        return Said('{"answer": "Liam"}')

    return script


async def test_without_a_model_there_is_none() -> None:
    assert open_chat(Settings()) is None


async def test_a_model_without_an_address_and_a_key_is_refused() -> None:
    with pytest.raises(MunimentError) as caught:
        open_chat(Settings(answer_model="some"))
    assert caught.value.code == "provider.invalid"


async def test_the_whole_and_the_stream_say_the_same() -> None:
    with ScriptedEndpoint(lambda request: Said('{"answer": "Liam Vance — 李"}')) as server:
        async with opened(server.url, answer_max_tokens=77) as model:
            whole = await model.complete(ASKED, schema=SCHEMA)
            pieces, last = await streamed(model, schema=SCHEMA)
    assert whole == last == Completion('{"answer": "Liam Vance — 李"}', "stop", 321, 45, "json_schema")
    assert "".join(pieces) == whole.text and len(pieces) > 2
    first, second = server.requests
    assert first["messages"] == [{"role": m.role, "content": m.content} for m in ASKED]
    assert (first["model"], first["temperature"], first["max_tokens"]) == ("scripted", 0, 77)
    assert first["response_format"]["json_schema"]["schema"] == SCHEMA
    assert "stream" not in first and second["stream"] is True
    assert server.authorizations == ["Bearer sk-very-secret"] * 2


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    ("unknown", "form"), [(("json_schema",), "json_object"), (("json_schema", "json_object"), "plain")]
)
async def test_what_an_endpoint_does_not_know_is_given_up_and_remembered(
    unknown: tuple[str, ...], form: str, stream: bool
) -> None:
    with ScriptedEndpoint(refusing(*unknown)) as server:
        async with opened(server.url) as model:
            for _ in range(2):
                completion = (
                    (await streamed(model, schema=SCHEMA))[1] if stream else await model.complete(ASKED, schema=SCHEMA)
                )
                assert (completion.text, completion.form) == ('{"answer": "Liam"}', form)
    assert len(server.requests) == len(unknown) + 2


async def test_parameters_that_only_some_models_know_are_said_in_their_way() -> None:
    def script(request: dict[str, Any]) -> Reply:
        if "max_tokens" in request:
            return 400, {"error": {"message": "Use 'max_completion_tokens' instead.", "param": "max_tokens"}}
        if "temperature" in request:
            return 400, {"error": {"message": "Only the default is supported.", "param": "temperature"}}
        return Said("{}")

    with ScriptedEndpoint(script) as server:
        async with opened(server.url, answer_max_tokens=50) as model:
            assert (await model.complete(ASKED, schema=SCHEMA)).form == "json_schema"
            await model.complete(ASKED, schema=SCHEMA)
    assert len(server.requests) == 4
    assert server.requests[-1]["max_completion_tokens"] == 50 and "temperature" not in server.requests[-1]


async def test_a_refusal_that_has_another_cause_changes_nothing_for_the_next_request() -> None:
    too_long = (400, {"error": {"message": "the prompt is longer than the context"}})
    script = in_turn(too_long, too_long, too_long, Said("{}"))
    with ScriptedEndpoint(script) as server:
        async with opened(server.url) as model:
            with pytest.raises(MunimentError) as caught:
                await model.complete(ASKED, schema=SCHEMA)
            assert (await model.complete(ASKED, schema=SCHEMA)).form == "json_schema"
    assert (caught.value.code, caught.value.facts["status"]) == ("provider.refused", 400)


@pytest.mark.parametrize("stream", [False, True])
async def test_a_busy_endpoint_is_asked_again(stream: bool) -> None:
    script = in_turn((429, {"error": {"message": "slow down"}}), (503, {}), Said("{}"))
    with ScriptedEndpoint(script) as server:
        async with opened(server.url, answer_retries=2) as model:
            completion = (await streamed(model))[1] if stream else await model.complete(ASKED)
    assert completion.text == "{}" and len(server.requests) == 3


FAILURES = {
    "401": ((401, {"error": {"message": "wrong key sk-very-secret"}}), "provider.refused"),
    "500": ((500, {"error": {"message": "sk-very-secret"}}), "provider.unavailable"),
    "no JSON": ((200, b"<html>a proxy says hello</html>"), "provider.invalid"),
    "no choices": ((200, {"id": "x", "object": "chat.completion", "choices": []}), "provider.invalid"),
    "no message": ((200, {"id": "x", "choices": [{"index": 0}]}), "provider.invalid"),
    "content of another type": ((200, {"choices": [{"message": {"content": [1]}}]}), "provider.invalid"),
    "cut": (Said("{" + " " * 100 + "}", cut=True), "provider.unavailable"),
    "slow": (Said("{}", pause=30.0), "provider.unavailable"),
}


@pytest.mark.parametrize("case", list(FAILURES))
async def test_failures_have_codes_and_tell_no_secret(case: str) -> None:
    reply, code = FAILURES[case]
    with ScriptedEndpoint(lambda request: reply) as server:
        async with opened(server.url, answer_timeout=0.3 if case == "slow" else 10.0) as model:
            with pytest.raises(MunimentError) as caught:
                await model.complete(ASKED, schema=SCHEMA)
    assert caught.value.code == code
    assert "secret" not in caught.value.detail + json.dumps(caught.value.facts)


@pytest.mark.parametrize("case", ["401", "500", "cut", "slow"])
async def test_failures_of_a_stream_have_the_same_codes(case: str) -> None:
    reply, code = FAILURES[case]
    with ScriptedEndpoint(lambda request: reply) as server:
        async with opened(server.url, answer_timeout=0.3 if case == "slow" else 10.0) as model:
            with pytest.raises(MunimentError) as caught:
                await streamed(model, schema=SCHEMA)
    assert caught.value.code == code


async def test_an_endpoint_that_is_not_there_cannot_be_reached() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        async with opened(f"http://127.0.0.1:{taken.getsockname()[1]}/v1") as model:
            with pytest.raises(MunimentError) as caught:
                await model.complete(ASKED)
    assert caught.value.code == "provider.unavailable"


@pytest.mark.parametrize(
    ("said", "ending"),
    [
        (Said("", refusal="I will not."), "refusal"),
        (Said("", ending="content_filter"), "refusal"),
        (Said('{"answer": "Li', ending="length"), "length"),
        (Said("{}", ending=None), "unknown"),
    ],
)
async def test_the_ending_says_why_the_model_stopped(said: Said, ending: str) -> None:
    with ScriptedEndpoint(lambda request: said) as server:
        async with opened(server.url) as model:
            assert (await model.complete(ASKED)).ending == ending
            assert (await streamed(model))[1].ending == ending


async def test_a_slow_reader_of_a_stream_is_not_cancelled() -> None:
    with ScriptedEndpoint(lambda request: Said("x" * 21)) as server:
        async with opened(server.url, answer_timeout=1.0) as model:
            stream = model.stream(ASKED)
            assert await anext(stream) == "x" * 7
            await asyncio.sleep(1.2)  # the time limit of the endpoint passes while the caller is busy
            await stream.aclose()  # type: ignore[attr-defined]
