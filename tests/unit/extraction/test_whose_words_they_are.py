# ruff: noqa: E501
"""What is in somebody's text and was not told by them of this world: quotations, examples, fiction, irony, what they take
back; each beside its near neighbour that is told."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.extraction.ended import resolved
from muniment.extraction.rules.extractor import looks_back, statements_of
from muniment.extraction.rules.others_words import is_in, others_words
from muniment.extraction.statements import Statement
from muniment.extraction.support import supported
from muniment.extraction.turns import Turn

SAID = datetime(2026, 3, 12, 9, tzinfo=UTC)
ROME = ("Maya", "lives_in", "Rome", False)
PISA = ("Maya", "lives_in", "Pisa", False)
NOT_ROME = ("Maya", "lives_in", "Rome", True)
ACME = ("Maya", "works_at", "Acme", False)


def told(*texts: str) -> list[Statement]:
    """The statements that the last of several turns of Maya rests on; "@Tom " before a text makes it Tom's."""
    turns = []
    for number, text in enumerate(texts, start=1):
        by, words = text[1:].split(" ", 1) if text.startswith("@") else ("Maya", text)
        turns.append(Turn(number, words, by, None, SAID + timedelta(minutes=number), 0))
    found = [each for n, one in enumerate(turns) for each in statements_of(one, turns[:n])]
    last = [each for each in resolved(found, []) if max(span.record_no for span in each.spans) == len(turns)]
    assert all(supported(each, {one.record_no: one.text for one in turns}) for each in last), last
    if statements_of(turns[-1], turns[:-1]) != statements_of(turns[-1]):
        assert looks_back(turns[-1].text)  # else the job would not have read what stands before
    return last


def triples(*texts: str) -> set[tuple[str, str, str, bool]]:
    return {(each.subject, each.relation, each.object, each.negated) for each in told(*texts)}


@pytest.mark.parametrize(
    "text",
    [
        "Fwd: I live in Rome.", "FW: Re: hello\nI live in Rome.", "fyi, see below\nFwd: hi\nI live in Rome.",
        "---- Forwarded message ----\nFrom: Bob\nI live in Rome.", "-----Original Message-----\nFrom: Bob\n\nI live in Rome.",
        "---------- Forwarded message ---------\nFrom: Bob <bob@example.org>\nDate: Mon\nTo: Maya\n\nI live in Rome. I work at Acme.",
        "Begin forwarded message:\n\nI live in Rome.", "[Forwarded from Bob]\nI live in Rome.",
        "On Mon, 3 Mar 2025, Bob wrote:\nI live in Rome. I work at Acme.", "From: Bob\nTo: Maya\nSubject: hi\n\nI live in Rome.",
        "> I live in Rome.\n> I work at Acme.", "&gt; I live in Rome.", "```\nI live in Rome.\n```",
        "\"I live in Rome. I work at Acme.\"", "He wrote: \"I live in Rome. I work at Acme.\"", "“I live in Rome. I like tea.”",
        "Translate this: I live in Rome.", "Translate this to German:\nI live in Rome. I work at Acme.",
        "Translate 'I live in Rome' to German.", "Here is an example sentence: I live in Rome.", "Lyrics: I live in Rome.",
        "Please proofread:\n\nI live in Rome.\n\nI work at Acme.",
    ],
)  # fmt: skip
def test_what_another_said_or_what_is_handed_over_tells_nothing(text: str) -> None:
    assert told(text) == []


def test_what_stands_beside_the_words_of_others_is_told() -> None:
    mail = "I moved to Berlin!\n\nOn Mon, 3 Mar 2025, Bob wrote:\n> I live in Rome.\n\nI work at Acme."
    assert triples(mail) == {("Maya", "lives_in", "Berlin", False), ACME}
    assert triples("I live in Rome.\n\n---- Forwarded message ----\nFrom: Bob\nI work at Acme.") == {ROME}
    assert triples("From: Maya\nTo: Bob\nSubject: hi\n\nI live in Rome.") == {ROME}
    assert triples('I live in Rome. Tom says "I live in Pisa."') == {ROME}
    assert triples("Great news: I live in Rome.") == {ROME}
    assert triples("It isn't Tom's idea. I live in Rome, it's the boys' favourite.") == {ROME}


@pytest.mark.parametrize(
    "text",
    [
        "e.g. I live in Rome.", "E.g., I live in Rome.", "For instance, I live in Rome.", "For example: I live in Rome.",
        "In the novel, I live in Rome.", "In my novel I live in Rome. I work at Acme.", "In a book I read, Hans lives in Davos.",
        "Imagine I lived in Rome.", "Imagine: I live in Rome.", "Imagine this is real. I live in Rome.",
        "Let's say I live in Rome. I work at Acme.", "Suppose I moved. I live in Rome.", "What if I live in Rome.",
        "Once upon a time I was poor. I live in Rome.", "Let's role-play. I live in Rome.", "My character lives in Rome.",
        "In Skyrim I live in Whiterun.", "You are a pirate. I live in Tortuga.",
        "Yeah right, I live in Rome.", "I live in Rome, yeah right.", "I live in Rome. Yeah, right!", "I live in Rome /s",
        "I live in Rome. I love the traffic /s", "I love Mondays. /s", "I live in Rome and I'm the queen of England.",
        "I just love Mondays 🙄", "I moved to Berlin, NOT!", "I moved to Berlin... not.", "As Sinatra sang, I live in New York.",
        "I live in Rome. Just kidding.", "I live in Rome, jk.", "I live in Rome lol jk", "I live in Rome (just kidding).",
        "I work at Acme. I live in Rome. Haha, just kidding!", "I live in Rome. Scratch that.", "I live in Rome. Never mind.",
        "I live in Rome. Not really.", "I live in Rome. Actually, no.", "I live in Rome. As if!", "I live in Rome. That was a joke.",
    ],
)  # fmt: skip
def test_examples_fiction_and_irony_tell_nothing(text: str) -> None:
    assert told(text) == []


TAKEN_BACK = {
    ("I live in Rome. Just kidding, I live in Pisa.",): {PISA},
    ("I work at Acme. I live in Rome. Scratch that, I live in Pisa.",): {ACME, PISA},
    ("I live in Rome. Never mind, I meant Pisa.",): {PISA},
    ("I live in Rome.", "Just kidding!"): {NOT_ROME},
    ("I live in Rome.", "lol jk"): {NOT_ROME},
    ("I live in Rome.", "I was just joking."): {NOT_ROME},
    ("I live in Rome.", "Scratch that, I live in Pisa."): {NOT_ROME, PISA},
    ("I live in Rome.", "Never mind, I meant Pisa."): {NOT_ROME, PISA},
    ("I live in Rome.", "That's not true, I live in Pisa."): {NOT_ROME, PISA},
    ("I live in Rome.", "Sorry, wrong chat!"): {NOT_ROME},
    ("I live in Rome.", "@Tom Really?", "jk"): {NOT_ROME},
    ("I live in Rome and work at Acme.", "Just kidding!"): {NOT_ROME, ("Maya", "works_at", "Acme", True)},
    ("I work at Acme.", "I quit my job!", "Just kidding!"): {ACME},
    ("I work at Acme.", "I no longer work at Acme.", "April fools!"): {ACME},
}
KEPT = [
    ("I live in Rome.", "@Tom Just kidding!"),
    ("I live in Rome.", "I like tea.", "Just kidding!"),
    ("I live in Rome.", "Never mind."),
    ("I live in Rome.", "Kidding aside, it is hot."),
    ("I live in Rome.", "Is that a joke?"),
    ("I live in Rome.", "No joke!"),
    ("I live in Rome.", "Forget the keys."),
    ("I live in Rome.", "I'm not kidding."),
]  # fmt: skip


@pytest.mark.parametrize("texts", TAKEN_BACK, ids=lambda texts: " / ".join(texts))
def test_what_somebody_takes_back_is_denied_from_when_it_was_told(texts: tuple[str, ...]) -> None:
    assert triples(*texts) == TAKEN_BACK[texts]


@pytest.mark.parametrize("texts", KEPT, ids=lambda texts: " / ".join(texts))
def test_what_takes_nothing_back_takes_nothing_back(texts: tuple[str, ...]) -> None:
    assert ROME not in {(*found[:3], not found[3]) for found in triples(*texts)}


@settings(deadline=None, max_examples=80)
@given(st.text(alphabet="\"'“”> \n`-aFw:dOnrote.", max_size=120))
def test_the_places_of_the_words_of_others_are_in_order_and_apart(text: str) -> None:
    ranges = others_words(text, "Maya")
    assert all(0 <= start < end <= len(text) for start, end in ranges)
    assert all(before[1] < behind[0] for before, behind in pairwise(ranges))
    for place in range(len(text)):
        assert is_in(ranges, place) == any(start <= place < end for start, end in ranges)


def test_behind_very_much_nobody_is_meant_for_sure() -> None:
    far = "It was a fine day. " * 200
    assert ("Tom", "lives_in", "Pisa", False) in triples("Tom works at Intel. He lives in Pisa.")
    assert triples(f"Tom works at Intel. {far} He lives in Pisa.") == {("Tom", "works_at", "Intel", False)}
    assert triples(f"Tom works at Intel. {far}", "He lives in Pisa.") == set()
