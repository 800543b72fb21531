"""Which sentences a quoted answer has: what answers, and no other that only shares a word with the question."""

from uuid import UUID

from muniment.retrieval.answer.extractive import Quotation, choose
from muniment.retrieval.parameters import AnswerParameters
from muniment.retrieval.state import Candidate, Evidence

_WEIGHTS = {"atlas": 3.0, "launch": 2.0, "budget": 2.0, "harbour": 2.0}


def _quoted(sentence: str, number: int, group: str, position: int = 0, speaker: str | None = None) -> Quotation:
    evidence = Evidence(
        candidate=Candidate(number, number, 1.0, 1.0), record_id=UUID(int=number), text=sentence, locator={},
        source_id=UUID(int=number), source_key=group, source_version=1, group_key=group, position=position,
        speaker=speaker, role=None, at=None, metadata={},
    )  # fmt: skip
    terms = frozenset(term for term in _WEIGHTS if term in sentence.casefold())
    return Quotation(evidence, sentence, terms, 1.0 - number / 10)


def _chosen(*others: Quotation, named: frozenset[str] = frozenset()) -> list[str]:
    first = _quoted("The launch of Atlas is led by Liam Vance.", 0, "plan", speaker="Ines")
    chosen = choose([first, *others], _WEIGHTS, AnswerParameters(), named)
    assert chosen[0] == first
    return [quotation.sentence for quotation in chosen[1:]]


def test_a_sentence_that_only_shares_a_word_with_the_question_is_not_quoted() -> None:
    assert _chosen(_quoted("The harbour is deep.", 1, "ports"), _quoted("A budget was planned there.", 2, "town")) == []


def test_a_sentence_that_goes_on_with_the_subject_is_quoted() -> None:
    for further in (
        _quoted("Atlas has a budget of 9 million.", 1, "money"),  # the word that weighs most in the first
        _quoted("Its budget is 9 million.", 1, "plan", position=1),  # beside it
        _quoted("The budget was signed by Liam Vance.", 1, "money"),  # a name of the first
    ):
        assert _chosen(further) == [further.sentence]


def test_what_the_person_asked_about_says_elsewhere_is_quoted() -> None:
    further = _quoted("I set the budget.", 1, "chat", speaker="Ines")
    assert _chosen(further, named=frozenset({"Ines"})) == [further.sentence]
    assert _chosen(further) == []


def test_a_sentence_that_adds_too_little_of_the_question_is_not_quoted() -> None:
    assert _chosen(_quoted("Atlas is named after a mountain.", 1, "plan")) == []
