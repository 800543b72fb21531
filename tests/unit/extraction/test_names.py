"""Names and identifiers are found by rule; a wrong one would make a wrong edge, so few are made up."""

import re
from time import process_time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from muniment.extraction import names
from muniment.extraction.names import MAX_NAMES, common_words, names_in


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Caroline's sister met Melanie.", ["caroline", "melanie"]),
        ("Hey Melanie! Thanks, Caroline.", ["melanie", "caroline"]),
        ("We moved to San Francisco, then New York.", ["san francisco", "new york"]),
        ("The Golden Gate Bridge is closed.", ["golden gate bridge"]),
        ("See the Lord of the Rings and Ludwig van Beethoven's piano.", ["lord of the rings", "ludwig van beethoven"]),
        ("I asked Dr. Smith and J. R. Tolkien.", ["smith", "j r tolkien"]),
        ("Amara  Osei\tand O'Brien-Smith agreed.", ["amara osei", "o'brien-smith"]),
        ("NASA told us.", ["nasa"]),
        ("We order every part of the turnstiles of both piers from Lindqvist\nMarine now.", ["lindqvist marine"]),
        ("We asked Maya\nOliver\n1. Buy it.", ["maya", "oliver"]),
        ("Иван видел Москву.", ["москву"]),
    ],
)  # fmt: skip
def test_capitalised_words_are_names(text: str, names: list[str]) -> None:
    assert names_in(text) == names


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Yes. However, it rained. Painting helps. Thanks! I'm sure. Don't worry.",
        "On Monday in March I will go.",
        "I LOVE THIS SO MUCH",
        "Woohoooo! Awwww.",
        "My Mom asked the Manager.",
        "- Buy milk\n- Call home\n# Overview\n> Really\n| Name | Value |",
        '"Hello there!" she said. "Yes" and "no way".',
        "either and/or both his/her 24/7 3.5 1.5kg 12.05.2023 e.g. i.e. well-known re-read a_ _b",
        "Der Hund läuft im Garten mit dem Ball und die Katze schläft auf dem Sofa.",
        "港湾事務所は百年分の潮位表を戸棚に保管している。",
    ],
)
def test_common_words_are_no_names(text: str) -> None:
    assert names_in(text) == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("mail Maya.Lee@Example.com now", "maya.lee@example.com"),
        ("see https://user@www.GitHub.com:443/a/b?x#y.", "github.com"),
        ("call `read_source()` first", "read_source"),
        ("a getUserById call", "getuserbyid"),
        ("got ERR_CONN_RESET again", "err_conn_reset"),
        ("error GATE-417: stale", "gate-417"),
        ("fixes CVE-2024-3094.", "cve-2024-3094"),
        ("release v1.2.3-rc.1 is out", "v1.2.3-rc.1"),
        ("in (src/muniment/app.py)", "src/muniment/app.py"),
        ("under /etc/postgresql/18", "/etc/postgresql/18"),
        (r"at C:\Temp\log.txt", r"c:\temp\log.txt"),
        ("the README.md says", "readme.md"),
        ("commit 3f2a91bc broke it", "3f2a91bc"),
        ("id 0191e4a1-1111-7222-8333-444455556666", "0191e4a1-1111-7222-8333-444455556666"),
        ("エラー ERR_X が出た", "err_x"),
        ("read “Becoming Nicole” twice", "becoming nicole"),
        ('read "The Alchemist", then slept', "alchemist"),
    ],
)
def test_identifiers_and_quoted_titles_are_names(text: str, name: str) -> None:
    assert names_in(text) == [name]


def test_the_same_name_in_other_clothes_is_one_name() -> None:
    assert names_in("PostgreSQL, postgreSQL's, **PostgreSQL** and (PostgreSQL)") == ["postgresql"]


def test_at_most_sixteen_names_stay_those_said_oftenest() -> None:
    text = ", ".join(f"x_{number}" for number in range(40)) + ", x_39"
    assert names_in(text) == [f"x_{number}" for number in range(15)] + ["x_39"]


@settings(deadline=None, max_examples=120)
@given(
    st.one_of(
        st.text(), st.lists(st.sampled_from(["The ", "Maya", "'s ", ". ", '"', "“", "a_b ", "of ", "\n"])).map("".join)
    )
)
def test_names_are_normalised_and_stand_in_the_text(text: str) -> None:
    names = names_in(text)
    assert len(names) == len(set(names)) <= MAX_NAMES
    folded = "".join(text.casefold().split())
    for name in names:
        assert name == " ".join(name.casefold().split()) != ""
        if text.isascii() and "." not in text:
            assert name.replace(" ", "") in folded


@pytest.mark.parametrize(
    "unit", ["Aa ", "a", '"', "“A ", "A.b-", "a_", "a/", "a@", "A of ", "(A", '"A b" ', "A'", "....A", "https://"]
)
def test_time_is_linear_in_the_text(unit: str) -> None:
    names_in("warm")
    small, large = unit * (2**14 // len(unit)), unit * (2**17 // len(unit))
    # 8 times the text; a quadratic rule takes 64 times as long, also where the machine is busy and it is tried again
    assert any(timed(large) < 40 * timed(small) + 0.2 for _ in range(3))


def timed(text: str) -> float:
    start = process_time()
    names_in(text)
    return process_time() - start


def test_the_words_are_folded_and_of_a_known_kind() -> None:
    words = common_words()
    assert set(words.values()) == {"always", "opening", "alone"}
    assert all(word == word.casefold() for word in words)


_PARTS = [
    "Maya",
    "Oliver",
    "Bank",
    "of",
    "the",
    "de",
    "und",
    "der",
    "nicht",
    "walks",
    "a",
    "src/app.py",
    "I",
    "Dr.",
    "x9",
]
_BREAKS = [" ", " ", " ", "  ", "\n", ", ", ". ", " (", '"', ' "', "! ", "\t", ""]


@example([("Bank", '" '), ("of", " "), ("the", " "), ("Maya", " ")])
@example([("Bank", ' "'), ("of", " "), ("the", " "), ("Maya", " ")])
@given(st.lists(st.tuples(st.sampled_from(_PARTS), st.sampled_from(_BREAKS))))
@settings(deadline=None, max_examples=300)
def test_passing_over_small_words_together_changes_no_name(parts: list[tuple[str, str]]) -> None:
    text = "".join(part + between for part, between in parts)
    found = names_in(text)
    whole = names._TOKEN
    names._TOKEN = re.compile(whole.pattern.removeprefix("(?:[a-z]++ )+|"))
    try:
        assert names._TOKEN.pattern != whole.pattern
        assert names_in(text) == found
    finally:
        names._TOKEN = whole
