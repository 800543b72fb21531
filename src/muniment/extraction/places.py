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
    return folded(name) in _places()


def folded(name: str) -> str:
    """A name as the list has it: case folded, without accents, full stops and a leading article, hyphens as blanks."""
    plain = unicodedata.normalize("NFKD", name.casefold().translate(_OTHER_LETTERS))
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter)).replace(".", "")
    return re.sub(r"^the ", "", _BLANKS.sub(" ", plain).strip())


@cache
def _places() -> frozenset[str]:
    text = files("muniment.extraction").joinpath("places.txt").read_text("utf-8")
    return frozenset(text[text.index("\n\n") :].split("\n")) - {""}
