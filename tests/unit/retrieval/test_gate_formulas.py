"""When a list is good enough, worked by hand (the specification's section 7)."""

import pytest

from muniment.retrieval.formulas.confidence import agreement, confident, telling_terms

LIMITS = {"top": 0.12, "margin": 0.018, "least_agreement": 0.07}


@pytest.mark.parametrize(
    ("scores", "agree", "passes"),
    [
        ([], 1.0, False),
        ([0.12], 1.0, False),
        ([0.121], 0.0, True),
        ([0.13, 0.1125], 0.0, False),
        ([0.14, 0.12], 0.0, True),
        ([0.14, 0.14], 0.07, True),
        ([0.14, 0.14], 0.069, False),
        ([0.10, 0.01], 1.0, False),
    ],
)
def test_a_list_needs_a_good_hit_that_leads_or_agrees_or_is_alone(
    scores: list[float], agree: float, passes: bool
) -> None:
    assert confident(scores, agree, **LIMITS)[0] is passes


def test_agreement_is_the_mean_overlap_of_the_first_text_with_the_others() -> None:
    first, half, none = frozenset("abc"), frozenset("abd"), frozenset("xyz")
    assert agreement([first, half, none]) == pytest.approx((2 / 4 + 0) / 2)
    assert agreement([half, none, none]) == 0.0
    assert agreement([first]) == agreement([]) == 0.0
    assert agreement([frozenset(), frozenset()]) == 0.0


def test_the_telling_terms_are_the_frequent_ones_that_the_question_lacks() -> None:
    texts = [{"pier": 9, "lamp": 1, "blue": 2}, {"lamp": 2, "ash": 2}]
    assert telling_terms(texts, frozenset({"pier"}), 2) == ["lamp", "ash"]
    assert telling_terms(texts, frozenset({"pier"}), 9) == ["lamp", "ash", "blue"]
    assert telling_terms(texts, frozenset({"pier", "lamp", "ash", "blue"}), 4) == []
