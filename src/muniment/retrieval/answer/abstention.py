"""When the evidence does not carry an answer."""

from muniment.retrieval.answer.claims import answered_by_claims
from muniment.retrieval.participants import speakers_named
from muniment.retrieval.state import Evidence, Plan, Search

ABSTENTION = "I don't have enough grounded evidence to answer that."


def known_share(plan: Plan) -> float:
    """The share of the question's terms, by weight and rarity, that the visible spaces hold; 1 without terms."""
    whole = sum(term.weight * term.idf for term in plan.terms)
    return sum(term.weight * term.idf for term in plan.held) / whole if whole > 0 else 1.0


def reason_to_abstain(search: Search, evidence: list[Evidence]) -> str | None:
    """Why no answer is given, None where one may be.

    Nothing is left, the top hit scores too low, the question is about things that are not spoken of (few of its terms
    are held and nothing is near it in meaning), or about somebody of whom only other people's statements would tell,
    and those do not speak of them; or its answerability is too low and no record is near it in meaning. All bounds are
    the profile's. None of these, but for the first, counts where a claim holds that answers what the question asks.
    """
    bounds = search.profile.answer
    if not evidence:
        return "no evidence"
    if answered_by_claims(search, evidence):
        return None
    top = max(item.candidate.hit_score for item in evidence)
    if top < bounds.least_score:
        return f"the top hit scores {top:.3f}, less than {bounds.least_score:g}"
    share = known_share(search.planned)
    cosine = search.best_cosine if search.best_cosine is not None else 0.0
    if share <= bounds.unknown_share and cosine < bounds.unknown_cosine:
        return f"{share:.0%} of the question's terms are known and the best cosine is {cosine:.3f}"
    gap = search.speaker_gap
    if gap is not None and gap <= bounds.other_gap and not _speaks_of_the_named(search.planned, evidence):
        return f"others' statements fit better than the named person's by {-gap:.3f}"
    least = bounds.least_answerable if gap is None else bounds.least_answerable_named
    if search.answerability is not None and search.answerability < least and cosine < bounds.sure_cosine:
        return f"the question looks unanswerable here: {search.answerability:.3f}, less than {least:g}"
    return None


def _speaks_of_the_named(plan: Plan, evidence: list[Evidence]) -> bool:
    """Whether the best record that the named persons did not say holds one of their names."""
    best = next((item for item in evidence if item.speaker not in plan.named), None)
    return best is not None and bool(speakers_named(best.text, plan.named))
