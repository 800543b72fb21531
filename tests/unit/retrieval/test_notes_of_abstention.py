"""A note that says why nothing is answered never shows a value as large as the bound that it is below."""

import pytest

from muniment.retrieval.answer.abstention import shown_below


@pytest.mark.parametrize(("value", "shown"), [(0.99996, "0.999"), (0.4, "0.400"), (-0.7504, "-0.751")])
def test_a_value_below_a_bound_is_rounded_down(value: float, shown: str) -> None:
    assert shown_below(value) == shown
