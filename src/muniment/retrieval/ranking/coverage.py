"""The ranking of the default profile: coverage of the question with the neighbours' help, plus cosine and boosts."""

from dataclasses import dataclass

import numpy as np

from muniment.retrieval.formulas.answerability import answerability
from muniment.retrieval.formulas.bridge import with_lifts
from muniment.retrieval.formulas.coverage import (
    coverage,
    largest_score,
    question_penalty,
    spread_to_neighbours,
    term_coverage,
)
from muniment.retrieval.formulas.replies import inherit_meaning, inherit_words
from muniment.retrieval.ranking.dates import date_hits, months_meant
from muniment.retrieval.ranking.facts import Facts, Floats
from muniment.retrieval.ranking.ranked import Ranked, Shares
from muniment.retrieval.ranking.ranking import Ranking
from muniment.retrieval.ranking.signals import signals_of
from muniment.retrieval.state import Search

_APART = 1e-4  # between what holds and what no longer does


@dataclass(frozen=True, slots=True)
class _Weighed:
    """Counts with neighbours and dates (n, m), lengths with neighbours (n), the weights of the terms (m), and whether
    a term is in a record's date (n, m)."""

    counts: Floats
    lengths: Floats
    mean_length: float
    importance: Floats
    dated: Floats


def rank(search: Search, facts: Facts, fused: Floats, months: list[frozenset[str]]) -> Ranked:
    """Scores the candidates; ``fused`` does not count here. Hit scores are shares of the largest possible score."""
    weights = search.profile.coverage
    weighed = _weigh(search, facts, months)
    covered = coverage(weighed.counts, weighed.lengths, weighed.mean_length, weighed.importance, weights)
    cosines = _cosines(search, facts)
    base = covered + weights.cosine * cosines
    said = _words_count(search)
    named, mine, penalty = _boosts(search, facts)
    timed = _timed(search, facts)
    scores = said * base + named + mine - penalty + timed
    held = _held(search, facts, scores)
    scores = scores + held
    lifted = _lifted(search, facts, scores)
    scores = scores + lifted
    signals = signals_of(search, facts, base)
    return Ranked(
        scores=scores,
        hit_scores=np.clip(scores / largest_score(weights), 0.0, 1.0),
        confidence=np.clip(scores / largest_score(weights), 0.0, 1.0),
        gap=signals.gap,
        answerability=answerability(signals, search.profile.answerability),
        parts={
            "coverage": said * covered,
            "cosine": said * cosines,
            "speaker": named,
            "first_person": mine,
            "question": -penalty,
            "time": timed,
            "claims": held,
            "bridge": lifted,
        },
        detail={"mean_length": weighed.mean_length, "terms_counted": int((weighed.importance > 0).sum())},
    )


def shares(search: Search, facts: Facts, _: Floats, months: list[frozenset[str]]) -> Shares:
    """The parts of the hit scores, and of the coverage term by term."""
    weights = search.profile.coverage
    weighed = _weigh(search, facts, months)
    said = _words_count(search)
    covered = said * term_coverage(weighed.counts, weighed.lengths, weighed.mean_length, weighed.importance, weights)
    named, mine, penalty = _boosts(search, facts)
    parts = {
        "coverage": np.asarray(covered.sum(axis=1), dtype=np.float64),
        "cosine": said * weights.cosine * _cosines(search, facts),
        "speaker": named,
        "first_person": mine,
        "question": -penalty,
        "time": _timed(search, facts),
    }
    parts["claims"] = _held(search, facts, sum(parts.values(), np.zeros(len(facts))))
    parts["bridge"] = _lifted(search, facts, sum(parts.values(), np.zeros(len(facts))))
    whole = largest_score(weights)
    return Shares(
        parts={name: np.asarray(part / whole, dtype=np.float64) for name, part in parts.items()},
        counts=weighed.counts,
        dated=weighed.dated,
        covered=np.asarray(covered / whole, dtype=np.float64),
    )


def _weigh(search: Search, facts: Facts, months: list[frozenset[str]]) -> _Weighed:
    weights = search.profile.coverage
    days = facts.days if search.runs("dates") else [None] * len(facts)
    plan = search.planned
    months = months_meant(search.question, plan.times, plan.named.values(), months)
    dated = date_hits([term.term for term in facts.terms], days, months)
    held = np.array([term.documents > 0 for term in facts.terms], dtype=np.bool_) | (dated.sum(axis=0) > 0)
    importance = np.array([term.weight * term.idf for term in facts.terms], dtype=np.float64) * held
    if search.runs("neighbours"):
        spread, lengths = spread_to_neighbours(facts.counts, facts.places, weights)
        inherited, longer = inherit_words(facts.counts, facts.asks, facts.places, weights)
        spread, lengths = spread + inherited, lengths + longer
    else:
        spread, lengths = facts.counts, facts.places.length
    mean_length = plan.mean_length + float((lengths - facts.places.length).mean())
    return _Weighed(spread + weights.date * dated, lengths, mean_length, importance, dated)


def _cosines(search: Search, facts: Facts) -> Floats:
    if not search.runs("neighbours"):
        return facts.cosines
    return inherit_meaning(facts.cosines, facts.asks, facts.places, search.profile.coverage)


def _lifted(search: Search, facts: Facts, scores: Floats) -> Floats:
    """What is added to records that are about what one of the best names."""
    amounts = {item.record_no: item.score for item in search.found.get("bridge", [])}
    if not amounts:
        return np.zeros(len(facts))
    lifted = with_lifts(scores, np.array([amounts.get(record_no, 0.0) for record_no in facts.records]))
    return np.asarray(lifted - scores, dtype=np.float64)


def _held(search: Search, facts: Facts, scores: Floats) -> Floats:
    """What is added to records that tell what holds at the time asked about, and taken from what no longer does.

    Nothing is lifted past the best of those that are left, and what no longer holds comes after the best of those that
    tell what does.
    """
    if not search.telling and not search.outdated:
        return np.zeros(len(facts))
    weight = search.profile.claims.weight
    outdated = np.array([record_no in search.outdated for record_no in facts.records], dtype=np.bool_)
    telling = np.array([record_no in search.telling for record_no in facts.records], dtype=np.bool_)
    lifted = with_lifts(np.asarray(scores - weight * outdated, dtype=np.float64), np.where(telling, weight, 0.0))
    if telling.any():
        below = float(lifted[telling].max()) - _APART
        lifted = np.where(outdated, np.minimum(lifted, below), lifted)
    return np.asarray(lifted - scores, dtype=np.float64)


def _timed(search: Search, facts: Facts) -> Floats:
    """What is added to records whose times are near the one that the question names."""
    found = [] if search.planned.time is None else search.found.get("temporal", [])
    scores = {item.record_no: item.score for item in found}
    near = np.array([scores.get(record_no, 0.0) for record_no in facts.records], dtype=np.float64)
    weights = search.profile.coverage
    alone = search.planned.only_time and weights.time_alone > 0
    inside = np.array([record_no in search.inside for record_no in facts.records], dtype=np.float64)
    factor = weights.time_alone if alone else weights.time
    return np.asarray(factor * near + weights.inside * inside * bool(found), dtype=np.float64)


def _words_count(search: Search) -> float:
    """How much of coverage and cosine counts: little where the question asks of nothing but a time."""
    return search.profile.coverage.words_beside if search.planned.only_time and search.found.get("temporal") else 1.0


def _boosts(search: Search, facts: Facts) -> tuple[Floats, Floats, Floats]:
    """What is added for a speaker whom the question names and for the asker's own words, and taken for asking."""
    weights = search.profile.coverage
    # what somebody did at a time: next to no words tell it from what others did
    count = _words_count(search)
    speaker = weights.speaker if count >= 1 else max(weights.speaker, weights.speaker_alone)
    named = np.asarray(speaker * facts.named, dtype=np.float64)
    mine = np.asarray(weights.first_person * search.planned.first_person * facts.by_user, dtype=np.float64)
    return named, mine, question_penalty(facts.asks, facts.places.length, weights)


RANKING = Ranking("coverage", rank, shares)
