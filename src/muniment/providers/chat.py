"""Chat: messages to text, whoever writes it."""

from base64 import b64encode
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from muniment.errors import MunimentError

Ending = Literal["stop", "length", "refusal", "unknown"]


@dataclass(frozen=True, slots=True)
class Picture:
    """An image that a model is shown: PNG or JPEG."""

    data: bytes
    media_type: Literal["image/png", "image/jpeg"]

    @property
    def url(self) -> str:
        """The image as a URL that holds it whole."""
        return f"data:{self.media_type};base64,{b64encode(self.data).decode('ascii')}"


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message of the conversation that a model goes on with; ``pictures`` come behind its text."""

    role: Literal["system", "user", "assistant"]
    content: str
    pictures: Sequence[Picture] = ()


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model wrote, whole. Token counts are those that the endpoint tells, None where it tells none.

    ``ending`` says why it stopped: of itself, at the limit of tokens, or because it (or a filter) refused; then
    ``text`` is what it says of that, often nothing. ``form`` is how the answer's shape was asked for.
    """

    text: str
    ending: Ending
    prompt_tokens: int | None
    completion_tokens: int | None
    form: Literal["json_schema", "json_object", "plain"]


class NoAnswerInTime(MunimentError):
    """A model that did not answer within the seconds that it had; what it would have said later is nobody's."""

    def __init__(self, detail: str = "the chat endpoint did not answer in time") -> None:
        super().__init__("provider.unavailable", detail)


class ChatModel(Protocol):
    """Writes the next message of a conversation, as deterministically as the endpoint can (temperature 0).

    ``name`` says which model it is, for whoever reads a stored run.
    """

    @property
    def name(self) -> str: ...

    async def complete(
        self, messages: Sequence[ChatMessage], *, schema: Mapping[str, Any] | None = None, seconds: float | None = None
    ) -> Completion:
        """The next message. With ``schema`` (a JSON schema) JSON is asked for, as strictly as the endpoint knows how:
        what comes must be validated all the same.

        ``seconds`` bounds the whole, with what is tried again; default ``MUNIMENT_ANSWER_TIMEOUT``. Raises
        ``provider.unavailable`` where no answer comes (``NoAnswerInTime`` where none comes within the seconds),
        ``provider.refused`` where the endpoint refuses the request, a wrong key or too long a prompt for instance,
        ``provider.invalid`` where it is no chat completion.
        """
        ...

    def stream(
        self, messages: Sequence[ChatMessage], *, schema: Mapping[str, Any] | None = None, seconds: float | None = None
    ) -> AsyncIterator[str | Completion]:
        """The next message as it is written: its text piece by piece, and at the end the whole as a ``Completion``.

        Parameters and errors as of ``complete``; an error may come after some of the text.
        """
        ...

    async def close(self) -> None:
        """Lets go of connections; may be called twice."""
        ...
