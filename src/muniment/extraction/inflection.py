# ruff: noqa: E501
"""Words of a text as they are compared: content apart from form words, and whether two are forms of one."""

import re
from collections.abc import Iterable
from typing import Final

WORD: Final = re.compile(r"\w+(?:['’]\w+)*")  # noqa: RUF001
_LEAST_STEM: Final = 3
_ENDINGS: Final = ("ings", "ing", "ies", "ied", "ers", "er", "ed", "es", "s", "e", "y", "d")
_POSSESSIVE: Final = re.compile(r"['’]s?$")  # noqa: RUF001
FORM_WORDS: Final = frozenset(
    (
        "a", "an", "the", "of", "in", "on", "at", "to", "for", "from", "by", "with", "and", "or", "is", "are", "was",
        "were", "be", "been", "being", "am", "has", "have", "had", "do", "does", "did", "not", "no", "it", "its",
        "this", "that", "my", "your", "his", "her", "our", "their", "as", "he", "she", "they", "them", "him", "who",
        "which", "there", "will", "would", "longer", "never", "anymore", "s", "t", "than", "into", "about", "also",
        "i", "me", "we", "us", "you",
    )
)  # fmt: skip
"""What holds sentences together and tells nothing by itself."""
_NUMBERS: Final = {
    word: str(number)
    for number, word in enumerate(
        (
            "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
            "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
        )
    )
} | {"thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "hundred": "100", "thousand": "1000"}  # fmt: skip

_IRREGULAR: Final = {
    form: forms.split()[0]
    for forms in (
        "be is are was were been am being", "go goes went gone going", "buy bought", "leave left", "begin began begun",
        "have has had", "take took taken", "give gave given", "see saw seen", "come came", "make made", "meet met",
        "write wrote written", "win won", "lose lost", "sell sold", "speak spoke spoken", "teach taught", "grow grew grown",
        "get got gotten", "feel felt", "find found", "keep kept", "lead led", "run ran", "swim swam swum", "tell told",
        "think thought", "know knew known", "eat ate eaten", "drink drank drunk", "drive drove driven", "fly flew flown",
        "build built", "break broke broken", "choose chose chosen", "fall fell fallen", "hold held", "send sent",
        "spend spent", "say said", "bring brought", "catch caught", "sing sang sung", "sit sat", "ride rode ridden",
        "draw drew drawn", "throw threw thrown", "wear wore worn", "pay paid", "do does did done", "die died dying dies",
        "child children", "person people", "man men", "woman women", "wife wives", "foot feet", "hear heard",
    )
    for form in forms.split()
}  # fmt: skip


def words_of(text: str) -> list[str]:
    """The words of a text, case folded, without a possessive, in order; linear."""
    return [plain(match.group()) for match in WORD.finditer(text)]


def plain(word: str) -> str:
    """A word as it is compared: case folded, without a possessive, with a straight apostrophe."""
    return _POSSESSIVE.sub("", word.casefold().replace("’", "'"))  # noqa: RUF001


def content_of(text: str) -> list[str]:
    """The words of a text that tell something; all of them where none does."""
    words = words_of(text)
    return [word for word in words if word not in FORM_WORDS] or words


def holds(held: Iterable[str], word: str) -> bool:
    """Whether one of the words ``held`` is a form of ``word``."""
    return any(same(each, word) for each in held)


def same(one: str, other: str) -> bool:
    """Whether two words are forms of one: lives and living, buy and bought, two and 2.

    Numbers, and what holds a digit, are the same only to the letter.
    """
    if one == other:
        return True
    one, other = _NUMBERS.get(one, one), _NUMBERS.get(other, other)
    if any(character.isdigit() for character in one + other):
        return one.replace(",", "") == other.replace(",", "")
    return bool(_stems(one) & _stems(other))


def _stems(word: str) -> set[str]:
    """What may be left of a word without an inflection, a doubled last letter made single; the word itself too."""
    found = {word, _IRREGULAR.get(word, word)}
    for ending in _ENDINGS:
        stem = word.removesuffix(ending)
        if stem != word and len(stem) >= _LEAST_STEM:
            found.add(stem[:-1] if len(stem) > _LEAST_STEM and stem[-1] == stem[-2] else stem)
    return found
