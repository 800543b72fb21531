"""What the rules make of what ends, of what is put right, of couples and of lists."""

from datetime import UTC, datetime, timedelta

import pytest

from muniment.extraction.ended import Held, resolved
from muniment.extraction.pronouns import is_pronoun
from muniment.extraction.rules.extractor import statements_of
from muniment.extraction.statements import Statement
from muniment.extraction.support import supported
from muniment.extraction.turns import Turn

SAID = datetime(2026, 3, 12, 9, tzinfo=UTC)
M = "Maya"


def turn(number: int, text: str, speaker: str = M) -> Turn:
    return Turn(number, text, speaker, None, SAID + timedelta(minutes=number), 0)


def triples(found: list[Statement]) -> set[tuple[str, str, str, bool]]:
    return {(each.subject, each.relation, each.object, each.negated) for each in found}


def told(*texts: str) -> list[Statement]:
    """The statements of the last of several turns of one speaker, what it ends made whole by those before."""
    turns = [turn(n, text) for n, text in enumerate(texts, start=1)]
    found = [each for n, one in enumerate(turns) for each in statements_of(one, turns[:n])]
    last = [each for each in resolved(found, []) if max(span.record_no for span in each.spans) == len(turns)]
    assert all(supported(each, {one.record_no: one.text for one in turns}) for each in last), last
    return last


ENDED = {
    ("I work at Acme.", "I left Acme."): {(M, "works_at", "Acme", True)},
    ("I work at Acme.", "I've left Acme for Zeta."): {(M, "works_at", "Acme", True)},
    ("I work at Acme.", "I quit my job last week."): {(M, "works_at", "Acme", True)},
    ("I work at Acme.", "I got laid off yesterday."): {(M, "works_at", "Acme", True)},
    ("I work at Acme.", "I retired in May."): {(M, "works_at", "Acme", True)},
    ("I work at Acme.", "I'm no longer with Acme."): {(M, "works_at", "Acme", True)},
    ("I live in Rome.", "I left Rome for good."): {(M, "lives_in", "Rome", True)},
    ("I'm dating Ben.", "I left Ben."): {(M, "partner_of", "Ben", True)},
    ("I'm married to Tom Baker.", "Tom and I separated."): {(M, "married_to", "Tom Baker", True)},
    ("I'm married to Tom.", "I got divorced."): {(M, "married_to", "Tom", True)},
    ("I'm dating Ben.", "We split up."): {(M, "partner_of", "Ben", True)},
    ("I own a blue Volvo.", "I got rid of my Volvo."): {(M, "owns", "blue Volvo", True)},
    ("I like tea.", "I sold my car."): {(M, "owns", "car", True), (M, "sold", "their car", False)},
    ("I like tea.", "Ben and I broke up."): {(M, "partner_of", "Ben", True)},
    ("I like tea.", "Ana and Ben are no longer together."): {("Ana", "partner_of", "Ben", True)},
    ("I like tea.", "My husband Tom and I got divorced."): {(M, "married_to", "Tom", True)},
    ("I'm married to Carl.", "Tom and I got divorced."): {(M, "married_to", "Tom", True)},
    ("My sister Clara works at Bosch.", "My sister Clara left Bosch in May."): {
        ("Clara", "sister_of", M, False),
        ("Clara", "works_at", "Bosch", True),
    },
    ("I like tea.", "Me and Ben are engaged."): {(M, "engaged_to", "Ben", False)},
}
NOTHING_ENDS = [
    ("I work at Acme.", "I left Acme at five."),
    ("I work at Acme.", "I left Acme early."),
    ("I work at Acme.", "I left Acme's party in May."),
    ("I work at Acme.", "I left."),
    ("I work at Acme.", "I left Zeta."),
    ("I work at Acme.", "I never left Acme."),
    ("I work at Acme.", "I haven't left Acme."),
    ("I work at Acme.", "I will leave Acme."),
    ("I live in Rome.", "I left Rome yesterday."),
    ("I like tea.", "I quit my job."),
    ("I like tea.", "We broke up."),
    ("I like tea.", "Tom and I separated the laundry."),
    ("I like tea.", "Tom and I are not divorced."),
    ("I like tea.", "Tom and I are together on this."),
    ("I like tea.", "I sold my soul."),
    ("I like tea.", "Tom and I almost got divorced."),
]
RAVENNA = {(M, "lives_in", "Ravenna", False), (M, "lives_in", "Rome", True)}
MENDED = {
    ("I live in Rome.", "I meant Ravenna, not Rome."): RAVENNA,
    ("I live in Rome.", "Sorry, I meant Ravenna."): RAVENNA,
    ("I live in Rome.", "No, not Rome, Ravenna."): RAVENNA,
    ("I live in Rome.", "It's Ravenna, not Rome!"): RAVENNA,
    ("I live in Rome.", "Not in Rome but in Ravenna."): RAVENNA,
    ("I live in Rome.", "I said Rome but I meant Ravenna."): RAVENNA,
    ("I like tea.", "I live in Rome. I mean Ravenna, not Rome."): {(M, "lives_in", "Ravenna", False)},
    ("I play the piano.", "I meant the violin, not the piano."): {
        (M, "plays", "violin", False), (M, "plays", "piano", True),
    },
    ("I live in Rome.", "I like tea.", "I meant Ravenna, not Rome."): RAVENNA,
}  # fmt: skip
NOTHING_IS_MENDED = [
    ("I live in Rome.", "I meant well."),
    ("I live in Rome.", "I meant to call you."),
    ("I like tea.", "I meant dinner."),
    ("I like tea.", "Sorry, I meant tomorrow."),
    ("I live in Rome.", "I meant Ravenna, not Pisa."),
    ("I live in Rome and work at Acme.", "I meant Zeta."),
    ("I live in Rome.", "How are you?", "I meant Ravenna."),
    ("I live in Rome.", "Not bad, thanks."),
    ("I live in Rome.", "Did you mean Ravenna, not Rome?"),
    ("I no longer live in Rome.", "I meant Ravenna, not Rome."),
]
LISTED = {
    "I work at Acme and Zeta.": {(M, "works_at", "Acme", False), (M, "works_at", "Zeta", False)},
    "I work at both Acme and Zeta now.": {(M, "works_at", "Acme", False), (M, "works_at", "Zeta", False)},
    "I work at Acme, Zeta and Hooli.": {
        (M, "works_at", "Acme", False), (M, "works_at", "Zeta", False), (M, "works_at", "Hooli", False),
    },
    "I work at Acme and Tom works at Zeta.": {(M, "works_at", "Acme", False), ("Tom", "works_at", "Zeta", False)},
    "I work at Ernst and Young.": {(M, "works_at", "Ernst and Young", False)},
    "I work at Baker and Sons.": {(M, "works_at", "Baker and Sons", False)},
    "I don't work at Acme or Zeta.": {(M, "works_at", "Acme", True), (M, "works_at", "Zeta", True)},
    "I speak French, German and Dutch.": {
        (M, "speaks", "French", False), (M, "speaks", "German", False), (M, "speaks", "Dutch", False),
    },
    "I don't speak French.": {(M, "speaks", "French", True)},
    "Ana can speak Polish and Czech.": {("Ana", "speaks", "Polish", False), ("Ana", "speaks", "Czech", False)},
    "I visited Rome and Paris in May.": {(M, "visited", "Rome", False), (M, "visited", "Paris", False)},
    "I live in Ravenna, not Rome.": RAVENNA,
    "I don't live in Rome but in Ravenna.": RAVENNA,
    "I have never lived in Rome.": {(M, "lives_in", "Rome", True)},
    "I've never been to Japan.": {(M, "visited", "Japan", True)},
    "I used to like coffee.": {(M, "likes", "coffee", True)},
    "Łukasz Żak lives in Łódź.": {("Łukasz Żak", "lives_in", "Łódź", False)},
    "Ömer moved to Århus.": {("Ömer", "lives_in", "Århus", False)},
    "My late husband Tom lived in Bari.": set(),
    "I work at Acme or Zeta.": set(),
}  # fmt: skip


@pytest.mark.parametrize("texts", ENDED, ids=lambda texts: texts[-1])
def test_what_ends_ends_what_is_known(texts: tuple[str, ...]) -> None:
    assert triples(told(*texts)) == ENDED[texts]


@pytest.mark.parametrize("texts", NOTHING_ENDS, ids=lambda texts: texts[-1])
def test_what_is_not_told_to_end_for_sure_ends_nothing(texts: tuple[str, ...]) -> None:
    assert not [each for each in told(*texts) if each.negated]


@pytest.mark.parametrize("texts", MENDED, ids=lambda texts: texts[-1])
def test_what_somebody_puts_right_takes_the_place_of_what_they_said(texts: tuple[str, ...]) -> None:
    found = told(*texts)
    assert triples(found) == MENDED[texts]
    if len(texts) == 2 and len(found) == 2:
        assert {each.event_from for each in found} == {SAID + timedelta(minutes=1)}  # from when the wrong one was said


@pytest.mark.parametrize("texts", NOTHING_IS_MENDED, ids=lambda texts: texts[-1])
def test_what_is_not_plain_mends_nothing(texts: tuple[str, ...]) -> None:
    assert told(*texts) == []


@pytest.mark.parametrize("text", LISTED)
def test_each_of_a_list_and_each_side_of_a_contrast_is_said(text: str) -> None:
    found = statements_of(turn(1, text))
    assert triples(found) == LISTED[text]
    assert all(supported(each, {1: text}) for each in found)


def test_only_who_said_it_puts_it_right_and_not_what_stands_far_above() -> None:
    before = [turn(1, "I live in Rome.")]
    assert statements_of(turn(2, "I meant Ravenna, not Rome.", "Tom"), before) == []
    far = [*before, *(turn(n, "Lovely!", "Tom") for n in range(2, 9))]
    assert statements_of(turn(9, "I meant Ravenna, not Rome."), far) == []


def test_what_was_told_after_is_not_what_was_left() -> None:
    (left,) = statements_of(turn(5, "I quit my job."))
    known = [Held(M, "works_at", "Acme", False, 2), Held(M, "works_at", "Zeta", False, 8)]
    assert triples(resolved([left], known)) == {(M, "works_at", "Acme", True)}
    assert resolved([left], [*known, Held(M, "works_at", "Acme", True, 3)]) == []


@pytest.mark.parametrize(
    "name",
    ["They", "THEY", "he", "She's", "We", "it", "Us", "Them both", "he/she", "Both of them", "They’re"],  # noqa: RUF001
)
def test_a_pronoun_is_no_name(name: str) -> None:
    assert is_pronoun(name)


@pytest.mark.parametrize("name", ["Theya", "Ida", "Our Lady", "Will", "Heidi", "Mine Street", "Weber", "It Takes Two"])
def test_a_name_is_no_pronoun(name: str) -> None:
    assert not is_pronoun(name)
