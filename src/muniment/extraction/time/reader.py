"""A text being read for time expressions: its tokens, the reference, and the choices that both allow."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from muniment.extraction.time.calendar import Interval, midnight
from muniment.extraction.time.tokens import Token
from muniment.extraction.time.vocabulary import COMPLETED, FUTURE

_SIGHT: Final = 24  # tokens to either side in which a word may turn a date to the future


@dataclass(frozen=True, slots=True)
class Reading:
    """What the tokens up to (without) ``end`` stand for."""

    interval: Interval
    end: int


@dataclass(frozen=True, slots=True)
class Reader:
    """``now`` is the reference in its own local time, without a zone."""

    tokens: list[Token]
    text: str
    now: datetime
    zone_offset: timedelta | None
    language: str

    @property
    def today(self) -> datetime:
        """The beginning of the reference's day."""
        return midnight(self.now)

    def word(self, i: int) -> str:
        """The word at i; empty for everything else, and beyond the ends."""
        if 0 <= i < len(self.tokens) and self.tokens[i].kind == "word":
            return self.tokens[i].text
        return ""

    def kind(self, i: int) -> str:
        """The kind of the token at i, empty beyond the ends."""
        return self.tokens[i].kind if 0 <= i < len(self.tokens) else ""

    def mark(self, i: int, marks: str) -> bool:
        """Whether one of the marks stands at i."""
        return self.kind(i) == "mark" and self.tokens[i].text in marks

    def capital(self, i: int) -> bool:
        """Whether the token at i begins with a capital."""
        return 0 <= i < len(self.tokens) and self.tokens[i].capital

    def before_tokens(self, i: int, characters: str) -> bool:
        """Whether one of the characters stands directly before the token at i."""
        first = self.tokens[i].first
        return first > 0 and self.text[first - 1] in characters

    def looks_ahead(self, i: int) -> bool:
        """Whether the sentence around i speaks of the future."""
        before = (
            self.word(i - 2) if self.word(i - 1) in ("on", "from", "in", "the", "this", "next") else self.word(i - 1)
        )
        if before == "starting":
            return True
        return self._sentence_has(i, lambda word: word in FUTURE or word.endswith("'ll"), after=True)

    def looks_back(self, i: int) -> bool:
        """Whether the sentence before i tells of something done."""
        return self._sentence_has(i, lambda word: word in COMPLETED or word.endswith("ed"), after=False)

    def _sentence_has(self, i: int, test: Callable[[str], bool], *, after: bool) -> bool:
        for step in (-1, 1) if after else (-1,):
            for j in range(i + step, i + step * _SIGHT, step):
                if not 0 <= j < len(self.tokens) or self.mark(j, ".!?;"):
                    break
                if test(self.word(j)):
                    return True
        return False


def small_number(token: Token, words: dict[str, int]) -> int | None:
    """A number in digits of at most four, or as one of the words."""
    if token.kind == "number":
        return int(token.text) if len(token.text) <= 4 else None
    return words.get(token.text) if token.kind == "word" else None
