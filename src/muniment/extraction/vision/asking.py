"""Asking a model about an image: at most twice, and what that cost."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from muniment.errors import MunimentError
from muniment.extraction.vision.prompt import SCHEMA, messages_for, repair_messages
from muniment.extraction.vision.reply import Description, UnreadableReply, description_in
from muniment.providers.chat import ChatMessage, ChatModel, Completion, Picture

_CHARACTERS_A_TOKEN: Final = 4
PICTURE_TOKENS: Final = 1500
"""About what an image takes where an endpoint tells no counts: what hosted models count for one of full size."""


@dataclass(slots=True)
class Seen:
    """What came of asking. ``reason`` is the code of why nothing did; ``away`` says that an answer may come later.

    ``refused`` replies could not be used. Tokens are ``estimated`` where the endpoint does not tell them.
    """

    description: Description | None = None
    reason: str | None = None
    requests: int = 0
    refused: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    estimated: bool = False
    away: bool = False

    def add(self, asked: Sequence[ChatMessage], completion: Completion) -> None:
        """Counts one request and what it cost."""
        self.requests += 1
        told = completion.prompt_tokens, completion.completion_tokens
        self.estimated = self.estimated or None in told
        self.prompt_tokens += estimated_tokens(asked) if told[0] is None else told[0]
        self.completion_tokens += len(completion.text) // _CHARACTERS_A_TOKEN if told[1] is None else told[1]


def estimated_tokens(asked: Sequence[ChatMessage]) -> int:
    """About how many tokens a request takes."""
    texts = sum(len(message.content) for message in asked) // _CHARACTERS_A_TOKEN
    return texts + PICTURE_TOKENS * sum(len(message.pictures) for message in asked)


async def ask_about(chat: ChatModel, picture: Picture, seconds: float) -> Seen:
    """What the model says of an image. An unusable reply is answered with what was wrong, once. Raises nothing."""
    asked = messages_for(picture)
    seen = Seen()
    for attempt in range(2):
        try:
            completion = await chat.complete(asked, schema=SCHEMA, seconds=seconds)
        except MunimentError as error:
            seen.reason, seen.away = error.code, _is_away(error)
            return seen
        seen.add(asked, completion)
        if completion.ending == "refusal":
            seen.reason = "vision.refused"
            return seen
        try:
            seen.description, seen.reason = description_in(completion.text), None
            return seen
        except UnreadableReply as error:
            seen.refused += 1
            seen.reason = "vision.reply_invalid" if completion.text.strip() else "vision.reply_empty"
            if attempt == 0:
                asked = repair_messages(asked, completion.text, str(error))
    return seen


def _is_away(error: MunimentError) -> bool:
    """Whether waiting may help: no answer, too many requests, or a fault of the server."""
    return error.code == "provider.unavailable"
