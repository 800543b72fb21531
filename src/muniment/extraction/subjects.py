"""What a piece of a document is about, by its title or heading: how other pieces that name it lead there."""

import re
import unicodedata
from collections.abc import Iterator, Mapping

_WORD = re.compile(r"[^\W_]+")
_IN_BRACKETS = re.compile(r"\s*\([^()]*\)")
_LONGEST_LINE = 80
_MOST_WORDS = 8
_LEAST_CHARACTERS = 3


def subjects_of(text: str, fields: Mapping[str, str], position: int) -> list[str]:
    """The subjects of a chunk, normalised: its heading, and if it is the first its document's title.

    A first chunk without a title has its first line, where that is short and no sentence. What stands in brackets is
    left out: "Mercury (planet)" is about mercury. Linear in the title and the first line.
    """
    found: list[str] = []
    section = fields.get("section")
    if section:
        found.append(section.rsplit(" > ", 1)[-1])
    if position == 0:
        found.append(fields.get("title") or _first_line(text))
    return list(dict.fromkeys(subject for subject in map(normalised, found) if subject))


def normalised(title: str) -> str:
    """The words of a title in lower case with single blanks; empty for one too short or too long to be named."""
    words = words_of(_IN_BRACKETS.sub("", title)) or words_of(title)
    subject = " ".join(words)
    return subject if len(words) <= _MOST_WORDS and len(subject) >= _LEAST_CHARACTERS else ""


def named_in(text: str, longest: int = _MOST_WORDS, most_words: int = 400) -> Iterator[str]:
    """Every run of up to ``longest`` words of the text's first ``most_words``: the subjects that it may name."""
    words = words_of(text)[:most_words]
    for first in range(len(words)):
        for last in range(first + 1, min(first + longest, len(words)) + 1):
            run = " ".join(words[first:last])
            if len(run) >= _LEAST_CHARACTERS:
                yield run


def words_of(text: str) -> list[str]:
    """The words of a text as subjects are compared by: NFKC, case folded."""
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())


def _first_line(text: str) -> str:
    line, end, _ = text.lstrip().partition("\n")
    line = line.strip()
    return line if end and len(line) <= _LONGEST_LINE and not line.endswith((".", "?", "!", ":", ",", ";")) else ""
