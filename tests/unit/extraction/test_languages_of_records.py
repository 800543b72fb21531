"""The times of records are read in the language that they are clearly in, whatever language their source has."""

from datetime import UTC, datetime

import pytest

from muniment.extraction.time.events import event_times

FRIDAY = datetime(2023, 6, 9, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Wir haben letzten Freitag den Vertrag unterschrieben.", "2023-06-02"),
        ("Ich war gestern mit Anna im Kino.", "2023-06-08"),
        ("Vor zwei Wochen ist die Katze gestorben.", "2023-05-22"),
        ("Nous avons signé le contrat la semaine dernière.", "2023-05-29"),
        ("Je suis allée à la mer hier.", "2023-06-08"),
        ("Firmamos el contrato el viernes pasado.", "2023-06-02"),
        ("Ayer fui al cine con Ana.", "2023-06-08"),
        ("I saw her two Fridays ago.", "2023-05-26"),
        ("Last Friday we signed the contract.", "2023-06-02"),
    ],
)
def test_a_record_is_read_in_its_own_language(text: str, first: str) -> None:
    for language in ("english", "german"):
        (time,) = event_times(text, FRIDAY, 0, language)
        assert time.start.date().isoformat() == first


@pytest.mark.parametrize(
    "text",
    [
        "The hier folder is in an old cupboard with a tag.", "He was an actor, and his name was Ayer.",
        "We took the viernes file and the demain file to the office.",
    ],
)  # fmt: skip
def test_an_english_record_is_not_read_in_another_language(text: str) -> None:
    assert event_times(text, FRIDAY, 0) == []
