"""The languages that a source, a message or a question may be in."""

from typing import Annotated, Final

from pydantic import AfterValidator

LANGUAGES: Final = (
    "simple", "arabic", "armenian", "basque", "catalan", "danish", "dutch", "english", "estonian", "finnish", "french",
    "german", "greek", "hindi", "hungarian", "indonesian", "irish", "italian", "lithuanian", "nepali", "norwegian",
    "portuguese", "romanian", "russian", "serbian", "spanish", "swedish", "tamil", "turkish", "yiddish",
)  # fmt: skip
"""The languages whose words are stemmed: those of PostgreSQL 18's stemmers, and ``simple``, which stems nothing."""


def _known(language: str) -> str:
    if language not in LANGUAGES:
        raise ValueError(f"there is no {language[:64]!r}; there are {', '.join(LANGUAGES)}")
    return language


Language = Annotated[str, AfterValidator(_known)]
"""One of ``LANGUAGES``."""
