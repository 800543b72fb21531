"""Cutting a record into sentences that can be quoted."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.extraction.sentences import sentences_of
from muniment.retrieval.answer.sentences import sentences


def test_a_text_is_cut_at_sentence_ends_and_lines() -> None:
    text = 'It works. "Really!" she said.\nNext line\n\n- a point'
    assert sentences(text) == ["It works.", '"Really!"', "she said.", "Next line", "- a point"]


def test_versions_numbers_and_abbreviations_are_not_cut() -> None:
    text = "Dr. Lee shipped v1.2.3 at 3.14 p.m. sharp, e.g. to J. Doe. Done."
    assert sentences(text)[-1] == "Done."
    assert sentences("Dr. Lee came. He left.") == ["Dr. Lee came.", "He left."]


def test_cjk_sentences_need_no_blank() -> None:
    assert sentences("\u4eca\u65e5\u306f\u3002\u660e\u65e5\u306f\u3002") == [
        "\u4eca\u65e5\u306f\u3002",
        "\u660e\u65e5\u306f\u3002",
    ]


def test_a_very_long_sentence_is_cut_at_blanks() -> None:
    parts = sentences("word " * 500)
    assert all(len(part) <= 600 for part in parts)
    assert " ".join(parts) == ("word " * 500).strip()


@given(st.text(max_size=300))
@settings(deadline=None, max_examples=100)
def test_each_sentence_stands_in_the_text_word_for_word_and_no_word_is_lost(text: str) -> None:
    parts = sentences(text)
    assert all(part and part in text for part in parts)
    assert "".join("".join(parts).split()) == "".join(text.split())


@pytest.mark.parametrize(
    "text",
    [
        "Der Umzug wurde auf den 24. März 2026 verschoben.",
        "Der Vertrag beginnt am 3. (Februar 2027) in Köln.",
        "Sie wohnt im 4. Stock links.",
        "Wir sehen uns am 5. und 6. Mai in Bonn.",
        "Mødet er den 14. i Aarhus.",
        "Festen holdes den 14. juni hos Mette.",
        "Sie zog im 19. Jahrhundert um.",
        "Ihr 3. Kind heißt Nora.",
        "Zimmer Nr. 12 liegt, z. B. von hier, d. h. im Süden, bei Hr. Olsen.",
        "The talk is at 5 p.m. in room 12.",
        "The talk is at 9 a.m. on Monday, see fig. 3 by Prof. Lee.",
        "La réunion a lieu à l'av. Foch, cf. le plan.",
    ],
)
def test_ordinals_and_abbreviations_end_no_sentence_anywhere(text: str) -> None:
    assert sentences(text) == [text]
    assert [each.text for each in sentences_of(text)] == [text]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Wir sehen uns am 14. ", "Danach fahren wir heim."),
        ("The answer is 12. ", "Nora agreed."),
        ("She moved in 2023. ", "March was cold."),
        ("The talk is at 5 p.m. ", "Nora speaks."),
        ("Vi ses den 14. ", "Det bliver godt."),
        ("i live in berlin. ", "my sister is ana."),
        ("No. ", "She left."),
        ("So do I. ", "You know."),
        ("The blue car is Tom's. ", "The other is mine."),
        ("He said he would if he\N{RIGHT SINGLE QUOTATION MARK}d. ", "She did not."),
    ],
)
def test_a_number_or_an_abbreviation_before_a_new_sentence_ends_one(first: str, second: str) -> None:
    assert sentences(first + second) == [first.strip(), second]
    assert [each.text for each in sentences_of(first + second)] == [first.strip(), second]


def test_a_line_that_goes_on_with_a_date_is_no_list_item() -> None:
    assert sentences("Der Umzug wurde auf den\n24. März 2026 verschoben.") == [
        "Der Umzug wurde auf den\n24. März 2026 verschoben."
    ]
    assert sentences("Zu tun:\n1. Miete zahlen\n2. Umziehen") == ["Zu tun:", "1. Miete zahlen", "2. Umziehen"]
