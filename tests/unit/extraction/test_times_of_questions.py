"""The times of questions, in whichever language they are asked; what looks like one and is not read is told."""

from datetime import UTC, datetime

import pytest

from muniment.extraction.time import questions
from muniment.extraction.time.expressions import intervals_in
from muniment.extraction.time.questions import asks_only_of_time, question_times
from muniment.extraction.time.spans import TimeSpan
from muniment.extraction.time.unread import unread_time

FRIDAY = datetime(2023, 6, 9, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("question", "first", "text"),
    [
        ("Was haben wir letzten Freitag beschlossen?", "2023-06-02", "letzten Freitag"),
        ("Wer war letzte Woche im Büro?", "2023-05-29", "letzte Woche"),
        ("Was geschah vor zwei Wochen?", "2023-05-22", "vor zwei Wochen"),
        ("Wo waren wir im Sommer?", "2023-06-01", "Sommer"),
        ("Wer kam am 9. Juni 2023?", "2023-06-09", "9. Juni 2023"),
        ("letzten Freitag", "2023-06-02", "letzten Freitag"),
        ("Qui est venu la semaine dernière ?", "2023-05-29", "semaine dernière"),
        ("¿Quién vino el viernes pasado?", "2023-06-02", "viernes pasado"),
        ("Who came last Friday?", "2023-06-02", "last Friday"),
        ("What was decided in H1 2026?", "2026-01-01", "H1 2026"),
    ],
)
def test_a_question_is_read_in_its_own_language(question: str, first: str, text: str) -> None:
    (span,) = question_times(question, FRIDAY, "english")
    assert (span.start.date().isoformat(), span.text) == (first, text)
    assert unread_time(question, [span]) is None


@pytest.mark.parametrize("question", ["What is in the hier folder?", "Who is the viernes owner of the demain file?"])
def test_an_english_question_is_not_read_in_another_language(question: str) -> None:
    assert question_times(question, FRIDAY, "english") == []


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What did we decide last sprint?", "last sprint"),
        ("Who came two weeks after the wedding?", "two weeks after the wedding"),
        ("What happened on 30 February 2023?", "30 February 2023"),
        ("What was signed on 31.02.2023?", "31.02.2023"),
        ("What was the plan for FY26?", "FY26"),
        ("Who visited us at Easter?", "Easter"),
        ("What was shipped in week 60?", "week 60"),
        ("Chi è venuto venerdì scorso?", "venerdì"),
    ],
)
def test_what_looks_like_a_time_and_is_not_read_is_told(question: str, told: str) -> None:
    assert unread_time(question, question_times(question, FRIDAY, "english")) == told


@pytest.mark.parametrize(
    "question",
    [
        "Who leads Atlas?",
        "How many weeks did it take?",
        "In which week was it?",
        "May I come in?",
        "What is version 1.2.3?",
        "When did Ann move?",
        "What happened in May 2023?",
        "How long does a sprint last?",
        "Where does May live?",
        "What does Ann do in her free time?",
        "Which year was the best of Ann's life?",
    ],
)
def test_a_question_without_a_time_says_nothing_of_one(question: str) -> None:
    assert unread_time(question, question_times(question, FRIDAY, "english")) is None


@pytest.mark.parametrize(
    ("question", "only"),
    [
        ("What happened on 18 May 2026?", True),
        ("What did we do yesterday?", True),
        ("Was ist am 18. Mai 2026 passiert?", True),
        ("Que s'est-il passé hier ?", True),
        ("¿Qué pasó ayer?", True),
        ("18 May 2026", True),
        ("What did we lose in May 2023?", False),
        ("Where was Rose on 12 April 2026?", False),
        ("What happened to the barn on 18 May 2026?", False),
        ("What happened?", False),
    ],
)
def test_a_question_of_nothing_but_a_time_is_told_from_one_about_something(question: str, only: bool) -> None:
    asked = datetime(2026, 6, 3, 8, tzinfo=UTC)
    assert asks_only_of_time(question, question_times(question, asked, "english")) is only


def test_a_long_question_is_read_once_in_the_language_that_its_words_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    """In each language that a short one may be in: ten thousand numbers held the server for seconds."""
    read: list[str] = []

    def noted(text: str, at: datetime, language: str) -> list[TimeSpan]:
        read.append(language)
        return intervals_in(text, at, language)

    monkeypatch.setattr(questions, "intervals_in", noted)
    story = "Wir haben das Dach repariert, und es war nicht so schwer. " * 20
    (span,) = question_times(story + "Was haben wir letzte Woche gemacht?", FRIDAY, "english")
    assert (span.text, read) == ("letzte Woche", ["german"])
    read.clear()
    question_times("letzte Woche", FRIDAY, "english")
    assert len(read) > 1
