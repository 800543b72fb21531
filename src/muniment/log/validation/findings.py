"""What a validation looked at, and what it found wrong."""

from collections import Counter
from typing import Any, Final

from muniment.model.result import Finding

LISTED: Final = 100
"""So many findings of one check are listed; one more says that there are more."""


class Findings:
    """The findings of all checks, bounded: a log that is wrong everywhere must not fill the memory."""

    def __init__(self) -> None:
        self.checks: dict[str, int] = {}
        self.listed: list[Finding] = []
        self._found: Counter[str] = Counter()

    def looked(self, check: str, count: int = 1) -> None:
        """The check looked at ``count`` more things."""
        self.checks[check] = self.checks.get(check, 0) + count

    def add(self, check: str, detail: str, **facts: Any) -> None:
        """Something is wrong. Facts are JSON values, without the text of a record."""
        self._found[check] += 1
        if self._found[check] <= LISTED:
            self.listed.append(Finding(check=check, detail=detail, facts=facts))
        elif self._found[check] == LISTED + 1:
            self.listed.append(Finding(check=check, detail=f"more than these {LISTED} are wrong"))
