"""Times may be given as they are written; what is none is refused by the name of its field."""

from datetime import UTC, datetime

import pytest

from muniment.errors import MunimentError
from muniment.memory.asking import claim_asked, claims_asked, summaries_asked

_ASKED = {"subject": None, "relation": None, "status": None, "known_at": None, "asked_at": None}


def test_a_written_time_is_a_time() -> None:
    assert claims_asked(**_ASKED, as_of="2023-02-10T00:00:00Z")["as_of"] == datetime(2023, 2, 10, tzinfo=UTC)
    assert claim_asked(known_at=3, asked_at="2023-02-10T00:00:00Z")["asked_at"] == datetime(2023, 2, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("as_of", "some day", "input.time_invalid"),
        ("status", ["OPEN"], "input.invalid"),
        ("known_at", "first", "input.invalid"),
        ("known_at", "3", "input.invalid"),
        ("as_of", 1700000000, "input.time_invalid"),
    ],
)
def test_what_is_none_is_refused(field: str, value: object, code: str) -> None:
    with pytest.raises(MunimentError) as caught:
        claims_asked(**{**_ASKED, "as_of": None, field: value})
    assert caught.value.code == code and str(caught.value.facts["field"]).startswith(field)


@pytest.mark.parametrize("field", ["as_of", "asked_at"])
def test_a_time_without_a_zone_is_refused_with_how_to_write_it(field: str) -> None:
    with pytest.raises(MunimentError, match="write 2026-11-29T12:00:00Z") as caught:
        claims_asked(**{**_ASKED, "as_of": None, field: "2024-02-01"})
    assert caught.value.code == "input.time_without_zone"


def test_a_kind_of_summaries_that_is_not_there_is_refused() -> None:
    with pytest.raises(MunimentError) as caught:
        summaries_asked(kind="story", group_id=None, entity=None, known_at=None, asked_at=None)
    assert caught.value.facts["field"] == "kind"
