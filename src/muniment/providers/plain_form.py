"""A text as it looks to a reader: without what shows nothing, wide and styled characters as plain ones."""

import unicodedata
from collections.abc import Sequence

_JOINERS = frozenset("\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\ufeff")


def plain_form(text: str) -> tuple[str, Sequence[int]]:
    """The text in plain characters, and for each of them its place in the text as it came, with its length at the end.

    What has category Cf (zero-width spaces and joiners, marks of direction) or shows nothing is left out; a character
    whose NFKC form is one other is that one (full-width digits, dashes, mathematical letters). Linear in the text.
    """
    if text.isascii():
        return text, range(len(text) + 1)
    kept: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        if character.isascii():
            kept.append(character)
            places.append(place)
            continue
        if character in _JOINERS or unicodedata.category(character) == "Cf":
            continue
        form = unicodedata.normalize("NFKC", character)
        if unicodedata.category(character) == "Pd":
            form = "-"
        kept.append(form if len(form) == 1 else character)
        places.append(place)
    return "".join(kept), [*places, len(text)]
