"""When facts show that a relation has one value at a time."""

import pytest

from muniment.derivation.formulas.relation_cardinality import has_one_value


@pytest.mark.parametrize(
    ("replaced", "beside", "before", "expected"),
    [
        (0, 0, False, False),
        (2, 0, False, False),
        (3, 0, False, True),
        (9, 1, False, False),  # one counter-example is enough not to begin
        (0, 1, True, True),  # but not to give it up
        (9, 2, True, False),
    ],
)
def test_replacements_make_one_value_and_values_beside_each_other_many(
    replaced: int, beside: int, before: bool, expected: bool
) -> None:
    assert has_one_value(replaced, beside, before=before) is expected
