"""A record as extractors read it."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from typing import Final

_NOT_EVIDENCE: Final = frozenset({"assistant", "system", "tool", "developer", "function"})


@dataclass(frozen=True, slots=True)
class Turn:
    """A record's number, text and who said it when; ``said_offset`` in minutes east of UTC."""

    record_no: int
    text: str
    speaker: str | None = None
    role: str | None = None
    said_at: datetime | None = None
    said_offset: int | None = None
    language: str = "english"
    modality: str = "conversation"

    @property
    def by_machine(self) -> bool:
        """Whether an assistant or a program said it: what it says of others is no evidence about them.

        Where no role was given, a speaker who is called like such a role has it.
        """
        return (self.role or self.speaker or "").strip().casefold() in _NOT_EVIDENCE

    @property
    def first_person(self) -> str | None:
        """Who says I."""
        return self.speaker or self.role

    def said_local(self) -> datetime | None:
        """When it was said, in the zone in which it was said."""
        if self.said_at is None:
            return None
        try:
            return self.said_at.astimezone(timezone(timedelta(minutes=self.said_offset or 0)))
        except (ValueError, OverflowError):
            return self.said_at.astimezone(UTC)
