"""Which participants a question names, and the text that is embedded without them."""

import pytest

from muniment.retrieval.participants import in_first_person, speakers_named, without_names


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("When did Caroline go there?", {"Caroline"}),
        ("when did caroline go there?", {"Caroline"}),
        ("What is Caroline's dog called?", {"Caroline"}),
        ("Did Carolines go?", set()),
        ("What did Ann Lee say?", {"Ann Lee"}),
        ("What did Lee say?", {"Ann Lee"}),
        ("Will it rain in May?", set()),
        ("Did Will come, and May too?", {"Will", "May"}),
        ("What happened on May 5?", set()),
        ("What does the user want?", set()),
    ],
)
def test_a_participant_is_named_by_a_whole_word_that_means_them(question: str, named: set[str]) -> None:
    speakers = ["Caroline", "Ann Lee", "Will", "May", "user"]
    assert set(speakers_named(question, speakers)) == named


def test_names_and_their_possessives_are_not_embedded() -> None:
    question = "What is Caroline's dog called, according to Caroline?"
    named = speakers_named(question, ["Caroline"])
    assert without_names(question, named.values()) == "What is dog called, according to ?"
    assert without_names("What did Ann\u2019s cat do?", ["Ann"]) == "What did cat do?"


def test_a_question_of_nothing_but_names_is_embedded_as_it_is() -> None:
    assert without_names("Caroline?", ["Caroline"]) == "Caroline?"


def test_a_name_with_metacharacters_is_taken_literally() -> None:
    assert without_names("Who is A.*b here?", ["A.*b"]) == "Who is here?"


@pytest.mark.parametrize(("question", "said"), [("What did I eat?", True), ("Where is it?", False), ("OUR plan", True)])
def test_the_first_person_is_heard(question: str, said: bool) -> None:
    assert in_first_person(question) is said


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("Who visits on 12 May?", set()),
        ("Who visits on the 12th May?", set()),
        ("Who visits in May?", set()),
        ("What did May say on 12 May?", {"May"}),
        ("Rose and Will, who has a dog?", {"Rose", "Will"}),
        ("ROSE'S DOG", {"Rose"}),
        ("May's sister lives where?", {"May"}),
        ("Rose has a dog?", {"Rose"}),
        ("Will it rain?", set()),
        ("May I come?", set()),
        ("Will is what kind of man?", set()),
    ],
)
def test_names_that_are_ordinary_words_are_told_by_what_stands_beside_them(question: str, named: set[str]) -> None:
    assert set(speakers_named(question, ["Rose", "Will", "May"])) == named
