"""Subjects: what a piece of a document is about, and what a text may name."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.extraction.subjects import named_in, normalised, subjects_of


@pytest.mark.parametrize(
    ("text", "fields", "position", "expected"),
    [
        ("Born in 1970.", {"title": "Palash Sen (singer)"}, 0, ["palash sen"]),
        ("Born in 1970.", {"title": "Palash Sen"}, 3, []),
        ("He toured.", {"title": "Palash Sen", "section": "Career > Tours"}, 3, ["tours"]),
        ("The boat\nLaunched in 2019.", {}, 0, ["the boat"]),
        ("Launched in 2019.\nIt sank.", {}, 0, []),
        ("A line alone", {}, 0, []),
        ("IBM\nAn old firm.", {}, 0, ["ibm"]),
        ("Q\nA letter.", {}, 0, []),
    ],
)
def test_the_subjects_of_a_chunk(text: str, fields: dict[str, str], position: int, expected: list[str]) -> None:
    assert subjects_of(text, fields, position) == expected


def test_a_title_of_brackets_alone_keeps_its_words() -> None:
    assert normalised("(Untitled)") == "untitled"


@given(st.lists(st.text("abcxyz", min_size=3, max_size=8), min_size=1, max_size=8), st.text(max_size=40))
@settings(deadline=None, max_examples=60)
def test_a_text_that_holds_a_title_names_its_subject(words: list[str], before: str) -> None:
    title = " ".join(words)
    assert normalised(title) in set(named_in(f"{before} {title}. And more."))


@given(st.text(max_size=400))
@settings(deadline=None, max_examples=60)
def test_no_text_breaks_the_reading(text: str) -> None:
    assert all(len(run) >= 3 for run in named_in(text))
    assert all(subject == subject.casefold() for subject in subjects_of(text, {}, 0))
