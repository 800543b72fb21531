"""The ranking of the default profile: coverage of the question with the neighbours' help, plus cosine and boosts."""

import numpy as np

from muniment.retrieval.formulas.answerability import answerability, speaker_gap
from muniment.retrieval.formulas.coverage import coverage, largest_score, question_penalty, spread_to_neighbours
from muniment.retrieval.ranking.dates import date_hits
from muniment.retrieval.ranking.facts import Facts, Floats
from muniment.retrieval.ranking.ranked import Ranked
from muniment.retrieval.state import Search


def rank(search: Search, facts: Facts, fused: Floats, months: list[frozenset[str]]) -> Ranked:
    """Scores the candidates; ``fused`` does not count here. Hit scores are shares of the largest possible score."""
    plan, weights = search.planned, search.profile.coverage
    days = facts.days if search.runs("dates") else [None] * len(facts)
    dates = date_hits([term.term for term in facts.terms], days, months)
    held = np.array([term.documents > 0 for term in facts.terms], dtype=np.bool_) | (dates.sum(axis=0) > 0)
    importance = np.array([term.weight * term.idf for term in facts.terms], dtype=np.float64) * held
    if search.runs("neighbours"):
        spread, lengths = spread_to_neighbours(facts.counts, facts.places, weights)
    else:
        spread, lengths = facts.counts, facts.places.length
    mean_length = plan.mean_length + float((lengths - facts.places.length).mean())
    covered = coverage(spread + weights.date * dates, lengths, mean_length, importance, weights)
    base = covered + weights.cosine * facts.cosines
    named = np.asarray(weights.speaker * facts.named, dtype=np.float64)
    mine = np.asarray(weights.first_person * plan.first_person * facts.by_user, dtype=np.float64)
    penalty = question_penalty(facts.asks, facts.places.length, weights)
    scores = base + named + mine - penalty
    gap = speaker_gap(base, facts.named, facts.asks, search.profile.answerability.best)
    return Ranked(
        scores=scores,
        hit_scores=np.clip(scores / largest_score(weights), 0.0, 1.0),
        confidence=np.clip(scores / largest_score(weights), 0.0, 1.0),
        gap=gap,
        answerability=answerability(base, facts.cosines, gap, search.profile.answerability),
        parts={
            "coverage": covered,
            "cosine": facts.cosines,
            "speaker": named,
            "first_person": mine,
            "question": -penalty,
        },
        detail={"mean_length": mean_length, "terms_counted": int(held.sum())},
    )
