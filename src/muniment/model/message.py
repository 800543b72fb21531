"""Messages of a conversation."""

from collections.abc import Sequence

from pydantic import Field, model_validator

from muniment.model.namespace import Name
from muniment.model.refusals import Closed
from muniment.model.source import MetadataValue
from muniment.model.times import WrittenTime


class Message(Closed):
    """One turn. Who said it is the ``speaker``, or where that is left out the ``role``.

    A message is known again by its ``id``, or by its ``position`` (from 0) where it has none: sent again with the
    same content it is left as it is, with other content it replaces what stood there, and that is kept as history.
    With neither it is appended. Never is it known again by its text: "Yes." may be said twice.

    ``language`` is the one by which its words are stemmed; where it is left out it is told by the words, else english.
    """

    content: str
    role: Name | None = None
    speaker: Name | None = None
    at: WrittenTime | None = None
    id: Name | None = None
    position: int | None = Field(None, ge=0, lt=2**31, strict=True)
    metadata: dict[str, MetadataValue] = Field(default_factory=dict)
    language: Name | None = None

    @model_validator(mode="after")
    def _somebody_said_it(self) -> "Message":
        if self.role is None and self.speaker is None:
            raise ValueError("a message needs a role or a speaker")
        return self


def in_language(messages: Sequence[Message], language: str | None) -> list[Message]:
    """The messages, those that name no language in this one."""
    if language is None:
        return list(messages)
    return [message.model_copy(update={"language": message.language or language}) for message in messages]
