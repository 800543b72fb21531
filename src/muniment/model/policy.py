"""A tenant's policy: what is done with sensitive content, and for how long what is kept."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal, get_args

from pydantic import BaseModel, Field

from muniment.model.refusals import Closed

SensitiveClass = Literal[
    "email", "phone", "payment_card", "iban", "ip_address", "mac_address", "crypto_wallet", "us_ssn", "uk_nino",
    "secret",
]  # fmt: skip
"""What can be told from its form. ``secret``: private keys and the tokens of well-known services."""

CLASSES: tuple[SensitiveClass, ...] = get_args(SensitiveClass)
MARK = "sensitive_"
"""A record that was marked has the metadata ``sensitive_<class>``: true."""


class SensitiveRule(Closed):
    """What is done with one class.

    ``ingest``: ``keep`` it as it is, ``mark`` the records that hold it, ``mask`` it before anything is stored, or
    ``refuse`` what holds it. ``answer``: ``serve`` it, or ``withhold`` it from searches and answers.
    """

    ingest: Literal["keep", "mark", "mask", "refuse"] = "keep"
    answer: Literal["serve", "withhold"] = "serve"


class RetentionRule(Closed):
    """What is to happen ``days`` after a record was stored: it is closed, or erased for good.

    With ``sensitive`` only to records that are marked with the class, else to all.
    """

    days: float = Field(gt=0, le=36_500, strict=True)
    action: Literal["close", "erase"]
    sensitive: SensitiveClass | None = None


class PolicyChange(Closed):
    """A whole policy, to take the place of the one before. ``reason`` is kept in the log for good."""

    classes: dict[SensitiveClass, SensitiveRule] = Field(default_factory=dict)
    retention: list[RetentionRule] = Field(default_factory=list, max_length=16)
    reason: str


class Policy(BaseModel):
    """A policy as the log holds it, set by ``commit``; the empty one of the beginning by none (0)."""

    classes: dict[SensitiveClass, SensitiveRule] = Field(default_factory=dict)
    retention: list[RetentionRule] = Field(default_factory=list)
    reason: str | None = None
    commit: int = 0
    at: datetime | None = None

    def ingested(self, action: str) -> frozenset[SensitiveClass]:
        """The classes with which an ingest does this."""
        return frozenset(name for name, rule in self.classes.items() if rule.ingest == action)

    @property
    def withheld(self) -> frozenset[SensitiveClass]:
        """The classes that searches and answers do not show."""
        return frozenset(name for name, rule in self.classes.items() if rule.answer == "withhold")

    @property
    def content(self) -> dict[str, Any]:
        """What an entry of the log holds of it, without the reason."""
        return {
            "classes": {name: rule.model_dump() for name, rule in sorted(self.classes.items())},
            "retention": [rule.model_dump(exclude_none=True) for rule in self.retention],
        }


class PolicyList(BaseModel):
    """The policies that there were, the one in force first."""

    policies: list[Policy]


def policy_of(detail: Mapping[str, Any], commit: int, at: datetime) -> Policy:
    """The policy of a log entry."""
    return Policy.model_validate({**detail, "commit": commit, "at": at})
