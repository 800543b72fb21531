"""What a model writes is read with care: as it comes, as a whole, and never beyond its shape."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.retrieval.answer.references import normal_label, numbered, settled
from muniment.retrieval.answer.verdict import UnreadableVerdict, Verdict, answer_so_far, read_verdict

GOOD = '{"answer": "Liam Vance.", "abstain": false, "citation_ids": ["E1"]}'


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"```json\n{GOOD}\n```",
        f"Here is the answer:\n{GOOD}\nI hope that helps.",
        f"<think>Is it {{Maya}}? No.</think>\n{GOOD}",
        GOOD.replace('"abstain"', '"confidence": 0.9, "abstain"'),
    ],
)
def test_a_verdict_is_found_in_what_stands_around_it(text: str) -> None:
    assert read_verdict(text, 100) == Verdict(answer="Liam Vance.", abstain=False, citation_ids=["E1"])


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no JSON object"),
        ("I cannot answer that.", "no JSON object"),
        ("} {", "no JSON object"),
        ('{"answer": "Liam", "abstain": false', "no JSON object"),
        ('{"answer": "Liam", "abstain": false, "citation_ids": ["E1"}', "JSON"),
        ('{"answer": "Liam"}', "abstain"),
        ('{"answer": null, "abstain": true, "citation_ids": []}', "answer"),
        ('{"answer": "Liam", "abstain": "no", "citation_ids": []}', "abstain"),
        ('{"answer": "Liam", "abstain": false, "citation_ids": [1]}', "citation_ids.0"),
        ('{"answer": "Liam", "abstain": false, "citation_ids": "E1"}', "citation_ids"),
        (json.dumps({"answer": "x" * 101, "abstain": False, "citation_ids": []}), "longer than 100"),
        (json.dumps({"answer": "x", "abstain": False, "citation_ids": ["E1"] * 101}), "citation_ids"),
        (GOOD + GOOD, "JSON"),
    ],
)
def test_what_is_no_verdict_is_refused_with_a_reason(text: str, why: str) -> None:
    with pytest.raises(UnreadableVerdict) as caught:
        read_verdict(text, 100)
    assert why in str(caught.value)


def test_what_no_database_stores_is_replaced() -> None:
    text = '{"answer": "a\\u0000b \x00", "abstain": false, "citation_ids": ["E1\\u0000"]}'
    with pytest.raises(UnreadableVerdict):
        read_verdict('{"answer": "\\ud800", "abstain": false, "citation_ids": []}', 100)
    verdict = read_verdict(text.replace(" \x00", "\ud800"), 100)
    assert "\x00" not in verdict.answer + verdict.citation_ids[0]
    verdict.answer.encode()


@given(st.text(max_size=60), st.integers(0, 200))
@settings(deadline=None, max_examples=200)
def test_the_answer_so_far_is_a_beginning_of_the_answer(answer: str, cut: int) -> None:
    for ascii_only in (True, False):
        whole = json.dumps({"answer": answer, "abstain": False, "citation_ids": ["E1"]}, ensure_ascii=ascii_only)
        verdict = read_verdict(whole, 1000)
        so_far = answer_so_far(whole[:cut])
        assert verdict.answer.startswith(so_far.rstrip())


def test_the_answer_so_far_grows_while_it_is_written() -> None:
    seen = [answer_so_far(GOOD[:end]) for end in range(len(GOOD) + 1)]
    assert seen[0] == "" and "Liam" in seen and seen[-1] == "Liam Vance."
    assert answer_so_far('<think>{"answer": "No"}') == ""
    assert answer_so_far("```json\n" + GOOD[:16]) == "Liam"
    assert answer_so_far('["answer"]') == answer_so_far("Liam") == ""


def test_ids_in_an_answer_become_the_numbers_of_its_citations() -> None:
    text = "Liam [E3] leads, Maya [E1, E3] follows (E7)[E1] and (E9) stands [E9]."
    assert numbered(text, {"E1", "E3", "E7"}) == (
        "Liam [1] leads, Maya [2][1] follows [3] [2] and (E9) stands.",
        ["E3", "E1", "E7"],
    )
    assert normal_label(" [e2] ") == "E2"


_PIECES = st.sampled_from(["Liam", " ", "[E1]", "[E2, E1]", "(E3)", "[", "]", "[E9]", "\n", "E1", ", ", "(so)", "[E1"])


@given(st.lists(_PIECES, max_size=12), st.integers(0, 60))
@settings(deadline=None, max_examples=500)
def test_what_was_shown_of_an_answer_stays_as_it_was_shown(pieces: list[str], cut: int) -> None:
    whole = "".join(pieces)
    shown, _ = numbered(settled(whole[:cut]), {"E1", "E2", "E3"})
    final, _ = numbered(whole, {"E1", "E2", "E3"})
    assert final.startswith(shown)
