"""Windows of turns, as many as a model reads well at once."""

from dataclasses import dataclass
from typing import Final

from muniment.extraction.turns import Turn

TURNS: Final = 40
OVERLAP: Final = 2
"""Turns of a window that the window before had already: so that an answer is read with its question."""
NEW: Final = TURNS - OVERLAP
CHARACTERS: Final = 24_000  # of one window; a single longer turn is read alone


@dataclass(frozen=True, slots=True)
class Window:
    """Turns that are read together: ``before`` were read already, ``new`` are what it is about."""

    before: tuple[Turn, ...]
    new: tuple[Turn, ...]

    @property
    def turns(self) -> tuple[Turn, ...]:
        return self.before + self.new

    @property
    def texts(self) -> dict[int, str]:
        """The text of each turn by its record's number."""
        return {turn.record_no: turn.text for turn in self.turns}


def first_window(before: list[Turn], new: list[Turn]) -> Window:
    """The window of the first of the new turns, behind the last of those before: at most 40, of which 2 overlap."""
    overlap = tuple(before[-OVERLAP:])
    taken: list[Turn] = []
    room = CHARACTERS - sum(len(turn.text) for turn in overlap)
    for turn in new[:NEW]:
        if taken and len(turn.text) > room:
            break
        taken.append(turn)
        room -= len(turn.text)
    return Window(overlap, tuple(taken))
