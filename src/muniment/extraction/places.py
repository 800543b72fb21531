"""Whether a name is one of a place: the towns, regions and countries of places.txt.

A name alone does not tell what it is of: *we moved to Lisbon* and *we moved to Slack* are written alike.
"""

import re
import unicodedata
from functools import cache
from importlib.resources import files
from typing import Final

_OTHER_LETTERS: Final = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ı": "i", "’": "'", "æ": "ae", "œ": "oe"})  # noqa: RUF001
_BLANKS: Final = re.compile(r"[\s-]+")


def is_place(name: str) -> bool:
    """Whether a name is that of a known place, whatever its case, accents and hyphens."""
    wanted, names = folded(name), _places()
    low, high = 0, len(names)
    while low < high:  # the line that holds the middle is the wanted one, before it or behind it
        middle = (low + high) // 2
        start = names.rfind("\n", 0, middle) + 1
        end = names.find("\n", middle)
        line = names[start:end]
        if line == wanted:
            return True
        low, high = (end + 1, high) if line < wanted else (low, start - 1)
    return False


def folded(name: str) -> str:
    """A name as the list has it: case folded, without accents, full stops and a leading article, hyphens as blanks."""
    plain = unicodedata.normalize("NFKD", name.casefold().translate(_OTHER_LETTERS))
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter)).replace(".", "")
    return re.sub(r"^the ", "", _BLANKS.sub(" ", plain).strip())


@cache
def _places() -> str:
    """The names in order, each with a line end: as one string they take a tenth of the memory of a set."""
    text = files("muniment.extraction").joinpath("places.txt").read_text("utf-8")
    return text[text.index("\n\n") + 2 :]
