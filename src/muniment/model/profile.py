"""Retrieval profiles as they are shown and changed."""

import re
from datetime import datetime
from typing import Any, Final

from pydantic import BaseModel, Field

from muniment.errors import MunimentError
from muniment.model.namespace import Name
from muniment.model.refusals import Closed

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
NAMING: Final = "a profile's name starts with a letter or digit and has up to 64 of them, or of . - and _"


def can_name_profile(name: str) -> bool:
    """Whether a profile can have this name; it is then also a part of a path."""
    return _NAME.fullmatch(name) is not None


def admit_profile_name(name: str) -> None:
    """Raises ``input.invalid`` for a name that no profile can have."""
    if not can_name_profile(name):
        raise MunimentError("input.invalid", NAMING, field="name")


class ProfileChange(Closed):
    """A tenant's profile: a built-in one, and what differs from it, nested as ``parameters`` of a profile are.

    Without ``base`` it is the built-in one of the profile's own name, or ``default`` where there is none.
    """

    base: Name | None = None
    changes: dict[str, Any] = Field(default_factory=dict)


class RetrievalProfile(BaseModel):
    """A profile as it is in force for a tenant. ``base`` and ``changes`` are None and empty for a built-in one.

    One that this version cannot rank by, such as one that weighs a route that is gone, is ``unusable``: that says why.
    Its ``parameters`` are empty, and searches that name it are refused with ``profile.unusable``.

    ``digest`` is SHA-256 over all parameters; query runs refer to the profile by name, version and digest.
    """

    name: str
    version: int
    base: str | None
    changes: dict[str, Any]
    parameters: dict[str, Any]
    digest: str
    created_at: datetime | None = None
    unusable: str | None = None


class RetrievalProfileList(BaseModel):
    """All that a tenant may name, by name."""

    profiles: list[RetrievalProfile]
