"""Sensitive content is found as a reader sees it, and masked where it stands."""

from hypothesis import given
from hypothesis import strategies as st

from muniment.providers.plain_form import plain_form
from muniment.providers.sensitive import SensitiveFinder

FINDER = SensitiveFinder(["payment_card", "email"])


def test_full_width_digits_and_characters_without_width_hide_nothing() -> None:
    wide = "４１１１ １１１１ １１１１ １１１１"  # noqa: RUF001
    assert FINDER.masked(f"Card {wide}, please.")[0] == "Card [payment_card], please."
    assert FINDER.masked("Write to ana@exam\u200bple.org soon.")[0] == "Write to [email] soon."
    assert FINDER.masked("4111\u20111111\u20111111\u20111111")[0] == "[payment_card]"
    assert FINDER.masked("Grüße an Zoë: ana@example.org")[0] == "Grüße an Zoë: [email]"


@given(st.text())
def test_each_plain_character_knows_the_one_that_it_stands_for(text: str) -> None:
    plain, places = plain_form(text)
    assert len(places) == len(plain) + 1 and places[-1] == len(text)
    assert list(places) == sorted(set(places)) or not text
    assert all(
        character == text[place]
        for character, place in zip(plain, places, strict=False)
        if character.isascii() and text[place].isascii()
    )
