"""Quotas and usage as they are shown: what a tenant may use, what it uses now, and what it used on each day."""

from datetime import date
from typing import Final, TypedDict

from pydantic import BaseModel, Field

from muniment.model.refusals import Closed

LIMITS: Final = ("records", "bytes", "requests_per_minute", "concurrent_searches", "model_tokens_per_day")
_Limit = int | None
_MOST: Final = 2**53 - 1  # what JSON numbers hold exactly everywhere


class QuotaChange(Closed):
    """All limits of a tenant: null for the default of the server's settings, 0 for as much as it likes."""

    records: _Limit = Field(None, ge=0, le=_MOST)
    bytes: _Limit = Field(None, ge=0, le=_MOST)
    requests_per_minute: _Limit = Field(None, ge=0, le=1_000_000)
    concurrent_searches: _Limit = Field(None, ge=0, le=1_000_000)
    model_tokens_per_day: _Limit = Field(None, ge=0, le=_MOST)


class QuotaLimits(TypedDict, total=False):
    """The limits of a ``QuotaChange``, to be named one by one."""

    records: int | None
    bytes: int | None
    requests_per_minute: int | None
    concurrent_searches: int | None
    model_tokens_per_day: int | None


class Allowance(BaseModel):
    """One limit: how much is in use, the ``limit`` in force (null: none), and whether it is the server's default."""

    used: int
    limit: int | None
    default: bool


class Quota(BaseModel):
    """What a tenant may use, and what it uses now.

    Records and bytes are those in the store; requests those of the last minute that its bucket lacks; searches those at
    work in all processes; model tokens those of the day so far, in UTC.
    """

    records: Allowance
    bytes: Allowance
    requests_per_minute: Allowance
    concurrent_searches: Allowance
    model_tokens_per_day: Allowance


class UsageDay(BaseModel):
    """What a tenant used on one day, in UTC. ``cost`` is by the prices of the server's settings, null without any."""

    day: date
    records: int
    records_erased: int
    bytes: int
    bytes_erased: int
    requests: int
    refused: int
    searches: int
    prompt_tokens: int
    completion_tokens: int
    cost: float | None = None


class Usage(BaseModel):
    """The days on which something was used, the latest first."""

    days: list[UsageDay]
