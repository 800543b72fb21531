# ruff: noqa: E501
"""Changes that are told in other words: who joined what, stars behind mistyped words, pronouns, studies, names and ends."""

import pytest
from test_whose_words_they_are import SAID, told, triples

M = "Maya"


@pytest.mark.parametrize(
    "text", ["I joined BP in July.", "I joined BP.", "I joined BP last week.", "I joined BP as an engineer."]
)
def test_who_joined_a_firm_works_there(text: str) -> None:
    assert (M, "works_at", "BP", False) in triples(text)


@pytest.mark.parametrize(
    "text",
    [
        "I joined Ana for lunch.", "I joined Tom in May.", "I joined the gym.", "I joined Discord in May.", "I joined Chelsea FC in May.",
        "I joined the Labour Party in May.", "I joined Greenpeace in 2020.", "I joined Rotary Club in May.", "I joined Google Meet yesterday.",
        "I joined Netflix.",
    ],
)  # fmt: skip
def test_who_joined_people_or_a_club_does_not_work_there(text: str) -> None:
    assert "works_at" not in {each.relation for each in told(text)}


STARRED = {
    ("I live in Bonn.", "Correction: Berlin."): ("lives_in", "Berlin", "Bonn"),
    ("I live in Bonn.", "Typo, Berlin."): ("lives_in", "Berlin", "Bonn"),
    ("I work at Fiat.", "*Fiat Industrial, not Fiat"): ("works_at", "Fiat Industrial", "Fiat"),
    ("I work at Fiat.", "*Fiat Industrial"): ("works_at", "Fiat Industrial", "Fiat"),
    ("I live in Room.", "*Rome"): ("lives_in", "Rome", "Room"),
    ("I live in Room.", "Rome*"): ("lives_in", "Rome", "Room"),
    ("I like tae.", "*tea"): ("likes", "tea", "tae"),
    ("I live in Room and work at Acme.", "*Rome"): ("lives_in", "Rome", "Room"),
}


@pytest.mark.parametrize("texts", STARRED, ids=lambda texts: " / ".join(texts))
def test_a_star_puts_right_what_was_mistyped(texts: tuple[str, ...]) -> None:
    relation, new, old = STARRED[texts]
    assert triples(*texts) == {(M, relation, new, False), (M, relation, old, True)}


@pytest.mark.parametrize(
    "texts",
    [
        ("I live in Rome with my sitser.", "*sister"), ("I live in Rome.", "*waves*"), ("I live in Rome.", "*Anna"),
        ("I met Anna in Rome.", "*Ana"), ("I live in Rome.", "Sorry, Tom."), ("@Tom I live in Room.", "*Rome"), ("I live in Rome.", "* a list\n* Roma"),
    ],
    ids=lambda texts: " / ".join(texts),
)  # fmt: skip
def test_a_star_at_something_else_puts_nothing_right(texts: tuple[str, ...]) -> None:
    assert told(*texts) == []


MEANT = {
    ("Tom works at Intel.", "He left Intel."): ("Tom", "works_at", "Intel", True),
    ("@Bob Tom works at Intel.", "He moved to Rome."): ("Tom", "lives_in", "Rome", False),
    ("Tom works at Intel. He moved to Rome.",): ("Tom", "lives_in", "Rome", False),
    ("My brother Ben lives in Rome. He works at Acme.",): ("Ben", "works_at", "Acme", False),
    ("Maria works at Intel.", "@Bob Oh?", "She left Intel last week."): ("Maria", "works_at", "Intel", True),
    ("Tom works at Intel in Santa Clara.", "He's living in San Jose."): ("Tom", "lives_in", "San Jose", False),
    ("Tom is married to Ana.", "He got divorced."): ("Tom", "married_to", "Ana", True),
    ("I met Clara Schmidt yesterday.", "She lives in Rome."): ("Clara Schmidt", "lives_in", "Rome", False),
}
NOBODY_MEANT = [
    ("Tom works at Intel.", "She left Intel."),
    ("My brother Sasha works at Intel.", "She left Intel."),
    ("Tom and Ben work at Intel.", "He left Intel."),
    ("Tom works at Intel with Karl.", "He left Intel."),
    ("Tom works at Intel. Ben called.", "He left Intel."),
    ("Tom works at Intel.", "Karl asked. He left Intel."),
    ("@Bob I live in Rome.", "He moved to Pisa."),
    ("I live in Rome.", "He moved to Pisa."),
    ("Tom works at Intel.", "@Bob Hm.", "@Bob Well.", "He left Intel."),
    ("Tom works at Intel.", "Has he left Intel?"),
    ("Tom works at Intel.", "If he left Intel, I would know."),
    ("@assistant Tom works at Intel.", "He left Intel."),
    ("Thanks, Clara!", "She lives in Rome."),
    ("Clara, look!", "She lives in Rome."),
    ("I met Clara and Anna yesterday.", "She lives in Rome."),
]  # fmt: skip


@pytest.mark.parametrize("texts", MEANT, ids=lambda texts: " / ".join(texts))
def test_he_and_she_are_the_only_one_named(texts: tuple[str, ...]) -> None:
    assert MEANT[texts] in triples(*texts)
    (found,) = [each for each in told(*texts) if each.object == MEANT[texts][2] and each.relation == MEANT[texts][1]]
    assert len(found.spans) > 1  # it rests on the words that name who is meant, too


@pytest.mark.parametrize("texts", NOBODY_MEANT, ids=lambda texts: " / ".join(texts))
def test_where_two_could_be_meant_nobody_is(texts: tuple[str, ...]) -> None:
    assert [each for each in told(*texts) if each.negated or each.object in ("Pisa", "Rome")] == []


STUDIES = {
    ("I study physics at ETH.",): {(M, "studies", "physics", False), (M, "studies_at", "ETH", False)},
    ("I study at MIT.",): {(M, "studies_at", "MIT", False)},
    ("I'm a PhD student in biology at Yale.",): {(M, "studies_at", "Yale", False), (M, "works_as", "PhD student", False)},
    ("I study physics at ETH.", "I dropped out."): {(M, "studies", "physics", True), (M, "studies_at", "ETH", True)},
    ("I study physics at ETH.", "I dropped out of college."): {(M, "studies", "physics", True), (M, "studies_at", "ETH", True)},
    ("I study physics at ETH.", "I dropped out of ETH."): {(M, "studies_at", "ETH", True)},
    ("I study law at Yale.", "I graduated in May."): {(M, "studies", "law", True), (M, "studies_at", "Yale", True)},
    ("I like tea.", "I dropped out."): set(),
    ("I study at Yale.", "I dropped out of the race."): set(),
    ("I study at Yale.", "I'm studying for my exam."): set(),
    ("I study at Yale.", "I study hard at night."): set(),
}  # fmt: skip


@pytest.mark.parametrize("texts", STUDIES, ids=lambda texts: " / ".join(texts))
def test_where_somebody_studies_and_that_they_stopped(texts: tuple[str, ...]) -> None:
    assert triples(*texts) == STUDIES[texts]


@pytest.mark.parametrize(
    "text",
    [
        "Everyone calls me Bo.", "Friends call me Bo.", "You can call me Bo.", "Call me Bo.", "Just call me Bo.", "I go by Bo.",
        "My friends all call me Bo.", "I'm called Bo.", "My name is Robert but everyone calls me Bo.",
    ],
)  # fmt: skip
def test_what_somebody_is_called(text: str) -> None:
    assert (M, "also_known_as", "Bo", False) in triples(text)


@pytest.mark.parametrize(
    "text",
    [
        "Don't call me Bo.",
        "Nobody calls me Bo.",
        "They used to call me Bo.",
        "Call me Monday!",
        "Call me crazy.",
        "Call me later.",
    ],
)
def test_what_somebody_is_not_called(text: str) -> None:
    assert told(text) == []


NAMED = {
    "Uma Obi is married to Ben Ade.": {("Uma Obi", "married_to", "Ben Ade", False)},
    "Grace and I got married.": {(M, "married_to", "Grace", False)},
    "Dr. Novak lives in Brno.": {("Dr. Novak", "lives_in", "Brno", False)},
    "Prof. Lee moved to Rome.": {("Prof. Lee", "lives_in", "Rome", False)},
    "I report to Dr. Novak.": {(M, "reports_to", "Dr. Novak", False)},
    "山田 lives in Kyoto.": {("山田", "lives_in", "Kyoto", False)},
    "I work at 楽天.": {(M, "works_at", "楽天", False)},
    "Prof. Dr. Novak lives in Brno.": {("Prof. Dr. Novak", "lives_in", "Brno", False)},
    "Uma Obi's husband is Ben Ade.": {("Ben Ade", "husband_of", "Uma Obi", False)},
    "Uma Obi's husband is kind.": set(),
    "My new home is Berlin.": {(M, "lives_in", "Berlin", False)},
    "My home is Minecraft.": set(),
    "I settled down in Berlin last year.": {(M, "lives_in", "Berlin", False)},
    "I settled in Excel.": set(),
    "I was hired by BP in May.": {(M, "works_at", "BP", False)},
    "I'm relocating to Berlin.": {(M, "plans_to_move_to", "Berlin", False)},
    "I'm a student at Yale.": {(M, "studies_at", "Yale", False), (M, "works_as", "student", False)},
}  # fmt: skip


@pytest.mark.parametrize("text", NAMED)
def test_names_of_people_with_titles_in_other_scripts_and_of_common_words(text: str) -> None:
    assert triples(text) == NAMED[text]


@pytest.mark.parametrize(
    ("text", "begins", "ends"),
    [
        ("I lived in Lagos until 2020.", None, 2020), ("I lived in Lagos up to 2020.", None, 2020),
        ("I was living in Lagos until 2020.", None, 2020), ("I lived in Lagos from 2015 to 2018.", 2015, 2019),
        ("I worked at Acme until 2020.", None, 2020), ("I was married to Tom until 2020.", None, 2020),
    ],
)  # fmt: skip
def test_what_lasted_until_then_has_not_lasted_since(text: str, begins: int | None, ends: int) -> None:
    held, over = told(text)
    assert not held.negated
    assert (held.event_from and held.event_from.year, held.event_to and held.event_to.year) == (begins, ends)
    assert (over.negated, over.object, over.event_from, over.event_to) == (True, held.object, held.event_to, None)


def test_what_somebody_used_to_do_until_then_is_denied_since_then() -> None:
    (over,) = told("I used to live in Lagos until 2020.")
    assert (over.negated, over.event_from and over.event_from.year, over.event_to) == (True, 2020, None)
    (once,) = told("I lived in Paris in 2019.")
    assert not once.negated
    assert once.event_to < SAID  # type: ignore[operator]
