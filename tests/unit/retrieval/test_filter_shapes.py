"""What filters may be, before any record is looked at."""

import pytest
from pydantic import ValidationError

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
