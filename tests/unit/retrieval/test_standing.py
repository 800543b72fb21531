"""How a fact stands, in words: whatever of its times is known."""

from datetime import UTC, datetime
from typing import Any

import pytest

from muniment.retrieval.standing import standing

AT = datetime(2026, 12, 1, tzinfo=UTC)
PAST, FUTURE = datetime(2025, 3, 1, tzinfo=UTC), datetime(2099, 12, 31, tzinfo=UTC)


@pytest.mark.parametrize(
    ("begin", "end", "basis", "told"),
    [
        (None, None, "unknown", ""),
        (None, FUTURE, "unknown", "until 2099-12-31"),
        (None, FUTURE, "event", "until 2099-12-30"),
        (PAST, None, "event", "since 2025-03-01"),
        (PAST, FUTURE, "event", "since 2025-03-01, until 2099-12-30"),
        (PAST, PAST.replace(day=2), "event", "on 2025-03-01"),
        (PAST, None, "said", "said 2025-03-01"),
        (FUTURE, None, "event", "since 2099-12-31"),
    ],
)
def test_whatever_is_known_of_its_times_is_told(
    begin: datetime | None, end: datetime | None, basis: str, told: str
) -> None:
    row: dict[str, Any] = {"valid_from": begin, "valid_to": end, "basis": basis, "said_offset": None}
    assert standing(row | {"ended": False, "intended": False, "contested": False}, AT) == told
