"""Golden values of the formulas, each worked out by hand from the specification."""

from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.retrieval.formulas import bm25
from muniment.retrieval.formulas.answerability import (
    AnswerabilityWeights,
    Signals,
    answerability,
    as_share,
    held_shares,
    speaker_gap,
    top_margin,
)
from muniment.retrieval.formulas.bridge import BridgeParameters, lifts, with_lifts
from muniment.retrieval.formulas.coverage import (
    CoverageWeights,
    Places,
    coverage,
    largest_score,
    question_penalty,
    spread_to_neighbours,
)
from muniment.retrieval.formulas.fusion import reciprocal_ranks
from muniment.retrieval.formulas.replies import inherit_meaning, inherit_words
from muniment.retrieval.formulas.rerank import (
    GroundingWeights,
    HitWeights,
    RerankWeights,
    grounding_score,
    hit_score,
    rerank_score,
)


def test_idf_is_lucenes() -> None:
    assert bm25.idf(10, 2) == pytest.approx(log(1 + 8.5 / 2.5))
    assert bm25.idf(10, 0) == pytest.approx(log(22))


@given(st.integers(0, 10**7), st.integers(0, 10**7))
@settings(deadline=None, max_examples=50)
def test_idf_is_never_negative(documents: int, holding: int) -> None:
    assert bm25.idf(documents, holding) >= 0


def test_a_term_adds_its_saturated_count_to_the_score() -> None:
    # idf 2, tf 3, |d| = avgdl: 2 * 3 * 2.5 / (3 + 1.5)
    assert bm25.term_score(2.0, 3, 20, 20, k1=1.5, b=0.75) == pytest.approx(15 / 4.5)
    # a document of twice the mean length: the norm is 1.5 * (0.25 + 0.75 * 2)
    assert bm25.term_score(2.0, 3, 40, 20, k1=1.5, b=0.75) == pytest.approx(15 / (3 + 1.5 * 1.75))
    assert bm25.term_score(2.0, 0, 40, 20, k1=1.5, b=0.75) == 0


def test_reciprocal_ranks_add_up_over_routes_by_weight() -> None:
    fused = reciprocal_ranks({"lexical": [7, 8], "graph": [8]}, {"graph": 0.85}, 60)
    assert fused == {7: pytest.approx(1 / 61), 8: pytest.approx(1 / 62 + 0.85 / 61)}


def test_rerank_is_the_reference_formula() -> None:
    score = rerank_score(RerankWeights(), cosine=0.5, confidence=0.8, stale=False, dated=True, fusion=0.25)
    assert score == pytest.approx(0.52 * 0.5 + 0.18 * 0.8 + 0.10 + 0.20 * 0.25)
    stale = rerank_score(
        RerankWeights(), cosine=0.5, confidence=0.8, stale=True, dated=False, fusion=0.25, modality_named=True
    )
    assert stale == pytest.approx(0.52 * 0.5 + 0.18 * 0.8 * 0.55 + 0.10 * 0.5 + 0.20 * 0.25 + 0.04)


def test_grounding_is_the_reference_formula() -> None:
    parts = {"cosine": 0.5, "overlap": 0.4, "fusion": 0.3, "rerank": 0.6, "confidence": 0.9, "graph": 0.7}
    raw = grounding_score(GroundingWeights(), **parts, raw=True)
    assert raw == pytest.approx(0.28 + 0.056 + 0.036 + 0.06 + 0.045 + 0.021 + 0.05)
    assert raw - grounding_score(GroundingWeights(), **parts, raw=False) == pytest.approx(0.05)


def test_hit_score_mixes_rerank_with_rank() -> None:
    assert hit_score(HitWeights(), rerank=0.6, rank=1, hits=4, kind="raw") == pytest.approx(0.39 + 0.35 * 0.75 + 0.06)
    assert hit_score(HitWeights(), rerank=0.6, rank=4, hits=4, kind="fact") == pytest.approx(0.39 + 0.04)


def places(groups: list[int], positions: list[int], lengths: list[float]) -> Places:
    return Places(np.array(groups), np.array(positions), np.array(lengths))


def test_a_neighbour_lends_its_terms_by_distance_and_length() -> None:
    counts = np.array([[1.0], [0.0], [2.0]])
    # positions 0, 1, 3 of one group: distances 1, 2, 3; the last is 80 tokens long, damped to one half
    spread, lengths = spread_to_neighbours(counts, places([1, 1, 1], [0, 1, 3], [10, 20, 80]), CoverageWeights())
    assert spread[:, 0] == pytest.approx([1 + 0.2 * 0.5 * 2, 0.5 * 1 + 0.3 * 0.5 * 2, 2 + 0.2 * 1])
    assert lengths == pytest.approx([10 + 0.5 * 20 + 0.2 * 40, 20 + 0.5 * 10 + 0.3 * 40, 80 + 0.3 * 20 + 0.2 * 10])


def test_nothing_is_lent_across_groups_or_beyond_the_kernel() -> None:
    counts = np.array([[1.0], [0.0], [0.0]])
    spread, lengths = spread_to_neighbours(counts, places([1, 2, 1], [0, 1, 5], [10, 10, 10]), CoverageWeights())
    assert spread[:, 0].tolist() == [1, 0, 0]
    assert lengths.tolist() == [10, 10, 10]


@given(st.permutations(range(6)))
@settings(deadline=None, max_examples=30)
def test_the_order_of_candidates_does_not_matter(order: list[int]) -> None:
    counts = np.arange(12.0).reshape(6, 2)
    groups, positions, lengths = [1, 1, 1, 2, 2, 1], [0, 1, 2, 0, 1, 6], [5, 50, 10, 7, 9, 30]
    spread, long = spread_to_neighbours(counts, places(groups, positions, lengths), CoverageWeights())
    shuffled = places([groups[i] for i in order], [positions[i] for i in order], [lengths[i] for i in order])
    other, other_long = spread_to_neighbours(counts[order], shuffled, CoverageWeights())
    assert np.allclose(other, spread[order])
    assert np.allclose(other_long, long[order])


def test_coverage_is_the_weighted_share_of_the_question() -> None:
    counts = np.array([[1.0, 0.0], [2.0, 1.0], [0.0, 0.0]])
    covered = coverage(counts, np.array([10.0, 20.0, 10.0]), 10.0, np.array([3.0, 1.0]), CoverageWeights())
    twice = 1.2 * (0.25 + 0.75 * 2)
    assert covered == pytest.approx([3 / 2.2 / 4, (3 * 2 / (2 + twice) + 1 / (1 + twice)) / 4, 0])


def test_a_question_without_known_terms_is_covered_by_nothing() -> None:
    none = np.zeros((2, 0))
    assert coverage(none, np.array([1.0, 2.0]), 1.0, np.zeros(0), CoverageWeights()).tolist() == [0, 0]


@given(st.lists(st.floats(0, 50), min_size=3, max_size=3), st.floats(1, 500))
@settings(deadline=None, max_examples=50)
def test_coverage_lies_between_none_and_all(counts: list[float], length: float) -> None:
    covered = coverage(np.array([counts]), np.array([length]), 30.0, np.array([1.0, 2.0, 0.5]), CoverageWeights())
    assert 0 <= covered[0] <= 1


def test_a_long_record_loses_less_for_ending_with_a_question() -> None:
    penalty = question_penalty(np.array([True, True, False]), np.array([10.0, 30.0, 10.0]), CoverageWeights())
    assert penalty == pytest.approx([0.07, 0.035, 0])


def test_the_largest_score_counts_every_part() -> None:
    assert largest_score(CoverageWeights()) == pytest.approx(1 + 0.7 + 0.2 + 0.2)


def test_the_gap_compares_the_named_persons_statements_with_those_of_others_who_speak() -> None:
    base = np.array([0.9, 0.8, 0.1, 0.5, 0.4, 0.99, 0.95])
    named = np.array([True, True, False, False, False, True, False])
    others = np.array([False, False, True, True, True, False, False])  # the last is a document
    asks = np.array([False, False, False, False, False, True, False])
    nobody = np.zeros(7, dtype=bool)
    assert speaker_gap(base, named, others, asks, best=2) == pytest.approx(0.85 - 0.45)
    assert speaker_gap(base, nobody, others, asks, best=2) is None
    assert speaker_gap(base, named, nobody, asks, best=2) is None


def test_answerability_weighs_gap_cosine_margin_and_what_is_held_where_somebody_is_named() -> None:
    signals = Signals(gap=0.1, cosine=0.6, margin=0.3, held=0.5, best_held=0.9)
    assert answerability(signals, AnswerabilityWeights()) == pytest.approx(12.5 * 0.1 + 2.8 * 0.6 - 2 * 0.3 + 2 * 0.5)


def test_answerability_rests_on_what_is_held_where_nobody_is_named() -> None:
    signals = Signals(gap=None, cosine=0.6, margin=0.3, held=0.5, best_held=0.9)
    assert answerability(signals, AnswerabilityWeights()) == pytest.approx(2 * 0.6 + 3 * 0.5 + 3 * 0.9 - 2)


def test_the_margin_is_over_the_mean_of_ranks_ten_to_fifty() -> None:
    base = np.linspace(1.0, 0.41, 60)
    assert top_margin(base, AnswerabilityWeights()) == pytest.approx(1.0 - base[9:50].mean())
    assert top_margin(np.array([0.9, 0.7]), AnswerabilityWeights()) == pytest.approx(0.2)


def test_terms_that_no_record_holds_count_in_the_shares_held() -> None:
    counts = np.array([[2.0, 0, 0], [1, 1, 0], [0, 0, 0]])
    first, best = held_shares(counts, np.array([1.0, 2.0, 3.0]), np.array([0, 1, 2]))
    assert (first, best) == (pytest.approx(1 / 6), pytest.approx(0.5))
    assert held_shares(counts, np.zeros(3), np.array([0, 1, 2])) == (0.0, 0.0)


def test_a_reply_gets_words_and_meaning_of_the_question_before_it() -> None:
    weights = CoverageWeights(reply=0.4, reply_cosine=0.3)
    places = Places(np.array([1, 1, 2]), np.array([4, 5, 5]), np.array([80.0, 20.0, 10.0]))
    asks = np.array([True, False, False])
    counts = np.array([[2.0], [0.0], [0.0]])
    more, longer = inherit_words(counts, asks, places, weights)
    assert more[:, 0] == pytest.approx([0, 0.4 * 1 * (40 / 80) * 2, 0])
    assert longer == pytest.approx([0, 0.4 * 40, 0])
    lifted = inherit_meaning(np.array([0.8, 0.2, 0.1]), asks, places, weights)
    assert lifted == pytest.approx([0.8, 0.2 + 0.3 * 0.6, 0.1])


def test_a_long_reply_inherits_less_and_one_further_on_nothing() -> None:
    weights = CoverageWeights(reply=0.4, reply_cosine=0.3)
    places = Places(np.array([1, 1, 1]), np.array([4, 5, 6]), np.array([10.0, 400.0, 10.0]))
    lifted = inherit_meaning(np.array([0.8, 0.2, 0.1]), np.array([True, False, False]), places, weights)
    assert lifted == pytest.approx([0.8, 0.2 + 0.3 * 0.1 * 0.6, 0.1])


def test_the_bridge_lifts_what_a_seed_names_but_never_past_the_best() -> None:
    parameters = BridgeParameters(weight=0.3)
    named = {7: frozenset({"palash sen", "x y"}), 8: frozenset({"palash sen", "long enough subject"})}
    about = {"palash sen": [9], "long enough subject": [10, 7, 8]}
    found = lifts([7, 8], named, about, parameters)
    assert {record_no: lift.amount for record_no, lift in found.items()} == {
        9: pytest.approx(0.3 * 10 / 12),
        10: pytest.approx(0.3 * 0.8),
    }
    assert found[9].seed == 7
    scores = with_lifts(np.array([1.0, 0.9, 0.2]), np.array([0.0, 0.3, 0.3]))
    assert scores == pytest.approx([1.0, 1.0 - 1e-4, 0.5])


def test_answerability_of_nothing_is_the_least() -> None:
    assert as_share(float("-inf")) == 0


@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6))
@settings(deadline=None, max_examples=100)
def test_a_share_keeps_the_order_within_bounds(first: float, second: float) -> None:
    low, high = sorted((first, second))
    assert 0 <= as_share(low) <= as_share(high) <= 1
