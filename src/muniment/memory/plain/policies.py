"""Policies, in the plain form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from muniment.memory.plain.waiting import Waiting
from muniment.model.policy import Policy, RetentionRule, SensitiveRule


class PlainPolicies(Waiting):
    """As ``Policies``, waiting."""

    def policy(self) -> Policy:
        """What is done with sensitive content, and for how long what is kept."""
        return self._loop.call(self._memory.policy())

    def policies(self) -> list[Policy]:
        """The policies that there were, the one in force first."""
        return self._loop.call(self._memory.policies())

    def put_policy(
        self,
        *,
        classes: Mapping[str, SensitiveRule | Mapping[str, Any]] | None = None,
        retention: Sequence[RetentionRule | Mapping[str, Any]] = (),
        reason: str,
    ) -> Policy:
        """Puts a whole policy in force; see ``AsyncMuniment.put_policy``."""
        return self._loop.call(self._memory.put_policy(classes=classes, retention=retention, reason=reason))
