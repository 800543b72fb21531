"""In which language a text is, by its common words and by those of its times."""

from collections.abc import Iterable
from typing import Final

from muniment.extraction.time.languages import COMMON
from muniment.extraction.time.local_words import TELLING

_FEWEST: Final = 2
_CLEARLY: Final = 1.5


def languages_of(words: Iterable[str], language: str) -> list[str]:
    """The languages in which a text of these words, in lower case, may be: first the one whose words are most among
    them, else the given one, and behind it those with no fewer than the given one. A language whose common words are
    not known here stands alone."""
    if language not in COMMON:
        return [language]
    counts = _counts(words)
    likely = [name for name in COMMON if counts[name] >= counts[language]]
    return sorted(likely, key=lambda name: (-counts[name], name != language))


def language_told(words: Iterable[str], language: str) -> str:
    """The language that a text of these words, in lower case, is clearly in, else the given one: at least two words,
    and more than half as many again as of the given one."""
    if language not in COMMON:
        return language
    counts = _counts(words)
    likely = max(COMMON, key=lambda name: counts[name])
    return likely if counts[likely] >= max(_FEWEST, _CLEARLY * counts[language]) else language


def _counts(words: Iterable[str]) -> dict[str, int]:
    given = list(words)
    return {
        name: sum(word in common or word in TELLING.get(name, ()) for word in given) for name, common in COMMON.items()
    }
