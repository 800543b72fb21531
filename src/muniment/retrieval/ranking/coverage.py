"""The ranking of the default profile: coverage of the question with the neighbours' help, plus cosine and boosts."""

from typing import Any

import numpy as np

from muniment.retrieval.formulas.answerability import answerability, speaker_gap
from muniment.retrieval.formulas.coverage import coverage, largest_score, question_penalty, spread_to_neighbours
from muniment.retrieval.ranking.dates import date_hits
from muniment.retrieval.ranking.facts import Facts
from muniment.retrieval.state import Candidate, Search


def rank(search: Search, facts: Facts, candidates: list[Candidate], months: list[frozenset[str]]) -> dict[str, Any]:
    """Puts a score on each candidate, in the order of ``facts``, and the answerability on the search."""
    profile = search.profile
    weights = profile.coverage
    dates = date_hits([term.term for term in facts.terms], facts.said, months)
    held = np.array([term.documents > 0 for term in facts.terms]) | (dates.sum(axis=0) > 0)
    importance = np.array([term.weight * term.idf for term in facts.terms]) * held
    spread, lengths = spread_to_neighbours(facts.counts, facts.places, weights)
    own = facts.places.length
    mean_length = search.planned.mean_length + float((lengths - own).mean())
    covered = coverage(spread + weights.date * dates, lengths, mean_length, importance, weights)
    base = covered + weights.cosine * facts.cosines
    named = np.array([speaker in search.planned.named for speaker in facts.speakers])
    mine = np.array([role == "user" for role in facts.roles]) & search.planned.first_person
    penalty = question_penalty(facts.asks, own, weights)
    scores = base + weights.speaker * named + weights.first_person * mine - penalty
    largest = largest_score(weights)
    for i, candidate in enumerate(candidates):
        candidate.score = float(scores[i])
        candidate.hit_score = min(1.0, max(0.0, candidate.score / largest))
        candidate.parts = {
            "coverage": float(covered[i]),
            "cosine": float(facts.cosines[i]),
            "speaker": float(weights.speaker * named[i]),
            "first_person": float(weights.first_person * mine[i]),
            "question": -float(penalty[i]),
        }
    gap = speaker_gap(base, named, facts.asks, profile.answerability.best)
    search.answerability = answerability(base, facts.cosines, gap, profile.answerability)
    return {"speaker_gap": gap, "mean_length": mean_length, "terms_counted": int(held.sum())}
