"""What filters may be, before any record is looked at."""

import pytest
from pydantic import ValidationError

from muniment.errors import MunimentError
from muniment.model.filters import Condition, Filters


@pytest.mark.parametrize("bound", ["gt", "gte", "lt", "lte"])
def test_a_bound_is_no_boolean(bound: str) -> None:
    with pytest.raises(ValidationError, match="a bound is a number or a text"):
        Condition.model_validate({bound: True})


def test_metadata_are_described_as_an_object() -> None:
    assert Filters.model_json_schema()["properties"]["metadata"]["type"] == "object"


def test_more_conditions_than_the_limit_are_refused() -> None:
    with pytest.raises(ValidationError):
        Filters.model_validate({"metadata": {f"k{n}": n for n in range(33)}})


@pytest.mark.parametrize(
    "bounds", [{"gte": "a", "lte": 3}, {"gte": 5, "lte": 3}, {"gt": 3, "lte": 3}, {"gte": "b", "lt": "b"}]
)
def test_bounds_between_which_nothing_can_lie_are_refused(bounds: dict[str, object]) -> None:
    for shape in (Condition.model_validate, lambda given: Filters.model_validate({"metadata": {"floor": given}})):
        with pytest.raises(MunimentError) as refused:
            shape(bounds)
        assert refused.value.code == "input.invalid"


@pytest.mark.parametrize("bounds", [{"gte": 3, "lte": 3}, {"gt": 1, "lt": 1.5}, {"gte": "2026-01-01", "lt": "2026-02"}])
def test_bounds_with_room_between_them_hold(bounds: dict[str, object]) -> None:
    assert Condition.model_validate(bounds).model_dump(exclude_none=True) == bounds
