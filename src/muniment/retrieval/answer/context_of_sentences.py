"""How much of a record a quoted sentence needs beside it so that it keeps its sense."""

import re
from collections.abc import Sequence
from typing import Final

_MOST: Final = 500  # characters of a sentence with those that it needs
_REFERS: Final = re.compile(
    r"[\"'\u201c(]*(?:he|she|it|they|this|that|these|those|there|his|her|their|its|but|and|so|or|then|because|which|who"
    r"|also|yes|no|er|sie|es|das|dies|aber|und|denn|dort|il|elle|ils|elles|cela|mais|et|él|ella|eso|pero|y)\b",
    re.IGNORECASE,
)
_WORD: Final = re.compile(r"\w+")
_FEW: Final = 3  # words, which say little alone: "Biscuit!"


def with_context(text: str, sentence: str, begin: int, sentences: Sequence[tuple[int, str]]) -> str:
    """The sentence at ``begin`` with those beside it that it needs: an exact piece of ``text``.

    ``sentences`` are those of the text with their places, in order. One that refers to what was before (*It took two
    days.*) comes with that; one of hardly a word (*Biscuit!*) with what follows.
    """
    first = next((n for n, (start, _) in enumerate(sentences) if start == begin), None)
    if first is None:
        return sentence
    last = first
    while first > 0 and _REFERS.match(sentences[first][1]) and _fits(text, sentences, first - 1, last):
        first -= 1
    if len(_WORD.findall(sentence)) <= _FEW and last + 1 < len(sentences) and _fits(text, sentences, first, last + 1):
        last += 1
    return text[sentences[first][0] : sentences[last][0] + len(sentences[last][1])]


def _fits(text: str, sentences: Sequence[tuple[int, str]], first: int, last: int) -> bool:
    """Whether these stand in one paragraph, and are not too long together."""
    start, end = sentences[first][0], sentences[last][0] + len(sentences[last][1])
    between = text[start:end]
    return len(between) <= _MOST and "\n\n" not in between and "|" not in between and "\n#" not in between
