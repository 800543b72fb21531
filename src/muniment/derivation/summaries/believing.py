"""What a model wrote of turns that no turn says: names, numbers, months and quotations."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from muniment.extraction.names import common_words
from muniment.extraction.pronouns import is_pronoun
from muniment.extraction.turns import Turn
from muniment.extraction.unsupported import unsupported

_WORD: Final = re.compile(r"[^\W\d_]+")
_OPENING: Final = re.compile(r"(?:\A|[.!?:\n]\s*)([^\W\d_]+)")
_OF_SUMMARIES: Final = frozenset(
    """participants participant speakers speaker members attendees discussion conversation chat exchange message
    messages overall initially""".split()  # noqa: SIM905
)
"""Words that summaries open with, and no conversation has to say."""
_FOREIGN: Final = 0.05
"""Share of words with other letters from which on a text is in a language that opens its sentences with them."""


def unsaid(text: str, turns: Sequence[Turn]) -> list[str]:
    """What the text names that neither the turns, nor who speaks in them, nor their times tell, in its order.

    A check of the surface (see ``extraction.unsupported``). A number may also count those who speak.
    """
    texts = [f"{turn.speaker or ''}\n{turn.text}" for turn in turns]
    times = [f"{at:%Y-%m-%d %H:%M %A %d %B %Y}" for turn in turns if (at := turn.said_local()) is not None]
    speakers = {turn.speaker for turn in turns if turn.speaker}
    found = unsupported(text, texts, "", times, countable=len(speakers))
    told = (each.text for each in found if each.kind != "name" or not _is_ordinary(each.text))
    return list(dict.fromkeys([*told, *_foreign_openings(text, texts)]))


def _is_ordinary(name: str) -> bool:
    return is_pronoun(name) or all(
        word in _OF_SUMMARIES or common_words().get(word) == "always" for word in _WORD.findall(name)
    )


def _foreign_openings(text: str, texts: Sequence[str]) -> Iterator[str]:
    """Names that open a sentence with a letter that is not ASCII (Élodie), where few words of the turns have such."""
    held = [word for each in texts for word in _WORD.findall(each.casefold())]
    if sum(not word.isascii() for word in held) > _FOREIGN * len(held):
        return
    known = set(held)
    for word in _OPENING.findall(text):
        if not word[0].isascii() and word[0].isupper() and word.casefold() not in known:
            yield word
