"""A text being read for time expressions: its tokens, the reference, and the choices that both allow."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from muniment.extraction.time.calendar import Interval, midnight
from muniment.extraction.time.tokens import Token


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


def small_number(token: Token, words: dict[str, int]) -> int | None:
    """A number in digits of at most four, or as one of the words."""
    if token.kind == "number":
        return int(token.text) if len(token.text) <= 4 else None
    return words.get(token.text) if token.kind == "word" else None
