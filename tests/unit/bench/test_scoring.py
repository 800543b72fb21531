"""The measures, held to values worked out by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.bench.dataset import Depths, count_tokens
from muniment.bench.runs import Line, Timing
from muniment.bench.scores import score_run
from muniment.bench.scoring import auroc, measures, percentile, roc_curve

scores = st.lists(st.floats(0, 1), min_size=1, max_size=30)


def test_the_measures_of_one_question_are_those_worked_out_by_hand() -> None:
    ranked = ["x", "a", "a", "y", "b", "z"]  # twice ranked counts once, where it stands first
    costs = {"x": 50, "a": 40, "y": 30, "b": 20, "z": 1}
    depths = Depths(recall=(1, 2, 4), whole=(3, 4), tokens=125)
    assert measures(ranked, {"a", "b"}, costs, depths) == {
        "R@1": 0.0,
        "R@2": 0.5,
        "R@4": 1.0,
        "all@3": 0.0,
        "all@4": 1.0,
        "MRR": 0.5,
        "R@125tok": 0.5,  # x, a and y take 120; b would exceed 125
    }


def test_tokens_that_fill_the_context_exactly_still_count() -> None:
    depths = Depths(recall=(), whole=(), tokens=60)
    costs = {"a": 60, "b": 61, "c": 1}
    assert measures(["a"], {"a"}, costs, depths)["R@60tok"] == 1.0
    assert measures(["b", "c"], {"c"}, costs, depths)["R@60tok"] == 0.0  # nothing after the one that is too large


def test_nothing_found_measures_nothing() -> None:
    assert set(measures([], {"a"}, {}, Depths()).values()) == {0.0}


def test_tokens_are_words_and_punctuation_marks() -> None:
    assert count_tokens("Don't pay 1,200 euros!") == 9


def test_auroc_counts_ties_as_half() -> None:
    assert auroc([0.9, 0.5], [0.5, 0.1]) == 0.875
    assert auroc([0.3], [0.3]) == 0.5
    assert auroc([0.1], [0.9]) == 0.0


@given(scores, scores)
@settings(deadline=None, max_examples=50)
def test_the_area_under_the_curve_that_is_drawn_is_the_auroc_that_is_told(yes: list[float], no: list[float]) -> None:
    false, true = roc_curve(yes, no)
    assert np.trapezoid(true, false) == pytest.approx(auroc(yes, no))
    assert auroc(yes, no) == pytest.approx(1 - auroc(no, yes))


def test_a_percentile_is_a_value_that_was_measured_and_the_median_of_an_even_count_the_mean_of_two() -> None:
    assert percentile([93.36, 77.72], 0.5) == pytest.approx(85.54)
    assert percentile([3.0, 1.0, 2.0], 0.5) == 2.0
    assert percentile([3.0, 1.0, 2.0, 4.0], 0.95) == 4.0
    assert percentile([1.0], 0.95) == 1.0
    assert percentile([], 0.5) == 0.0


def line(qid: str, kind: str, answerable: bool | None, share: float | None, score: float) -> Line:
    metrics = {} if share is None else {"R@10": share}
    return Line(qid, kind, answerable, [], [], score, Timing(1.0), 10, metrics)


def test_overall_are_the_answerable_questions_and_those_without_evidence_count_nowhere() -> None:
    lines = [
        line("1", "plain", True, 1.0, 0.9),
        line("2", "plain", True, 0.0, 0.7),
        line("3", "adversarial", False, 1.0, 0.8),
        line("4", "plain", None, None, 0.1),
    ]
    found = score_run(lines)
    assert found["kinds"]["overall"] == {"R@10": 50.0, "n": 2}
    assert found["kinds"]["adversarial"] == {"R@10": 100.0, "n": 1}
    assert found["answerability"] == {"auroc": 0.5, "answerable": 2, "unanswerable": 1}
    assert found["latency_ms"]["search"]["n"] == 4


def test_abstentions_are_measured_by_precision_and_recall() -> None:
    asked = [(True, False), (True, True), (False, True), (False, True), (False, False), (False, False)]
    lines = [
        Line(str(i), "k", able, [], [], 0.5, Timing(1.0), 0, abstained=abstained)
        for i, (able, abstained) in enumerate(asked)
    ]
    assert score_run(lines)["abstention"] == {
        "precision": 66.7,
        "recall": 50.0,
        "answerable answered": 50.0,
        "abstained": 3,
    }
