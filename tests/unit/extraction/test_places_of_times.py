"""Where the times of records lie beside those of questions, in whatever zones both were said."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.extraction.time.events import event_times
from muniment.extraction.time.expressions import intervals_in
from muniment.extraction.time.placing import Place, RecordTime, best_place
from muniment.extraction.time.questions import question_times
from muniment.retrieval.answer.dates import first_told_of

ASKED = datetime(2026, 5, 28, 12, tzinfo=UTC)


def placed(text: str, question: str, offset: int = 0, asked: datetime = ASKED, language: str = "english") -> Place:
    """The place of what a text said on 25 May 2026, 09:00 in its zone, tells of beside the question's time."""
    said = datetime(2026, 5, 25, 9, tzinfo=timezone(timedelta(minutes=offset)))
    times = event_times(text, said, offset, language)
    (span,) = question_times(question, asked, "english")
    return best_place([RecordTime(time.start, time.end, time.grain, offset) for time in times], span)


@pytest.mark.parametrize("offset", [-720, -420, -210, 0, 120, 540, 840])
@pytest.mark.parametrize(
    ("text", "question", "language"),
    [
        ("The lift was repaired on 3 April 2026.", "What happened on 3 April 2026?", "english"),
        ("The lift was repaired yesterday.", "What happened on 24 May 2026?", "english"),
        ("L'ascenseur a été réparé vendredi dernier.", "What happened on 22 May 2026?", "french"),
        ("The lift was repaired yesterday evening.", "What happened on 24 May 2026?", "english"),
        ("The lift was repaired in April 2026.", "What happened in April 2026?", "english"),
    ],
)
def test_a_day_is_the_same_day_wherever_it_was_said(text: str, question: str, language: str, offset: int) -> None:
    assert placed(text, question, offset, language=language) is Place.INSIDE


@settings(deadline=None, max_examples=60)
@given(st.integers(-56, 56), st.integers(-56, 56), st.integers(-2, 2))
def test_only_the_same_day_is_the_day_that_was_asked_about(said: int, asked: int, apart: int) -> None:
    there = datetime(2026, 5, 28, 12, tzinfo=timezone(timedelta(minutes=15 * asked)))
    place = placed(f"It was on {10 + apart} April 2026.", "What happened on 10 April 2026?", 15 * said, there)
    assert place is (Place.INSIDE if apart == 0 else Place.APART)


def test_two_times_of_the_clock_are_moments() -> None:
    (span,) = intervals_in("at 2026-04-03T14:30Z", ASKED)
    (time,) = event_times("It broke at 2026-04-03T16:30.", ASKED, 120)
    assert best_place([RecordTime(time.start, time.end, time.grain, 120)], span) is Place.INSIDE


@pytest.mark.parametrize(
    ("text", "question", "place"),
    [
        ("We renovated in the summer of 2022.", "What happened in July 2022?", Place.PARTLY),
        ("The audit is in Q3 2026.", "What is scheduled for August 2026?", Place.PARTLY),
        ("We lived in Rome in the 1990s.", "What happened in 1994?", Place.PARTLY),
        ("We moved in 2022.", "What happened in July 2022?", Place.PARTLY),
        ("We skied in the winter of 2022.", "What happened in 2022?", Place.PARTLY),
        ("We were in Lisbon from 10 to 17 April 2026.", "What happened on 12 April 2026?", Place.INSIDE),
        ("We renovated in the summer of 2022.", "What happened on 12 July 2022?", Place.AROUND),
        ("We moved in 2022.", "What happened on 12 July 2022?", Place.AROUND),
        ("We renovated in the summer of 2022.", "What happened in May 2022?", Place.APART),
    ],
)
def test_longer_times_tell_of_what_lies_in_them(text: str, question: str, place: Place) -> None:
    assert placed(text, question) is place


def test_of_a_record_from_another_zone_the_sentence_of_the_day_is_quoted() -> None:
    (span,) = intervals_in("3 April 2026", ASKED)
    said = datetime(2026, 5, 25, 9, tzinfo=timezone(timedelta(hours=9)))
    sentences = ["On 4 April 2026 we rested.", "On 3 April 2026 the lift was repaired.", "In April 2026 it rained."]
    assert first_told_of(sentences, said, span) == 1
