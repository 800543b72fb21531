"""Embeddings of an OpenAI-compatible endpoint: a hosted service, or a server of one's own."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

from muniment.errors import MunimentError
from muniment.providers.statuses import error_of_status
from muniment.settings import Settings

if TYPE_CHECKING:
    from openai import AsyncOpenAI

_DEFAULT_URL = "https://api.openai.com/v1"
_NO_KEY = "none"  # the client insists on a key, many servers of one's own do not


class OpenAIEmbedder:
    """Asks an endpoint for vectors, some texts a request, and checks what comes back before it is stored.

    The dimensions are those of the setting, since nothing else says them before the first answer.
    """

    def __init__(self, client: "AsyncOpenAI", model: str, dimensions: int, *, batch: int, max_characters: int) -> None:
        """``client`` carries address, key, timeout and retries, and is closed with the embedder."""
        self.name = f"openai:{model}"
        self.dimensions = dimensions
        self._client = client
        self._model = model
        self._batch = batch
        self._max_characters = max_characters

    @classmethod
    def open(cls, settings: Settings) -> Self:
        """From the settings; connects to nothing. Raises ``provider.invalid`` without an address and a key."""
        if settings.embedding_url is None and settings.embedding_api_key is None:
            raise MunimentError(
                "provider.invalid",
                "the provider openai needs MUNIMENT_EMBEDDING_URL, or MUNIMENT_EMBEDDING_API_KEY for OpenAI itself",
            )
        from openai import AsyncOpenAI

        key = settings.embedding_api_key
        client = AsyncOpenAI(
            api_key=_NO_KEY if key is None else key.get_secret_value(),
            base_url=settings.embedding_url or _DEFAULT_URL,
            timeout=settings.embedding_timeout,
            max_retries=settings.embedding_retries,
        )
        return cls(
            client,
            settings.embedding_model,
            settings.embedding_dimensions,
            batch=settings.embedding_batch,
            max_characters=settings.embedding_max_characters,
        )

    async def embed(self, texts: Sequence[str], *, background: bool = False) -> list[list[float]]:
        """One unit vector a text; requests go one after the other, so that a batch leaves room for a question."""
        vectors: list[list[float]] = []
        for start in range(0, len(texts), self._batch):
            # an empty text is refused by some servers
            batch = [text[: self._max_characters] or " " for text in texts[start : start + self._batch]]
            vectors.extend(self._checked(await self._request(batch), len(batch)))
        return vectors

    async def warm(self) -> None:
        """Does nothing: the endpoint is asked when there is something to ask."""

    async def close(self) -> None:
        """Closes the connections."""
        await self._client.close()

    async def _request(self, batch: list[str]) -> Any:
        from openai import APIConnectionError, APIResponseValidationError, APIStatusError, APITimeoutError, OpenAIError

        try:
            # base64, the client's own choice, is not understood everywhere
            return await self._client.embeddings.create(model=self._model, input=batch, encoding_format="float")
        except APITimeoutError as error:
            raise MunimentError("provider.unavailable", "the embedding endpoint did not answer in time") from error
        except APIConnectionError as error:
            raise MunimentError("provider.unavailable", "the embedding endpoint cannot be reached") from error
        except APIStatusError as error:
            raise error_of_status("the embedding endpoint", error.status_code) from error
        except (APIResponseValidationError, ValueError, TypeError) as error:
            raise _malformed("it is not the JSON of an embeddings answer") from error
        except OpenAIError as error:
            raise MunimentError("provider.unavailable", "the embedding endpoint cannot be used") from error

    def _checked(self, response: Any, expected: int) -> list[list[float]]:
        data = getattr(response, "data", None)
        if not isinstance(data, list) or len(data) != expected:
            raise _malformed(f"{expected} vectors were asked for")
        ordered: dict[int, list[float]] = {}
        for place, item in enumerate(data):
            index = getattr(item, "index", None)
            ordered[place if index is None else index] = unit_vector(getattr(item, "embedding", None), self.dimensions)
        if sorted(ordered) != list(range(expected)):
            raise _malformed("its vectors are not numbered one by one")
        return [ordered[place] for place in range(expected)]


def unit_vector(values: object, dimensions: int) -> list[float]:
    """The vector scaled to length 1; raises ``provider.invalid`` where it is none of so many finite numbers."""
    if not isinstance(values, list) or not all(type(value) in (int, float) for value in values):
        raise _malformed("a vector is not a list of numbers")
    if len(values) != dimensions:
        raise MunimentError(
            "provider.invalid",
            f"the embedding endpoint gives {len(values)} dimensions where {dimensions} are set",
            setting="MUNIMENT_EMBEDDING_DIMENSIONS",
            expected=dimensions,
            found=len(values),
        )
    length = math.sqrt(math.fsum(value * value for value in values))
    if not math.isfinite(length) or length == 0:
        raise _malformed("a vector has no direction")
    return [value / length for value in values]


def _malformed(why: str) -> MunimentError:
    return MunimentError("provider.invalid", f"the embedding endpoint's answer cannot be used: {why}")
