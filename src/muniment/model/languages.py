"""The languages that a source may be in."""

from typing import Final

LANGUAGES: Final = (
    "simple", "arabic", "armenian", "basque", "catalan", "danish", "dutch", "english", "estonian", "finnish", "french",
    "german", "greek", "hindi", "hungarian", "indonesian", "irish", "italian", "lithuanian", "nepali", "norwegian",
    "portuguese", "romanian", "russian", "serbian", "spanish", "swedish", "tamil", "turkish", "yiddish",
)  # fmt: skip
"""The languages whose words are stemmed: those of PostgreSQL 18's stemmers, and ``simple``, which stems nothing."""
