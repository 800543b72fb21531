"""Cutting a record into sentences that can be quoted."""

from hypothesis import given, settings
from hypothesis import strategies as st

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
