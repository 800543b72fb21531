"""Embedding: texts to unit vectors, whoever computes them."""

from collections.abc import Sequence
from typing import Protocol

from muniment.settings import Settings


class Embedder(Protocol):
    """Turns texts into unit vectors, so that an inner product is a cosine.

    ``name`` is the model's name in the registry and says all that the vectors depend on; two embedders of the same
    name give the same vector for the same text. ``dimensions`` is the length of every vector.
    """

    @property
    def name(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    async def embed(self, texts: Sequence[str], *, background: bool = False) -> list[list[float]]:
        """One unit vector a text, in the order of the texts; none for none. The event loop stays free.

        ``background`` work lets everything else overtake it. A text longer than the model reads is embedded by its
        beginning. Raises ``provider.unavailable`` when the
        model cannot be reached or loaded and ``provider.invalid`` when what it gives is not a vector of the space.
        """
        ...

    async def warm(self) -> None:
        """Loads what the first ``embed`` would load, so that no question waits for it."""
        ...

    async def close(self) -> None:
        """Lets go of threads and connections; may be called twice."""
        ...


def open_embedder(settings: Settings) -> Embedder | None:
    """The embedder that the settings name, None for the provider ``none``. Cheap: models load at their first use.

    Raises ``provider.unavailable`` when a package is missing and ``provider.invalid`` for settings that cannot be.
    """
    match settings.embedding_provider:
        case "onnx":
            from muniment.providers.onnx import OnnxEmbedder

            return OnnxEmbedder.open(settings)
        case "sentence-transformers":
            from muniment.providers.sentence_transformers import SentenceTransformersEmbedder

            return SentenceTransformersEmbedder.open(settings)
        case "openai":
            from muniment.providers.openai_compatible import OpenAIEmbedder

            return OpenAIEmbedder.open(settings)
        case "none":
            return None
