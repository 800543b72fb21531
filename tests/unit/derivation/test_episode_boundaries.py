"""Where episodes begin: after long pauses, where the topic shifts, and never within a few turns."""

from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.derivation.episodes.boundaries import BoundaryParameters, boundaries

BEGIN = datetime(2026, 3, 1, tzinfo=UTC)
NORTH, EAST = (1.0, 0.0), (0.0, 1.0)
PARAMETERS = BoundaryParameters()


def _at(*hours: float) -> list[datetime | None]:
    return [BEGIN + timedelta(hours=each) for each in hours]


def test_a_short_conversation_without_a_pause_has_no_episodes() -> None:
    assert boundaries(_at(0, 1, 2), [None] * 3, PARAMETERS) == []


def test_a_pause_ends_an_episode_however_short() -> None:
    assert boundaries(_at(0, 1, 6, 7), [None] * 4, PARAMETERS) == [0, 2]


def test_a_topic_that_shifts_ends_an_episode_where_it_does() -> None:
    assert boundaries([None] * 14, [NORTH] * 6 + [EAST] * 8, PARAMETERS) == [0, 6]


def test_one_turn_about_something_else_ends_nothing() -> None:
    vectors = [NORTH] * 6 + [EAST] + [NORTH] * 7
    assert boundaries([None] * 14, vectors, PARAMETERS) == [0]


@given(st.lists(st.tuples(st.floats(0, 9), st.sampled_from([NORTH, EAST, None])), max_size=120))
@settings(deadline=None, max_examples=60)
def test_episodes_cover_all_turns_and_none_is_too_long(turns: list[tuple[float, tuple[float, float] | None]]) -> None:
    hours, total = [], 0.0
    for pause, _ in turns:
        total += pause
        hours.append(total)
    cuts = boundaries(_at(*hours), [vector for _, vector in turns], PARAMETERS)
    assert cuts == sorted(set(cuts)) and cuts[:1] in ([], [0])
    ends = [*cuts[1:], len(turns)]
    assert all(end - start <= PARAMETERS.most for start, end in zip(cuts, ends, strict=False))
