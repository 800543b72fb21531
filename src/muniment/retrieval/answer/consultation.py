"""Asking a model for a verdict: once, and once more where what it wrote cannot be read."""

import time
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, cast

from muniment.providers.chat import ChatMessage, ChatModel, Completion
from muniment.retrieval.answer.links import foreign_links
from muniment.retrieval.answer.references import numbered, settled
from muniment.retrieval.answer.verdict import SCHEMA, UnreadableVerdict, Verdict, answer_so_far, read_verdict
from muniment.retrieval.state import Listener

_ATTEMPTS = 2
_SHOWN_AGAIN = 4000
_KEPT = 2000


@dataclass(slots=True)
class Consultation:
    """A model with what it is asked; ``completions`` and ``problems`` fill as it answers.

    ``listener`` is told of the answer while it is written. ``longest`` bounds the answer in characters.
    """

    model: ChatModel
    messages: list[ChatMessage]
    labels: Sequence[str]
    texts: list[str]
    longest: int
    listener: Listener | None = None
    completions: list[Completion] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    async def verdict(self, seconds: float) -> Verdict | None:
        """The model's verdict within so many seconds, None where it refuses or what it writes cannot be read.

        Raises ``provider.unavailable`` and ``provider.invalid`` of the model.
        """
        end = time.perf_counter() + seconds
        for _ in range(_ATTEMPTS):
            completion = await self._ask(max(end - time.perf_counter(), 0.001))
            self.completions.append(completion)
            if self.refused:
                return None
            try:
                return read_verdict(completion.text, self.longest)
            except UnreadableVerdict as error:
                problem = "it was cut off at the limit of tokens" if completion.ending == "length" else str(error)
            self.problems.append(problem)
            self._withdraw("the model's answer could not be read")
            self.messages += [
                ChatMessage("assistant", completion.text[:_SHOWN_AGAIN] or "(nothing)"),
                ChatMessage("user", f"That cannot be used: {problem}. Reply with the JSON object alone, and briefly."),
            ]
        return None

    @property
    def refused(self) -> bool:
        """Whether the model refused to answer."""
        return bool(self.completions) and self.completions[-1].ending == "refusal"

    def detail(self) -> dict[str, Any]:
        """What was asked and written, as JSON values: the token counts are those that the endpoint told."""
        last = self.completions[-1] if self.completions else None
        told = {
            "model": self.model.name,
            "asked": len(self.completions),
            "form": None if last is None else last.form,
            "prompt_tokens": _sum(each.prompt_tokens for each in self.completions),
            "completion_tokens": _sum(each.completion_tokens for each in self.completions),
            "problems": self.problems or None,
        }
        return {name: value for name, value in told.items() if value is not None}

    async def _ask(self, seconds: float) -> Completion:
        if self.listener is None:
            return await self.model.complete(self.messages, schema=SCHEMA, seconds=seconds)
        parts: list[str] = []
        told = ""
        async with aclosing(cast(Any, self.model.stream(self.messages, schema=SCHEMA, seconds=seconds))) as stream:
            async for item in stream:
                if isinstance(item, Completion):
                    return item
                parts.append(item)
                told = self._tell(answer_so_far("".join(parts)), told)
        raise AssertionError("a stream ends with its completion")

    def _tell(self, answer: str, told: str) -> str:
        """Tells the listener of what has been added; returns all that has been told.

        From a link on that is not in the evidence nothing more is told: such an answer will be dropped, and whoever
        shows it as it comes must not fetch what it points to.
        """
        assert self.listener is not None
        whole = settled(answer)
        text, _ = numbered(whole, self.labels)
        if len(text) > len(told) and text.startswith(told) and not foreign_links(whole, self.texts):
            self.listener.written(text[len(told) :])
            return text
        return told

    def _withdraw(self, because: str) -> None:
        if self.listener is not None:
            self.listener.withdrawn(because)


def _sum(counts: Any) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known else None
