"""Time expressions come to the right intervals, and words that only look like dates come to none."""

import time
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from time_cases import ENGLISH, NO_TIMES, OTHER_LANGUAGES

from muniment.extraction.time.beginnings import may_hold_time
from muniment.extraction.time.expressions import intervals_in
from muniment.extraction.time.spans import TimeSpan

EAST = timezone(timedelta(hours=2))
FRIDAY = datetime(2023, 6, 9, 12, tzinfo=EAST)
WORDS = sorted({word for text, _ in ENGLISH for word in text.split()} | {",", ".", "-", "of", "'s", "2023", "\n"})
texts = st.one_of(st.text(max_size=60), st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join))
references = st.datetimes(min_value=datetime(1, 1, 1), max_value=datetime(9999, 12, 31)).map(
    lambda moment: moment.replace(tzinfo=EAST)
)
days = st.dates(min_value=date(1900, 1, 1), max_value=date(2099, 12, 31))


def _expected(written: str) -> tuple[datetime, datetime, str, bool]:
    bound, _, rest = written.rpartition("*") if "*" in written else ("", "", written)
    words = (bound.split() or ["in"]) if "*" in written else ["in"]
    if rest.split()[0] in ("before", "after", "since"):
        words, rest = rest.split()[:1], " ".join(rest.split()[1:])
    first, last = (rest.split() * 2)[:2]
    start = datetime.fromisoformat(first).replace(tzinfo=EAST)
    end = datetime.fromisoformat(last).replace(tzinfo=EAST) + (timedelta() if "T" in rest else timedelta(days=1))
    return start, end, words[0], "*" not in written


def _as_expected(span: TimeSpan) -> tuple[datetime, datetime, str, bool]:
    return span.start, span.end, span.bound, span.relative


@pytest.mark.parametrize(("text", "written"), ENGLISH)
def test_an_english_expression_comes_to_its_interval(text: str, written: str) -> None:
    assert [_as_expected(span) for span in intervals_in(text, FRIDAY)] == [_expected(written)]
    assert may_hold_time(text)


@pytest.mark.parametrize(("language", "text", "written"), OTHER_LANGUAGES)
def test_an_expression_in_another_language_comes_to_its_interval(language: str, text: str, written: str) -> None:
    assert [_as_expected(span) for span in intervals_in(text, FRIDAY, language)] == [_expected(written)]
    assert may_hold_time(text, language)


@pytest.mark.parametrize("text", NO_TIMES)
def test_what_only_looks_like_a_date_comes_to_none(text: str) -> None:
    assert intervals_in(text, FRIDAY) == []


def test_an_expression_is_found_where_it_stands() -> None:
    text = "We met on 3 May 2023, then again last Friday."
    spans = intervals_in(text, FRIDAY)
    assert [text[span.first : span.last] for span in spans] == ["3 May 2023", "last Friday"]
    assert [span.text for span in spans] == ["3 May 2023", "last Friday"]
    assert [span.grain for span in spans] == ["day", "day"]


def test_the_reference_decides_the_day_by_its_own_zone() -> None:
    late = datetime(2023, 6, 9, 23, 30, tzinfo=timezone(timedelta(hours=-5)))
    (here,) = intervals_in("yesterday", late)
    (there,) = intervals_in("yesterday", late.astimezone(UTC))
    assert here.start.isoformat() == "2023-06-08T00:00:00-05:00"
    assert there.start.isoformat() == "2023-06-09T00:00:00+00:00"


@given(texts, references, st.sampled_from(["english", "german", "french", "spanish", "simple"]))
@settings(deadline=None, max_examples=400)
def test_nothing_raises_and_every_interval_has_a_length(text: str, reference: datetime, language: str) -> None:
    end = 0
    for span in intervals_in(text, reference, language):
        assert span.start < span.end
        assert span.start.tzinfo is reference.tzinfo
        assert end <= span.first < span.last <= len(text)
        assert span.text == text[span.first : span.last]
        span.start.astimezone(UTC), span.end.astimezone(UTC)
        end = span.last


@given(texts)
@settings(deadline=None, max_examples=400)
def test_the_quick_look_passes_over_no_expression(text: str) -> None:
    assert may_hold_time(text) or intervals_in(text, FRIDAY) == []


@given(st.datetimes(min_value=datetime(1950, 1, 1), max_value=datetime(2090, 1, 1)))
@settings(deadline=None, max_examples=100)
def test_yesterday_moves_with_the_day_of_the_reference(moment: datetime) -> None:
    (one,) = intervals_in("yesterday", moment)
    (other,) = intervals_in("yesterday", moment + timedelta(days=1))
    assert other.start - one.start == other.end - one.end == timedelta(days=1)
    assert one.end <= moment


@given(days, st.sampled_from(["%d %B %Y", "%B %d, %Y", "%Y-%m-%d", "%d.%m.%Y", "%m/%d/%Y", "%A, %d %B %Y", "%b %d %Y"]))
@settings(deadline=None, max_examples=200)
def test_a_written_date_is_read_back(day: date, notation: str) -> None:
    start = datetime(day.year, day.month, day.day, tzinfo=EAST)
    (span,) = intervals_in(f"It was on {day.strftime(notation)}, they say.", FRIDAY)
    assert (span.start, span.end, span.relative) == (start, start + timedelta(days=1), False)


@pytest.mark.parametrize(
    "unit",
    ["a ", "9 ", "may ", "the ", "1.", "2023-", "last ", "x/", "'", "9 June ", "from ", "before the day ", "-", "2023"],
)
def test_the_time_grows_with_the_text_not_with_its_square(unit: str) -> None:
    def seconds(characters: int) -> float:
        text = unit * (characters // len(unit))
        return min(_timed(text) for _ in range(3))

    assert seconds(20_000) < 60 * max(seconds(1_000), 1e-4)  # a square would be 400 times as much


def _timed(text: str) -> float:
    start = time.process_time()
    intervals_in(text, FRIDAY)
    return time.process_time() - start
