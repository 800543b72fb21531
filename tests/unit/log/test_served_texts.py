"""What counts as served context: mostly sentences that were served, however they are quoted, and never a short one."""

import textwrap

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.model.served import LEAST_SENTENCE, is_served, says_it_again, sentences, telling

SERVED = (
    "I moved to Berlin in the spring of last year. My bakery stands beside the old canal bridge.\n"
    "- The ovens came from Turin, by ship\n- Nobody else bakes with rye there"
)
WORDS = st.lists(st.sampled_from(["tea", "ferry", "noon", "bakery", "spring", "Ja", "ü", "7"]), min_size=1, max_size=12)
SENTENCES = st.lists(WORDS.map(lambda words: " ".join(words) + "."), min_size=1, max_size=6).map(" ".join)


def _known(*texts: str) -> set[str]:
    return {sentence for text in texts for sentence in telling(text)}


def test_served_text_is_known_again_quoted_wrapped_prefixed_and_in_another_order() -> None:
    known = _known(SERVED)
    first, second = SERVED.split("\n")[0].split(". ")
    for back in (
        SERVED,
        f"From memory: {SERVED}",
        f'Maya said: "{SERVED}"',
        textwrap.fill(SERVED.split("\n")[0], 30),
        f"{second}\n\n{first}.",
        SERVED.upper(),
        "1. " + first + ".\n2. " + second,
    ):
        assert is_served(back, known), back


@pytest.mark.parametrize(
    "served",
    [
        "Eva, 2026-03-05: I moved to Berlin with Tom last week. [1]",
        "[said 2026-03-05]: Eva works at Siemens.\n[since 2026-02-23]: Eva moved to Berlin.",
        "[2026-01-05 10:00] Eva: I live in Paris.\n[2026-02-05 10:00] Eva: I moved to Rome.",
    ],
)
def test_what_is_short_is_known_by_its_whole_line(served: str) -> None:
    for back in (served, f"Memory says:\n{served}", f"- {served}"):
        assert is_served(back, _known(served)), back
    assert not is_served(served.replace("2026", "2025").replace("Eva", "Ann"), _known(served))


def test_a_message_that_quotes_a_little_and_says_something_new_is_not() -> None:
    new = "You said that you moved to Berlin in the spring of last year. Since then the bakery has burnt down twice."
    assert not is_served(new, _known(SERVED))
    half = SERVED.split("\n")[0] + " And now the whole of it stands empty, since we sold it to the harbour in May."
    assert not is_served(half, _known(SERVED))


@settings(deadline=None, max_examples=60)
@given(st.text(max_size=39))
def test_what_is_short_is_never_taken_for_served(text: str) -> None:
    assert not is_served(text, _known(text, f"{text} {text} {text}"))


@settings(deadline=None, max_examples=60)
@given(SENTENCES)
def test_whatever_is_long_enough_is_known_again_as_it_was_served(text: str) -> None:
    served = sum(len(each) for each in set(sentences(text)) if len(each) >= LEAST_SENTENCE)
    assert is_served(text, _known(text)) or served < 40 or served < len(text)


@settings(deadline=None, max_examples=60)
@given(SENTENCES, SENTENCES)
def test_new_sentences_longer_than_what_is_quoted_are_always_stored(quoted: str, new: str) -> None:
    said = f"{quoted} {'And here is something that was never said before ' * (len(quoted) // 40 + 1)}{new}"
    assert not is_served(said, _known(quoted))


def test_people_repeat_themselves_and_programs_hand_back() -> None:
    assert says_it_again("I moved to Berlin!", "I moved to  Berlin.", speaker="Maya", role="user")
    assert says_it_again("I moved to Berlin!", "I moved to  Berlin.", speaker=None, role="user")
    assert not says_it_again("I moved to Berlin.", "I moved to Berlin.", speaker=None, role="assistant")
    assert not says_it_again("She moved to Berlin.", "I moved to Berlin.", speaker="Maya", role="user")
    assert not says_it_again("I moved to Berlin.", "I moved to Berlin.", speaker=None, role=None)
