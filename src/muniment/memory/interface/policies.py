"""Sensitive content and retention."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from muniment.memory.inputs import policy_change
from muniment.memory.interface.part import Part
from muniment.model.policy import Policy, PolicyChange, RetentionRule, SensitiveRule


class Policies(Part):
    """The policy in force, and those before it."""

    @abstractmethod
    async def policy(self) -> Policy:
        """What is done with sensitive content, and for how long what is kept; the empty policy where none was set."""

    @abstractmethod
    async def policies(self) -> list[Policy]:
        """The policies that there were, the one in force first, at most 500."""

    async def put_policy(
        self,
        *,
        classes: Mapping[str, SensitiveRule | Mapping[str, Any]] | None = None,
        retention: Sequence[RetentionRule | Mapping[str, Any]] = (),
        reason: str,
    ) -> Policy:
        """Puts a whole policy in force, as an entry of the log: ``classes={"email": {"ingest": "mask"}}``.

        The log keeps the ``reason`` for good. Raises ``input.invalid``, and ``policy.detector_missing`` where classes
        are named and the extra ``policy`` is not installed where the store is.
        """
        return await self._put_policy(policy_change(classes or {}, retention, reason))

    @abstractmethod
    async def _put_policy(self, change: PolicyChange) -> Policy: ...
