"""What comes with a quoted sentence, so that its sense is not lost, and what does not."""

import pytest

from muniment.retrieval.answer.context_of_sentences import with_context
from muniment.retrieval.answer.sentences import sentences

LONG = "The committee met in the old hall and spoke for hours of roofs, of drains, of taxes and of the new bridge. " * 4


def shown(text: str, sentence: str) -> str:
    placed, after = [], 0
    for each in sentences(text):
        after = text.index(each, after)
        placed.append((after, each))
        after += len(each)
    quoted = with_context(text, sentence, text.index(sentence), placed)
    assert quoted in text and sentence in quoted
    return quoted


@pytest.mark.parametrize(
    ("sentence", "quoted"),
    [
        ("It took two days.", "I painted the roof. It took two days."),
        ("I painted the roof.", "I painted the roof."),
        ("Then the rain came.", "I painted the roof. It took two days. Then the rain came."),
        ("Nobody of us left.", "Nobody of us left."),
    ],
)
def test_a_sentence_comes_with_what_it_refers_to(sentence: str, quoted: str) -> None:
    turn = "I painted the roof. It took two days. Then the rain came. Nobody of us left."
    assert shown(turn, sentence) == quoted
    assert shown(f"{LONG}{turn} {LONG}".strip(), sentence) == quoted


def test_a_sentence_of_hardly_a_word_comes_with_what_follows() -> None:
    text = f"{LONG}Biscuit! The dog ate a whole shoe. {LONG}".strip()
    assert shown(text, "Biscuit!") == "Biscuit! The dog ate a whole shoe."


def test_nothing_comes_from_another_paragraph_a_table_or_beyond_a_bound() -> None:
    assert shown(f"{LONG}\n\nIt took two days.", "It took two days.") == "It took two days."
    assert shown("| a | b |\n|---|---|\n| It | c |", "| It | c |") == "| It | c |"
    endless = "It " + "is so and so " * 40 + "here."
    assert shown(f"{endless} It took two days.", "It took two days.") == "It took two days."
