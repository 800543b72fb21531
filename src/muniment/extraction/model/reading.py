"""Asking a model about a window: at most twice, and what that cost."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from muniment.errors import MunimentError
from muniment.extraction.model.prompt import SCHEMA, messages_for, prompt_hash, repair_messages
from muniment.extraction.model.reply import Refused, UnreadableReply, facts_in, statements_in
from muniment.extraction.model.windows import Window
from muniment.extraction.statements import Statement
from muniment.providers.chat import ChatMessage, ChatModel, Completion

CUT_OFF: Final = "extraction.reply_cut_off"
"""The reason where the endpoint ended a reply at its limit of tokens: what was to come is not known."""

_CHARACTERS_A_TOKEN = 4  # of English, where an endpoint tells no counts


@dataclass(frozen=True, slots=True)
class Reading:
    """What came of a window. ``reason`` is the code of why it failed, None where it did not.

    ``refused`` counts what the model gave without support, by what was wrong with it. ``requests`` were made; their
    tokens are ``estimated`` from the lengths where the endpoint does not tell them. ``away`` says that no answer came,
    so that it may come later.
    """

    statements: Sequence[Statement] = ()
    refused: Mapping[Refused, int] = field(default_factory=dict)
    requests: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    estimated: bool = False
    reason: str | None = None
    away: bool = False


def extractor_of(chat: ChatModel) -> str:
    """What facts say of where they are from: the model and the hash of the prompt."""
    return f"model:{chat.name}:{prompt_hash()}"


def estimated_tokens(window: Window) -> int:
    """About how many tokens the prompt of a window has."""
    return sum(len(message.content) for message in messages_for(window)) // _CHARACTERS_A_TOKEN


async def read_window(chat: ChatModel, window: Window, seconds: float) -> Reading:
    """The statements of a window. An unusable reply is answered with what was wrong, once. Raises nothing."""
    asked = messages_for(window)
    costs = _Costs()
    reason = None
    for attempt in range(2):
        try:
            completion = await chat.complete(asked, schema=SCHEMA, seconds=seconds)
        except MunimentError as error:
            return costs.reading(reason=error.code, away=_is_away(error))
        costs.add(asked, completion)
        if completion.ending == "refusal":
            return costs.reading(reason="extraction.refused")
        if completion.ending == "length":  # asked again it would be as long: fewer turns are to be asked about
            return costs.reading(reason=CUT_OFF)
        try:
            items = facts_in(completion.text)
        except UnreadableReply as error:
            reason = "extraction.reply_empty" if not completion.text.strip() else "extraction.reply_invalid"
            if attempt == 0:
                asked = repair_messages(asked, completion.text, str(error))
            continue
        statements, refused = statements_in(items, window)
        return costs.reading(statements, refused)
    return costs.reading(reason=reason)


def _is_away(error: MunimentError) -> bool:
    """Whether waiting may help: no answer, too many requests, or a fault of the server."""
    return error.code == "provider.unavailable"


@dataclass(slots=True)
class _Costs:
    requests: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    estimated: bool = False

    def add(self, asked: Sequence[ChatMessage], completion: Completion) -> None:
        self.requests += 1
        told = completion.prompt_tokens, completion.completion_tokens
        self.estimated = self.estimated or None in told
        length = sum(len(message.content) for message in asked)
        self.prompt_tokens += length // _CHARACTERS_A_TOKEN if told[0] is None else told[0]
        self.completion_tokens += len(completion.text) // _CHARACTERS_A_TOKEN if told[1] is None else told[1]

    def reading(
        self,
        statements: Sequence[Statement] = (),
        refused: Mapping[Refused, int] = MappingProxyType({}),
        *,
        reason: str | None = None,
        away: bool = False,
    ) -> Reading:
        return Reading(
            statements,
            dict(refused),
            self.requests,
            self.prompt_tokens,
            self.completion_tokens,
            self.estimated,
            reason,
            away,
        )
