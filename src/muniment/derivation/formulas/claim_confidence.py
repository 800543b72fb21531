"""How far a claim can be relied on.

The formula is the architecture's (docs/claims.md): what its facts are worth, how many independent groups say it, and
how long ago it was last said.
"""

import math
from typing import Final

FACTS: Final = 0.45
CORROBORATION: Final = 0.35
RECENCY: Final = 0.20
ENOUGH_GROUPS: Final = 4  # ln(1 + 4) / ln 5 = 1
HALF_LIFE_DAYS: Final = 90.0
CONTESTED: Final = 0.72


def claim_confidence(fact_confidence: float, groups: int, age_days: float, *, contested: bool) -> float:
    """From 0 to 1: ``0.45 mean + 0.35 min(1, ln(1 + groups) / ln 5) + 0.20 exp(-ln 2 age / 90)``, times 0.72 contested.

    ``fact_confidence`` is the mean confidence of the supporting facts, ``groups`` the number of distinct groups of
    records that they rest on, ``age_days`` the days since it was last said; the future counts as now.
    """
    corroboration = min(1.0, math.log1p(groups) / math.log1p(ENOUGH_GROUPS))
    recency = math.exp(-math.log(2) * max(0.0, age_days) / HALF_LIFE_DAYS)
    confidence = FACTS * fact_confidence + CORROBORATION * corroboration + RECENCY * recency
    return confidence * CONTESTED if contested else confidence
