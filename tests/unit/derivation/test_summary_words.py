"""The words that a summary's title tells: never pieces of what stands in an address, a number or a key."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.derivation.summaries.words import keywords

LETTERS = st.text(alphabet="abcdefghijklmnopqrstuvwxyz", min_size=3, max_size=12)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Write to kate.blum@example.org about the **ferry**, Tom's `harbour`.", "write ferry tom harbour"),
        ("mailto:kate@blum.example <kate@blum.example> ferry", "ferry"),
        ("GB82 WEST 1234 5698 7654 32 is the account of the ferry", "account ferry"),
        ("GB82\u00a0WEST\u00a01234\u00a05698\n7654 32 is the account", "account"),
        ("see https://kate.example/blum?x=sea or /home/kate/letters.txt", ""),
        ("token ghp_abcDEFghijklmnop, key AKIAIOSFODNN7EXAMPLE, wallet 1A1zP1eP5QGefi2DMPTfTL5SL", "token key wallet"),
        ("Straße nach Köln: die Brücke, l'église", "strasse nach köln die brücke l'église"),
        ("港は青い。犬がいる", "港は青い 犬がいる"),
    ],
)  # fmt: skip
def test_words_stand_alone(text: str, expected: str) -> None:
    assert keywords([text], 20) == expected.split()


@given(LETTERS, LETTERS, LETTERS)
def test_no_piece_of_an_address_is_a_word(name: str, family: str, host: str) -> None:
    address = f"{name}.{family}@{host}.example"
    for text in (f"ask {address}", f"ask <{address}>, please", f"ask ({address}): now", f"ask {address}."):
        assert not {name, family, host} & set(keywords([text], 20)) - {"ask", "please"}
