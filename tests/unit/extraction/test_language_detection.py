"""The language of a text by its words, where they tell it clearly."""

import pytest

from muniment.extraction.languages import language_of, languages_of_turns


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("La bicicleta costó 300 euros.", "spanish"),
        ("Der Umzug wurde auf den 24. März verschoben", "german"),
        ("Élodie a réservé une table", "french"),
        ("Ik woon in Utrecht met mijn zus", "dutch"),
        ("Ho comprato una bicicletta", "italian"),
        ("Γεια σου Ελένη", "greek"),  # noqa: RUF001
        ("Where did you buy it?", "english"),
        ("Met José in la Playa", None),
        ("I love the Casa de la Playa restaurant", "english"),
        ("Yeah, Ibiza!", None),
        ("ERR_417", None),
        ("", None),
        ("Я їжу до Києва", None),
    ],
)
def test_a_language_is_told_only_where_the_words_tell_it_clearly(text: str, language: str | None) -> None:
    assert language_of(text) == language


def test_a_turn_that_tells_nothing_is_in_the_language_of_most_others() -> None:
    assert (
        languages_of_turns(["La bicicleta costó 300 euros.", "Vale", "Ayer compré una bicicleta roja."])
        == ["spanish"] * 3
    )
    assert languages_of_turns(["Hola", "What is that?"])[0] == "english"
    assert languages_of_turns(["Hola"]) == [None]
