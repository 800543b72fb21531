"""Where the object of a verb ends: names, and phrases of nouns up to what no longer belongs to them."""

import re
from collections.abc import Sequence
from typing import Final

from muniment.extraction.names import common_words
from muniment.extraction.rules.vocabulary import LOWER, PEOPLES, TITLES, UNCASED, UPPER
from muniment.extraction.time.spans import TimeSpan

MOST_WORDS: Final = 10
_SMALL: Final = r"(?:(?:of|de|da|do|del|della|di|la|le|el|al|van|von|der|den|the|&)\s+){0,2}"
_CAPITAL: Final = rf"[{UPPER}0-9][\w&+#]*(?:[-.'’][{UPPER}{LOWER}0-9][\w&+#]*)*"  # noqa: RUF001
_NAME: Final = re.compile(
    rf"(?:[Tt]he\s+)?((?:(?:{TITLES}|St|Mt|Ft)\.?\s+){{0,2}}(?=[{UPPER}]){_CAPITAL}(?:\s+{_SMALL}{_CAPITAL}){{0,5}}|{UNCASED})"
)
_PLACES: Final = frozenset(("Nice", "Reading", "Bath", "Cork", "Split", "Mobile", "Orange", "Bend"))
"""Towns that are common words too."""
_LEADS_ON: Final = re.compile(r"(?:and|but|now|since|as)\b")
_TOKEN: Final = re.compile(r"\s+|[^\s,.;:!?()\"“”—–]+(?:[.,][^\s,.;:!?()\"“”—–]+)*|[,.;:!?()\"“”—–]")  # noqa: RUF001
_STOP: Final = frozenset(
    (
        "because", "since", "when", "while", "which", "who", "whom", "whose", "that", "so", "but", "after", "before",
        "where", "although", "though", "if", "as", "until", "till", "unless", "than", "i", "we", "they", "he", "she",
        "it's", "i'm", "i've", "you", "it", "is", "was", "are", "were", "am", "has", "have", "had", "will", "would",
        "can", "could", "due", "instead", "how", "why", "what", "last", "next", "every", "via", "-", "and",
    )
)  # fmt: skip
_CUT: Final = frozenset(
    {"it", "that", "you", "which", "who", "whose", "where", "how", "what", "i", "we", "they", "he", "she"}
)
_TRAILING: Final = frozenset(
    (
        "now", "too", "anymore", "recently", "currently", "already", "again", "today", "lately", "also", "still",
        "though", "really", "right", "more", "any", "longer", "ago", "always", "very", "much", "soon", "together",
        "alone", "back", "the", "a", "an", "of", "in", "on", "at", "to", "for", "with", "from", "by", "and", "or",
        "about", "around", "lot", "all", "there", "here", "just", "like", "btw", "lol", "either", "myself", "once",
        "twice", "ever", "starting", "effective", "during", "my", "our", "his", "her", "their",
        "your", "some", "then", "actually", "honestly",
    )
)  # fmt: skip


def name_at(sentence: str, place: int) -> tuple[int, int] | None:
    """Where the proper name at this place begins and ends, without an article and a possessive; None if none does."""
    match = _NAME.match(sentence, place)
    if match is None:
        return None
    start, end = match.span(1)
    possessive = re.search(r"['’]s?$", sentence[start:end])  # noqa: RUF001
    if possessive or re.match(r"['’]s\b", sentence[end:]):  # noqa: RUF001
        return None
    end = start + len(sentence[start:end].rstrip(".'’-"))  # noqa: RUF001
    words = sentence[start:end].split()
    if not words[0].isascii() and not words[0][0].isupper():
        return start, end  # a script without capitals
    if (common_words().get(words[0].casefold()) == "always" and words[0] not in _PLACES) or len(words[0]) < 2:
        return None
    return start, end


def names_alone(sentence: str, found: tuple[int, int]) -> bool:
    """Whether the name behind "is" tells who or what it is, and not how: "Karl", not "Spanish" or "Very angry"."""
    behind = sentence[found[1] :].lstrip()
    goes_on = bool(behind) and (behind[0].isalnum() or behind[0] in "'’-")  # noqa: RUF001
    leads_on = _LEADS_ON.match(behind) is not None
    return sentence[found[0] : found[1]].casefold() not in PEOPLES and (leads_on or not goes_on)


def phrase_at(
    sentence: str, place: int, times: Sequence[TimeSpan], *, joined: bool = False, acting: bool = False
) -> tuple[int, int] | None:
    """Where the phrase at this place begins and ends: up to a mark, a word that begins another clause, or a time.

    With ``joined`` "and" is part of it where no pronoun or verb follows, with ``acting`` it is of what is done, and
    "to" part of it. None for none, for more than 10 words, and where a pronoun or what tells which one is cut off.
    """
    begin = place + len(sentence[place:]) - len(sentence[place:].lstrip())
    end, words = begin, 0
    tokens = list(_TOKEN.finditer(sentence, begin))
    for n, match in enumerate(tokens):
        token = match.group()
        if token.isspace():
            continue
        word = token.casefold().replace("’", "'")  # noqa: RUF001
        if any(time.first <= match.start() < time.last for time in times):
            break
        if not (token[0].isalnum() or token[0] in "$€£#@&'’+") or (word in _STOP and not (word == "and" and joined)):  # noqa: RUF001
            if word in _CUT:
                return None
            break
        if word in ("to", "during") and not acting and words:
            break
        if word == "and" and _begins_clause(tokens[n + 1 : n + 5]):
            break
        end, words = match.end(), words + 1
    while (last := re.search(r"(?:^|\s)(\S+)$", sentence[begin:end])) and last.group(1).casefold().strip(
        "-"
    ) in _TRAILING | {""}:
        end = begin + last.start()
        words -= 1
    return (begin, end) if 0 < words <= MOST_WORDS and end > begin else None


def _begins_clause(following: Sequence[re.Match[str]]) -> bool:
    words = [match.group().casefold() for match in following if not match.group().isspace()]
    return not words or words[0] in _STOP or words[0] in ("my", "our", "the", "this", "it's", "even", "then", "now")
