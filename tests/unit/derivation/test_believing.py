"""What a model wrote of turns is believed as far as they name the same."""

from datetime import UTC, datetime

import pytest

from muniment.derivation.summaries.believing import unsaid
from muniment.extraction.turns import Turn

SAID = datetime(2026, 5, 17, 12, 0, tzinfo=UTC)
TURNS = [
    Turn(
        1,
        "I had lunch with the kids on May 18 at Kiosk 12. We paid 1,250 dollars.",
        "Ana",
        "user",
        SAID,
        0,
    ),
    Turn(2, "Great, we decided to go to Riga together, all four of us.", "Ben", "user", SAID, 0),
]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Zorblax told Ana about it.", "zorblax"), ("Ana met Zorblax.", "zorblax"), ("Élodie said so.", "Élodie"),
        ("They met on day 8.", "8"), ("Ana had lunch in June 18.", "June"), ("Hortensia will pay.", "hortensia"),
        ("Did Brunhilde pay 999 dollars?", "999"), ("Ana and Ben met in 1877.", "1877"), ("Łukasz agreed.", "Łukasz"),
    ],
)  # fmt: skip
def test_what_no_turn_names_is_told(text: str, name: str) -> None:
    assert name in unsaid(text, TURNS)


@pytest.mark.parametrize(
    "text",
    [
        "Ana had lunch with the kids at Kiosk 12 on May 18.", "They paid 1250 dollars.", "4 of them go to Riga.",
        "Participants agreed on Riga. Overall, it was nice.", "On Sunday, 17 May 2026, Ana told Ben of a lunch.",
        "Two people talked.", "Lunch with the kids", "When will they go to Riga?", "He liked it; They went.",
    ],
)  # fmt: skip
def test_what_the_turns_carry_is_believed(text: str) -> None:
    assert unsaid(text, TURNS) == []


def test_digits_without_end_are_no_time_of_day() -> None:
    endless = Turn(3, "1" * 5000 + ":30 and so on", "Ana", "user", SAID, 0)
    assert unsaid("Ana wrote 1:30.", [endless]) == ["1:30"]
