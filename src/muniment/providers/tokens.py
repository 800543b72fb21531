"""How many tokens of a language model a text takes up."""

import math
from dataclasses import dataclass
from typing import Protocol


class TokenCounter(Protocol):
    """Counts tokens; ``label`` says how, for whoever reads the number."""

    @property
    def label(self) -> str: ...

    def count(self, text: str) -> int: ...


@dataclass(frozen=True, slots=True)
class EstimatedTokens:
    """An estimate where the model's own tokeniser is not at hand: characters over a constant, rounded up.

    Four characters a token fit English prose; code and most other scripts take more tokens than this says.
    """

    characters_per_token: float = 4.0

    @property
    def label(self) -> str:
        return f"estimated at {self.characters_per_token:g} characters a token"

    def count(self, text: str) -> int:
        return math.ceil(len(text) / self.characters_per_token)
