"""Chat with an OpenAI-compatible endpoint: a hosted service, or a server of one's own."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, Self

from muniment.errors import MunimentError
from muniment.providers.chat import ChatMessage, Completion, Ending, NoAnswerInTime
from muniment.providers.statuses import error_of_status
from muniment.settings import Settings

if TYPE_CHECKING:
    from openai import APIStatusError, AsyncOpenAI

_DEFAULT_URL = "https://api.openai.com/v1"
_NO_KEY = "none"  # the client insists on a key, many servers of one's own do not
_REFUSED_AS_UNKNOWN = frozenset({400, 422})
_ENDINGS: dict[str, Ending] = {"stop": "stop", "length": "length", "content_filter": "refusal"}
_SCHEMA_NAME = "answer"


@dataclass(frozen=True, slots=True)
class _Dialect:
    """What of the protocol an endpoint is believed to know. Starts with all of it and gives up what is refused."""

    form: Literal["json_schema", "json_object", "plain"] = "json_schema"
    limit: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    temperature: bool = True
    usage: bool = True

    def without(self, complaint: str, *, asked_for_json: bool, streamed: bool) -> "_Dialect | None":
        """The dialect to try after this complaint, None where nothing is left to give up."""
        if self.limit == "max_tokens" and "max_completion_tokens" in complaint:
            return replace(self, limit="max_completion_tokens")
        if self.temperature and "temperature" in complaint:
            return replace(self, temperature=False)
        if streamed and self.usage and "stream_options" in complaint:
            return replace(self, usage=False)
        if asked_for_json and self.form != "plain":
            return replace(self, form="json_object" if self.form == "json_schema" else "plain")
        return None


@dataclass(slots=True)
class _Gathered:
    """What the chunks of a stream have told so far."""

    parts: list[str] = field(default_factory=list)
    refusal: str | None = None
    ending: str | None = None
    usage: Any = None

    def add(self, chunk: Any) -> str:
        """Takes a chunk in; returns the text that it adds."""
        self.usage = getattr(chunk, "usage", None) or self.usage
        if not getattr(chunk, "choices", None):
            return ""  # the last chunk holds the token counts alone
        choice = _only_choice(chunk)
        delta = getattr(choice, "delta", None)
        self.refusal = getattr(delta, "refusal", None) or self.refusal
        self.ending = getattr(choice, "finish_reason", None) or self.ending
        text = getattr(delta, "content", None)
        if not isinstance(text, str):
            return ""
        self.parts.append(text)
        return text


class OpenAIChat:
    """Asks an endpoint for the next message, and remembers which parts of the protocol it does not know."""

    def __init__(self, client: "AsyncOpenAI", model: str, *, seconds: float, max_tokens: int) -> None:
        """``client`` carries address, key and retries, and is closed with the model. ``seconds`` bounds a call."""
        self.name = f"openai:{model}"
        self._client = client
        self._model = model
        self._seconds = seconds
        self._max_tokens = max_tokens
        self._dialect = _Dialect()

    @classmethod
    def open(cls, settings: Settings) -> Self:
        """From the settings; connects to nothing. Raises ``provider.invalid`` without an address and a key."""
        if settings.answer_model is None or (settings.answer_url is None and settings.answer_api_key is None):
            raise MunimentError(
                "provider.invalid",
                "answers by a model need MUNIMENT_ANSWER_MODEL, and MUNIMENT_ANSWER_URL, "
                "or MUNIMENT_ANSWER_API_KEY for OpenAI itself",
            )
        from openai import AsyncOpenAI

        key = settings.answer_api_key
        client = AsyncOpenAI(
            api_key=_NO_KEY if key is None else key.get_secret_value(),
            base_url=settings.answer_url or _DEFAULT_URL,
            timeout=settings.answer_timeout,
            max_retries=settings.answer_retries,
        )
        return cls(
            client, settings.answer_model, seconds=settings.answer_timeout, max_tokens=settings.answer_max_tokens
        )

    async def complete(
        self, messages: Sequence[ChatMessage], *, schema: Mapping[str, Any] | None = None, seconds: float | None = None
    ) -> Completion:
        """The next message, in one piece."""
        with _translated_errors():
            async with asyncio.timeout(seconds or self._seconds):
                response, form = await self._request(messages, schema, stream=False)
        choice = _only_choice(response)
        message = getattr(choice, "message", None)
        refusal = getattr(message, "refusal", None)
        content = getattr(message, "content", None)
        if message is None or not isinstance(content, str | None):
            raise _malformed("it holds no message")
        usage = getattr(response, "usage", None)
        return _completion(content or "", refusal, getattr(choice, "finish_reason", None), usage, form)

    async def stream(
        self, messages: Sequence[ChatMessage], *, schema: Mapping[str, Any] | None = None, seconds: float | None = None
    ) -> AsyncIterator[str | Completion]:
        """The next message, piece by piece, and at the end whole."""
        # bounds each wait, not the block: a time limit around a yield would cancel what the caller does meanwhile
        deadline = asyncio.get_running_loop().time() + (seconds or self._seconds)
        gathered = _Gathered()
        with _translated_errors():
            async with asyncio.timeout_at(deadline):
                response, form = await self._request(messages, schema, stream=True)
        try:
            chunks = aiter(response)
            while True:
                with _translated_errors():
                    async with asyncio.timeout_at(deadline):
                        chunk = await anext(chunks, None)
                if chunk is None:
                    break
                text = gathered.add(chunk)
                if text:
                    yield text
        finally:
            await response.close()
        yield _completion("".join(gathered.parts), gathered.refusal, gathered.ending, gathered.usage, form)

    async def close(self) -> None:
        """Closes the connections."""
        await self._client.close()

    async def _request(
        self, messages: Sequence[ChatMessage], schema: Mapping[str, Any] | None, *, stream: bool
    ) -> tuple[Any, Literal["json_schema", "json_object", "plain"]]:
        """The endpoint's answer; where it refuses a part of the request as unknown, the request goes without it.

        A dialect is kept once a request in it succeeded: a refusal may have another cause, such as too long a prompt.
        """
        from openai import APIStatusError

        dialect = self._dialect
        while True:
            request = _body(dialect, messages, schema, stream=stream, max_tokens=self._max_tokens)
            try:
                response = await self._client.chat.completions.create(model=self._model, **request)
            except APIStatusError as error:
                easier = (
                    dialect.without(_complaint(error), asked_for_json=schema is not None, streamed=stream)
                    if error.status_code in _REFUSED_AS_UNKNOWN
                    else None
                )
                if easier is None:
                    raise
                dialect = easier
                continue
            self._dialect = dialect
            return response, dialect.form if schema is not None else "plain"


def _body(
    dialect: _Dialect,
    messages: Sequence[ChatMessage],
    schema: Mapping[str, Any] | None,
    *,
    stream: bool,
    max_tokens: int,
) -> dict[str, Any]:
    body: dict[str, Any] = {
        "messages": [{"role": message.role, "content": _content(message)} for message in messages],
        dialect.limit: max_tokens,
    }
    if dialect.temperature:
        body["temperature"] = 0
    if schema is not None and dialect.form == "json_schema":
        described = {"name": _SCHEMA_NAME, "strict": True, "schema": dict(schema)}
        body["response_format"] = {"type": "json_schema", "json_schema": described}
    elif schema is not None and dialect.form == "json_object":
        body["response_format"] = {"type": "json_object"}
    if stream:
        body["stream"] = True
        if dialect.usage:
            body["stream_options"] = {"include_usage": True}
    return body


def _content(message: ChatMessage) -> str | list[dict[str, Any]]:
    if not message.pictures:
        return message.content
    shown = [{"type": "image_url", "image_url": {"url": picture.url}} for picture in message.pictures]
    return [{"type": "text", "text": message.content}, *shown]


def _complaint(error: "APIStatusError") -> str:
    """What the endpoint says is wrong; only looked at, never shown: it may repeat what it was sent."""
    return f"{error.param or ''} {error.message}".casefold()


def _only_choice(response: Any) -> Any:
    choices = getattr(response, "choices", None)
    if not isinstance(choices, list) or not choices:
        raise _malformed("it offers no choice")
    return choices[0]


def _completion(
    text: str,
    refusal: object,
    ending: object,
    usage: Any,
    form: Literal["json_schema", "json_object", "plain"],
) -> Completion:
    refused = isinstance(refusal, str) and refusal != ""
    return Completion(
        text=text,
        ending="refusal" if refused else _ENDINGS.get(str(ending), "unknown"),
        prompt_tokens=_count(getattr(usage, "prompt_tokens", None)),
        completion_tokens=_count(getattr(usage, "completion_tokens", None)),
        form=form,
    )


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and value >= 0 else None


@contextmanager
def _translated_errors() -> Iterator[None]:
    """The client's errors as ours. What the endpoint says of an error is left out: it may repeat a key or evidence."""
    from httpx2 import HTTPError
    from openai import APIConnectionError, APIResponseValidationError, APIStatusError, APITimeoutError, OpenAIError

    try:
        yield
    except (APITimeoutError, TimeoutError) as error:
        raise NoAnswerInTime from error
    except (APIConnectionError, HTTPError) as error:
        raise MunimentError("provider.unavailable", "the chat endpoint cannot be reached") from error
    except APIStatusError as error:
        raise error_of_status("the chat endpoint", error.status_code) from error
    except (APIResponseValidationError, ValueError, TypeError) as error:
        raise _malformed("it is not the JSON of a chat completion") from error
    except OpenAIError as error:
        raise MunimentError("provider.unavailable", "the chat endpoint cannot be used") from error


def _malformed(why: str) -> MunimentError:
    return MunimentError("provider.invalid", f"the chat endpoint's answer cannot be used: {why}")
