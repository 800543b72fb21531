"""The verb by which a question asks what somebody said is told from the same word as a noun."""

import pytest

from muniment.retrieval.answer.saying import is_own_verb, own_verb

SAYING = (
    ("What did Anna say about the roof?", "say"),
    ("What did May say?", "say"),
    ("Who told Tom?", "told"),
    ("Has Will mentioned the boat?", "mentioned"),
    ("What did they talk about?", "talk"),
    ("What does the report say?", "say"),
    ("So what has she told you about it?", "told"),
    ("Was hat Anna über das Dach gesagt?", "gesagt"),
    ("Qu'a dit Anna du toit ?", "dit"),
    ("¿Qué dijo Ana del techo?", "dijo"),
)
NOT_SAYING = (
    "What colour is the state flag?", "When does the report arrive?", "Which state is it?", "Who wrote Hamlet?",
    "Where did they talk?", "They say the roof is old", "What is the state of it?", "Was ist das?", "Who leads Atlas?",
    "",
    "What is the talk of the town?",
)  # fmt: skip


@pytest.mark.parametrize(("question", "verb"), SAYING)
def test_the_verb_of_saying_is_the_questions_own(question: str, verb: str) -> None:
    assert own_verb(question) == verb


@pytest.mark.parametrize("question", NOT_SAYING)
def test_a_noun_or_another_verb_is_none(question: str) -> None:
    assert own_verb(question) is None


@pytest.mark.parametrize("start", ["what did I ", "was hat ", "que ", "who "])
def test_a_long_question_costs_no_time(start: str) -> None:
    assert own_verb(start + "a'b-c " * 10_000) is None


def test_a_term_is_the_verb_as_a_word_and_as_its_stem() -> None:
    assert all(is_own_verb(term, "mentioned") for term in ("mentioned", "~mention"))
    assert all(is_own_verb(term, "erzählt") for term in ("erzählt", "erzahlt", "~erzahl"))
    assert not any(is_own_verb(term, "say") for term in ("saying", "~roof", "~s", "sayer"))
