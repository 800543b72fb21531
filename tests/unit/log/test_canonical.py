"""Canonical JSON: what is written the fast way is what RFC 8785 says."""

import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from muniment.log.leaves import canonical

_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
_scalars = _text | st.booleans() | st.none() | st.integers(-(2**53) + 1, 2**53 - 1)
_scalars |= st.floats(allow_nan=False, allow_infinity=False)
_values = st.recursive(
    _scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_text, inner, max_size=4), max_leaves=12
)


@given(_values)
def test_any_json_value_has_one_form(value: object) -> None:
    assert canonical(value) == rfc8785.dumps(value)  # type: ignore[arg-type]


def test_every_character_is_written_as_the_standard_writes_it() -> None:
    characters = "".join(map(chr, [*range(0x300), 0x2028, 0x2029, 0xFEFF, 0xFFFF, 0x1F600]))
    assert canonical([characters, {'"\\\n': characters}]) == rfc8785.dumps([characters, {'"\\\n': characters}])


def test_keys_stand_in_the_order_of_their_utf_16() -> None:
    assert canonical({"\ufb33": 1, "\U0001f600": 2}) == '{"\U0001f600":2,"\ufb33":1}'.encode()
