"""Cursors: what a list gave is read back, anything else is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.errors import MunimentError
from muniment.model.cursors import read_cursor, write_cursor


@given(st.integers(0, 2**63 - 1))
def test_a_cursor_comes_back(place: int) -> None:
    assert read_cursor(write_cursor(place), default=-1) == place


def test_without_a_cursor_a_list_starts_at_its_default() -> None:
    assert read_cursor(None, default=-1) == -1


@pytest.mark.parametrize(
    "cursor", ["", "1", "x", "MQ", "MTo", "MTotMQ", "Mjo1", "%00", "é", "MTo5OTk5OTk5OTk5OTk5OTk5OTk5OQ"]
)
def test_anything_else_is_refused(cursor: str) -> None:
    with pytest.raises(MunimentError) as refused:
        read_cursor(cursor, default=0)
    assert refused.value.code == "input.invalid"
