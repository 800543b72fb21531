"""The versions of what is derived from the log: raised with every change of what the same log gives."""

from typing import Final, Literal

Derivation = Literal["claims", "rules", "summaries"]

CLAIMS_VERSION: Final = "3"
"""Of ``muniment.claim_definition`` and what it calls."""
RULES_VERSION: Final = "9"
"""Of the rules that extract facts."""
SUMMARIES_VERSION: Final = "3"
"""Of the cards, episodes and profiles that rules make."""
CURRENT: Final[dict[Derivation, str]] = {
    "claims": CLAIMS_VERSION, "rules": RULES_VERSION, "summaries": SUMMARIES_VERSION,
}  # fmt: skip
RENEWED_BY: Final[dict[Derivation, str]] = {
    "claims": "muniment rebuild", "rules": "muniment extract", "summaries": "muniment rebuild",
}  # fmt: skip
"""The command that derives it anew at once; the job ``rederive`` does so by itself."""
