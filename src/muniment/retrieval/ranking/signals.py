"""The signals of answerability, read from the facts of the candidates."""

import numpy as np

from muniment.retrieval.formulas.answerability import Signals, held_shares, speaker_gap, top_margin
from muniment.retrieval.participants import name_parts, of_name
from muniment.retrieval.ranking.facts import Facts, Floats
from muniment.retrieval.state import Search


def signals_of(search: Search, facts: Facts, base: Floats) -> Signals:
    """``base`` are the scores (n, at least one) without boosts. Names of speakers do not count as terms here: every
    turn that greets somebody holds them."""
    weights = search.profile.answerability
    parts = name_parts(search.planned.named.values())
    telling = np.array([_tells(term.term, term.weight, parts) for term in facts.terms], dtype=np.float64)
    importance = telling * np.array([term.weight * term.idf for term in facts.terms], dtype=np.float64)
    held, best_held = held_shares(facts.counts, importance, np.argsort(-base, kind="stable"))
    spoken = np.array([modality == "conversation" for modality in facts.modalities], dtype=np.bool_)
    return Signals(
        gap=speaker_gap(base, facts.named, spoken & ~facts.named, facts.asks, weights.best),
        cosine=float(facts.cosines.max()),
        margin=top_margin(base, weights),
        held=held,
        best_held=best_held,
    )


def _tells(term: str, weight: float, names: frozenset[str]) -> bool:
    """Whether a term stands for a word of the question: its stem, or itself where it has none; and is no name."""
    return weight >= 1 and not of_name(term, names)
