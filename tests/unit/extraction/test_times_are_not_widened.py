"""No time of a question is read as more than it says: it is read whole, or it is told that it could not be read."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.extraction.time.questions import question_times
from muniment.extraction.time.unread import unread_time

ASKED = datetime(2024, 5, 15, 12, tzinfo=UTC)  # a Wednesday
READ = (  # the first day and the last
    ("May last year", "2023-05-01", "2023-05-31"),
    ("last year in May", "2023-05-01", "2023-05-31"),
    ("May 9 last year", "2023-05-09", "2023-05-09"),
    ("im Mai letzten Jahres", "2023-05-01", "2023-05-31"),
    ("letztes Jahr im Mai", "2023-05-01", "2023-05-31"),
    ("en mai de l'année dernière", "2023-05-01", "2023-05-31"),
    ("l'année dernière en mai", "2023-05-01", "2023-05-31"),
    ("mayo del año pasado", "2023-05-01", "2023-05-31"),
    ("el año pasado en mayo", "2023-05-01", "2023-05-31"),
    ("zwei Wochen vor dem 9. Juni 2023", "2023-05-26", "2023-05-26"),
    ("drei Tage nach dem 9. Juni 2023", "2023-06-12", "2023-06-12"),
    ("deux semaines avant le 9 juin 2023", "2023-05-26", "2023-05-26"),
    ("dos semanas antes del 9 de junio de 2023", "2023-05-26", "2023-05-26"),
    ("zwischen dem 3. und dem 9. Mai 2023", "2023-05-03", "2023-05-09"),
    ("vom 3. bis 9. Mai 2023", "2023-05-03", "2023-05-09"),
    ("entre le 3 et le 9 mai", "2024-05-03", "2024-05-09"),
    ("du 3 au 9 mai 2023", "2023-05-03", "2023-05-09"),
    ("entre el 3 y el 9 de mayo", "2024-05-03", "2024-05-09"),
    ("del 3 al 9 de mayo de 2023", "2023-05-03", "2023-05-09"),
    ("Anfang Mai 2024", "2024-05-01", "2024-05-10"),
    ("Ende Mai 2024", "2024-05-21", "2024-05-31"),
    ("début mai 2024", "2024-05-01", "2024-05-10"),
    ("fin mai 2024", "2024-05-21", "2024-05-31"),
    ("a principios de mayo de 2024", "2024-05-01", "2024-05-10"),
    ("el primero de mayo de 2023", "2023-05-01", "2023-05-01"),
    ("zu Weihnachten 2023", "2023-12-25", "2023-12-25"),
    ("an Silvester 2023", "2023-12-31", "2023-12-31"),
    ("3e trimestre 2026", "2026-07-01", "2026-09-30"),
    ("T3 de 2026", "2026-07-01", "2026-09-30"),
    ("T3 2026", "2026-07-01", "2026-09-30"),
    ("Q3/2026", "2026-07-01", "2026-09-30"),
    ("H2/2024", "2024-07-01", "2024-12-31"),
    ("the 23rd week of 2024", "2024-06-03", "2024-06-09"),
    ("23. Kalenderwoche 2024", "2024-06-03", "2024-06-09"),
    ("in der 10. KW", "2024-03-04", "2024-03-10"),
    ("el primer semestre de este año", "2024-01-01", "2024-06-30"),
    ("first half of May", "2024-05-01", "2024-05-15"),
    ("two Fridays ago", "2024-05-03", "2024-05-03"),
    ("a year and a half ago", "2022-11-01", "2022-11-30"),
    ("in zwei Wochen", "2024-05-27", "2024-06-02"),
    ("dans deux semaines", "2024-05-27", "2024-06-02"),
    ("dentro de dos semanas", "2024-05-27", "2024-06-02"),
    ("la semana que viene", "2024-05-20", "2024-05-26"),
    ("anoche", "2024-05-14", "2024-05-15"),
    ("gestern Abend", "2024-05-14", "2024-05-14"),
    ("am 8.5.", "2024-05-08", "2024-05-08"),
    ("am Wochenende", "2024-05-11", "2024-05-12"),
    ("le week-end dernier", "2024-05-11", "2024-05-12"),
    ("el fin de semana pasado", "2024-05-11", "2024-05-12"),
)
FRAMES = ("{}", "{}?", "Was geschah {}?", "Qui est venu {} ?", "¿Quién vino {}?", "Who came {}?")
UNREAD = (
    "week 60 of 2024", "week 53 of 2024", "zwei Sprints vor dem 9. Juni 2023", "61. Kalenderwoche 2024",
    "in der zweiten Woche vom Mai 2023", "quincena de mayo de 2024",
)  # fmt: skip
LONGER = (
    "drei Wochen vor {}", "zwei Monate nach {}", "Anfang {}", "Ende {}", "zwischen 3. und {}", "week 60 of {}",
    "the 5th week of {}", "two days after {}", "trois jours avant {}", "début {}", "a finales de {}",
    "61. Woche {}", "third quarter of {}", "first half of {}", "early {}",
)  # fmt: skip


@pytest.mark.parametrize(("words", "first", "last"), READ)
def test_a_time_is_read_as_what_it_says(words: str, first: str, last: str) -> None:
    (span,) = question_times(words, ASKED, "english")
    end = (span.end - timedelta(microseconds=1)).date().isoformat()
    assert (span.bound, span.start.date().isoformat(), end) == ("in", first, last)
    assert unread_time(words, [span]) is None


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize(("words", "first", "last"), READ)
def test_in_whatever_question_a_time_is_read_whole_or_told_or_passed_over(
    frame: str, words: str, first: str, last: str
) -> None:
    question = frame.format(words)
    spans = question_times(question, ASKED, "english")
    if unread_time(question, spans) is None:
        for span in spans:
            end = (span.end - timedelta(microseconds=1)).date().isoformat()
            assert (span.start.date().isoformat(), end) == (first, last)


def test_since_a_year_is_open_in_a_question_of_nothing_else() -> None:
    (span,) = question_times("seit 2019", ASKED, "english")
    assert span.window == (datetime(2019, 1, 1, tzinfo=UTC), None)


def test_what_starts_on_a_weekday_starts_on_the_next() -> None:
    tuesday = datetime(2026, 9, 1, 12, tzinfo=UTC)
    (span,) = question_times("Who works starting Monday?", tuesday, "english")
    assert span.start == datetime(2026, 9, 7, tzinfo=UTC)


@pytest.mark.parametrize("words", UNREAD)
def test_what_of_a_time_is_not_understood_is_told(words: str) -> None:
    assert unread_time(words, question_times(words, ASKED, "english")) is not None


@given(
    longer=st.sampled_from(LONGER), time=st.sampled_from(("2024", "Mai 2023", "9. Juni 2023", "June 2023", "mai 2024")),
    frame=st.sampled_from(FRAMES),
)  # fmt: skip
@settings(deadline=None, max_examples=300)
def test_no_part_of_a_longer_expression_stands_for_the_whole(longer: str, time: str, frame: str) -> None:
    question = frame.format(longer.format(time))
    spans = question_times(question, ASKED, "english")
    alone = question_times(time, ASKED, "english")
    taken_for_it = [span for span in spans if any(span.window == each.window for each in alone)]
    assert not taken_for_it or unread_time(question, spans) is not None, (question, spans)


@pytest.mark.parametrize(
    "question",
    [
        "How many people came in May 2023?", "What was the best day in May 2023?",
        "How many days in May 2023 did it rain?",
        "Who came first in May 2023?", "Which week of 2023 was the hottest?", "Did the 3 of them meet on 9 June 2023?",
        "Wer war im Mai 2023 am längsten im Büro?", "Qui était à Paris en mai 2023 ?", "¿Quién vino en mayo de 2023?",
        "Was wurde am 9. Juni 2023 beschlossen?", "What did Ann and Bob do on 9 June 2023?",
        "Did it end in 2023?", "Who was the third person in June 2023?", "What did the team learn in Q3 2026?",
    ],
)  # fmt: skip
def test_words_beside_a_time_that_are_no_part_of_it_are_not_told(question: str) -> None:
    assert unread_time(question, question_times(question, ASKED, "english")) is None
