"""What is read of a question takes a time that grows with it and no faster: a long one froze the server."""

import time
from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from muniment.extraction.time.questions import question_times
from muniment.retrieval.lessening import lessened, time_terms, without_relative_times
from muniment.retrieval.participants import speakers_named, without_names
from muniment.retrieval.ranking.dates import months_meant

ASKED = datetime(2026, 12, 1, tzinfo=UTC)
MONTHS = [frozenset({f"month{n}"}) for n in range(12)]


def _read(question: str) -> None:
    times = question_times(question, ASKED, "english")
    months_meant(question, times, ["May"], MONTHS)
    named = speakers_named(question, ["May Lee", "Mark", "Bob"])
    without_names(without_relative_times(question, times), named.values())
    time_terms(question, times)
    lessened(dict.fromkeys(question.casefold().split(), 1.0), question, times, named.values(), 0.1)


def _seconds(work: Callable[[], None]) -> float:
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best


@pytest.mark.parametrize(
    "part", ["1 May 2023, ", "May Bob ", "May's ", "last Mark week ", "did May ", "between 1 May and 3 May 2023 "]
)
def test_reading_a_question_is_linear_in_it(part: str) -> None:
    short, long = (_seconds(lambda n=n: _read(part * n)) for n in (150, 1200))
    assert long < 24 * short + 0.05  # 8 times as long; a square would take 64 times


def test_many_words_of_times_are_looked_up_and_not_compared() -> None:
    def read(n: int) -> None:
        _read(" ".join(f"w{k}x last week" for k in range(n)))

    short, long = (_seconds(lambda n=n: read(n)) for n in (100, 800))
    assert long < 24 * short + 0.05


@pytest.mark.parametrize(
    ("question", "little", "much"),
    [
        ("What did we agree about Tom tomorrow?", "tomorrow", "tom"),
        ("What sum did we agree on last summer?", "summer", "sum"),
        ("What did Mark buy on the mark last week?", "week", "buy"),
    ],
)
def test_only_words_of_the_time_itself_count_little(question: str, little: str, much: str) -> None:
    times = question_times(question, ASKED, "english")
    weights = lessened({little: 1.0, f"~{little}": 1.0, much: 1.0, f"~{much}": 1.0}, question, times, [], 0.1)
    assert weights == {little: 0.1, f"~{little}": 0.1, much: 1.0, f"~{much}": 1.0}
