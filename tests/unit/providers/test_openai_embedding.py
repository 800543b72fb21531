"""An endpoint's vectors are checked before they are believed, and its failures have names."""

import json
import math
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from muniment.errors import MunimentError
from muniment.providers.embedding import Embedder, open_embedder
from muniment.settings import Settings
from scripted_endpoint import Reply, ScriptedEndpoint, vectors


def configured(url: str, **others: Any) -> Settings:
    values: dict[str, Any] = {
        "embedding_provider": "openai",
        "embedding_url": url,
        "embedding_model": "scripted",
        "embedding_dimensions": 4,
        "embedding_retries": 0,
        "embedding_timeout": 5.0,
    }
    return Settings(**(values | others))


@asynccontextmanager
async def opened(url: str, **others: Any) -> AsyncIterator[Embedder]:
    embedder = open_embedder(configured(url, **others))
    assert embedder is not None
    try:
        yield embedder
    finally:
        await embedder.close()


async def failure(script: Callable[[dict[str, Any]], Reply], **others: Any) -> MunimentError:
    with ScriptedEndpoint(script) as server:
        async with opened(server.url, embedding_api_key="sk-very-secret", **others) as embedder:
            with pytest.raises(MunimentError) as caught:
                await embedder.embed(["one", "three"])
    assert "secret" not in caught.value.detail + json.dumps(caught.value.facts)
    return caught.value


async def test_vectors_come_scaled_and_in_the_order_of_the_texts() -> None:
    with ScriptedEndpoint() as server:
        async with opened(server.url, embedding_api_key="sk-1") as embedder:
            assert embedder.name == "openai:scripted"
            assert await embedder.embed(["one", "four", ""]) == [[0, 0, 0, 1], [1, 0, 0, 0], [0, 1, 0, 0]]
    assert server.authorizations == ["Bearer sk-1"]
    assert server.requests[0]["encoding_format"] == "float"


async def test_many_texts_go_in_several_requests_and_long_ones_are_cut() -> None:
    with ScriptedEndpoint() as server:
        async with opened(server.url, embedding_batch=2, embedding_max_characters=6) as embedder:
            assert len(await embedder.embed(["a", "b", "c", "d", "a very long text"])) == 5
    assert [request["input"] for request in server.requests] == [["a", "b"], ["c", "d"], ["a very"]]


async def test_no_text_asks_nothing() -> None:
    with ScriptedEndpoint() as server:
        async with opened(server.url) as embedder:
            assert await embedder.embed([]) == []
    assert server.requests == []


async def test_a_failing_endpoint_is_asked_again() -> None:
    replies = iter([(503, {"error": {"message": "busy"}}), (429, {"error": {"message": "slow down"}})])
    with ScriptedEndpoint(lambda request: next(replies, vectors(request))) as server:
        async with opened(server.url, embedding_retries=2) as embedder:
            assert await embedder.embed(["one"]) == [[0, 0, 0, 1]]
    assert len(server.requests) == 3


@pytest.mark.parametrize("status", [400, 401, 403, 404, 429, 500, 503])
async def test_what_passes_is_told_from_what_is_refused_and_the_status_is_said(status: int) -> None:
    error = await failure(lambda request: (status, {"error": {"message": "no: sk-very-secret"}}))
    code = "provider.refused" if status in (400, 401, 403, 404) else "provider.unavailable"
    assert (error.code, error.facts) == (code, {"status": status})


async def test_a_slow_endpoint_is_not_waited_for() -> None:
    with ScriptedEndpoint(delay=0.6) as server:
        async with opened(server.url, embedding_timeout=0.1) as embedder:
            with pytest.raises(MunimentError, match="in time") as caught:
                await embedder.embed(["one"])
    assert caught.value.code == "provider.unavailable"


async def test_an_endpoint_that_is_not_there_is_unavailable() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    async with opened(f"http://127.0.0.1:{port}/v1") as embedder:
        with pytest.raises(MunimentError, match="reached") as caught:
            await embedder.embed(["one"])
    assert caught.value.code == "provider.unavailable"


def answer(*embeddings: Any) -> Callable[[dict[str, Any]], Reply]:
    data = [{"object": "embedding", "index": n, "embedding": value} for n, value in enumerate(embeddings)]
    return lambda request: (200, {"object": "list", "model": "scripted", "data": data})


GOOD = [1.0, 0.0, 0.0, 0.0]


@pytest.mark.parametrize(
    "script",
    [
        lambda request: (200, b"<html>not json</html>"),
        lambda request: (200, b'{"data": [{"index": 0, "embedd'),
        lambda request: (200, []),
        lambda request: (200, "vectors"),
        lambda request: (200, {}),
        lambda request: (200, {"data": None}),
        lambda request: (200, {"data": "abc"}),
        lambda request: (200, {"data": [1, 2]}),
        lambda request: (200, {"data": [{"index": 0, "embedding": GOOD}, {"index": 0, "embedding": GOOD}]}),
        lambda request: (200, {"data": [{"index": 0, "embedding": GOOD}, {"index": 7, "embedding": GOOD}]}),
        answer(GOOD),
        answer(GOOD, GOOD, GOOD),
        answer(GOOD, None),
        answer(GOOD, "AACAPwAAAAA="),
        answer(GOOD, ["1", "0", "0", "0"]),
        answer(GOOD, [math.nan, 0.0, 0.0, 0.0]),
        answer(GOOD, [math.inf, 0.0, 0.0, 0.0]),
        answer(GOOD, [0.0, 0.0, 0.0, 0.0]),
        answer(GOOD, [1e200, 1e200, 0.0, 0.0]),
    ],
)
async def test_an_answer_that_is_no_vectors_is_invalid(script: Callable[[dict[str, Any]], Reply]) -> None:
    assert (await failure(script)).code == "provider.invalid"


async def test_other_dimensions_than_set_are_invalid_and_name_the_setting() -> None:
    error = await failure(answer(GOOD, GOOD), embedding_dimensions=384)
    assert error.code == "provider.invalid"
    assert error.facts == {"setting": "MUNIMENT_EMBEDDING_DIMENSIONS", "expected": 384, "found": 4}


def test_an_endpoint_needs_an_address_or_a_key() -> None:
    with pytest.raises(MunimentError, match="MUNIMENT_EMBEDDING_URL") as caught:
        open_embedder(Settings(embedding_provider="openai"))
    assert caught.value.code == "provider.invalid"
