"""The planner by rules: intents, modalities and balances of questions, as the specification's section 6 has them."""

from typing import Any

import pytest

from muniment.retrieval.planning.intent import intent_of
from muniment.retrieval.planning.modality import balance_of, modalities_named

HELD: Any = ("document", "conversation", "code", "table", "image")


@pytest.mark.parametrize(
    ("question", "intent"),
    [
        ("Why did Ada leave?", "multi_hop"),
        ("When did she leave because of the rain?", "multi_hop"),
        ("How did the storm affect the ferry?", "multi_hop"),
        ("What do Ada and Ben have in common?", "multi_hop"),
        ("When would Ada likely travel?", "inference"),
        ("When did Ada arrive?", "temporal"),
        ("In which year, and before what event?", "temporal"),
        ("Which books has Ada read?", "list"),
        ("How many piers are there?", "list"),
        ("Who built the pier?", "fact"),
        ("Whenever, whichever, wouldst", "fact"),
        ("Wie viele Räder hat Nora?", "list"),
        ("Wie viel kostet die Miete?", "fact"),
        ("Welche Bücher hat Nora gelesen?", "list"),
        ("Warum ist Nora umgezogen?", "multi_hop"),
        ("Wann zieht Nora um?", "temporal"),
        ("Wie hoch ist die Miete?", "fact"),
        ("Quand Élodie est-elle partie ?", "temporal"),
        ("En quelle année est-elle née ?", "temporal"),
        ("Pourquoi Élodie est-elle partie ?", "multi_hop"),
        ("Combien de vélos a-t-elle ?", "list"),
        ("Combien coûte le vélo ?", "fact"),
        ("¿Cuántos costaron las bicicletas?", "list"),
        ("¿Cuánto costó la bicicleta?", "fact"),
        ("¿Por qué se fue Elena?", "multi_hop"),
        ("Elena se fue, ¿no? porque llovía", "fact"),
        ("¿Cuándo llegó Elena?", "temporal"),
        ("Quante biciclette ha Elena?", "list"),
        ("Quando è arrivata?", "temporal"),
        ("Perché è partita?", "multi_hop"),
        ("Quantos livros leu?", "list"),
        ("Por que saiu?", "multi_hop"),
        ("Hoeveel fietsen heeft Noor?", "list"),
        ("Wanneer verhuist Noor?", "temporal"),
        ("Waarom verhuist Noor?", "multi_hop"),
        ("", "fact"),
    ],
)
def test_the_first_intent_whose_words_stand_in_the_question_wins(question: str, intent: str) -> None:
    assert intent_of(question)[0] == intent


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("Which function raises the exception?", ("code",)),
        ("What does main.py do?", ("code",)),
        ("What is in the third column of the spreadsheet?", ("table",)),
        ("What did the chart in the report show?", ("document", "image")),
        ("What did Ben say in the meeting?", ("conversation",)),
        ("Is the pier stable and tabled?", ()),
    ],
)
def test_a_modality_is_named_by_its_words_as_a_whole(question: str, named: tuple[str, ...]) -> None:
    assert set(modalities_named(question, HELD)) == set(named)


def test_a_modality_that_the_store_does_not_hold_is_not_named() -> None:
    assert modalities_named("Which function is it?", ("conversation",)) == ()


@pytest.mark.parametrize(
    ("named", "held", "balance"),
    [
        ((), HELD, "balanced"),
        (("code",), HELD, "code"),
        (("code", "table"), HELD, "mixed"),
        ((), ("conversation",), "conversation"),
        ((), ("data",), "balanced"),
        ((), (), "balanced"),
    ],
)
def test_the_balance_follows_the_modalities(named: Any, held: Any, balance: str) -> None:
    assert balance_of(named, held) == balance
