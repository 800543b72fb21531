"""The confidence of a claim, against values worked out by hand."""

import pytest

from muniment.derivation.formulas.claim_confidence import claim_confidence


@pytest.mark.parametrize(
    ("facts", "groups", "age", "contested", "expected"),
    [
        (1.0, 4, 0.0, False, 1.0),
        (0.9, 1, 0.0, False, 0.755737),  # 0.405 + 0.35 ln 2 / ln 5 + 0.20
        (0.9, 1, 90.0, False, 0.655737),  # half of the recency is gone
        (0.9, 1, 180.0, False, 0.605737),
        (0.9, 1, 0.0, True, 0.544131),
        (0.5, 0, 0.0, False, 0.425),
        (0.8, 9, 0.0, False, 0.91),  # no more than four groups count
        (0.8, 4, -30.0, False, 0.91),  # what is dated tomorrow is as of now
    ],
)
def test_confidence_is_the_formulas(facts: float, groups: int, age: float, contested: bool, expected: float) -> None:
    assert claim_confidence(facts, groups, age, contested=contested) == pytest.approx(expected, abs=1e-6)
