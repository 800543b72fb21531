"""The versions of what is derived from the log: raised with every change of what the same log gives."""

from typing import Final, Literal

Derivation = Literal["claims", "rules"]

CLAIMS_VERSION: Final = "3"
"""Of ``muniment.claim_definition`` and what it calls."""
RULES_VERSION: Final = "7"
"""Of the rules that extract facts."""
CURRENT: Final[dict[Derivation, str]] = {"claims": CLAIMS_VERSION, "rules": RULES_VERSION}
RENEWED_BY: Final[dict[Derivation, str]] = {"claims": "muniment rebuild", "rules": "muniment extract"}
"""The command that derives it anew at once; the job ``rederive`` does so by itself."""
