"""When the evidence does not carry an answer."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import floor
from typing import Any

from muniment.extraction.names import names_in
from muniment.retrieval.answer.claims import answered_by_claims
from muniment.retrieval.answer.saying import own_verb, topic
from muniment.retrieval.lessening import time_terms
from muniment.retrieval.participants import speakers_named
from muniment.retrieval.state import Evidence, Plan, Search

ABSTENTION = "I don't have enough grounded evidence to answer that."
_BESIDE_STEM = 0.5  # the weight of a word that has a stem


def known_share(plan: Plan, question: str, *, by_stems: bool = False) -> float:
    """The share of the question's terms, by weight and rarity, that the visible spaces hold; 1 without terms.

    Names of speakers do not count, which stand in few of their own statements, nor does the verb by which the question
    asks what somebody said, nor words of a time that nobody says: it is resolved, and records tell it in other words.
    ``by_stems`` leaves out the words that a stem stands for: in languages with many endings most are not held as they
    stand in the question.
    """
    times = time_terms(question, plan.times)
    about = topic(plan, question, plan.terms)
    told = [term for term in about if term.documents or term.term not in times]
    terms = [term for term in told if not by_stems or term.term.startswith("~") or term.weight > _BESIDE_STEM]
    whole = sum(term.weight * term.idf for term in terms)
    return sum(term.weight * term.idf for term in terms if term.documents > 0) / whole if whole > 0 else 1.0


@dataclass(frozen=True, slots=True)
class Reason:
    """Why no answer is given: the ``rule``, named as the profile's bound, in words ``because``; ``measured`` are what
    was held against the ``bounds``, by their names."""

    rule: str
    because: str
    measured: Mapping[str, float] = field(default_factory=dict)
    bounds: Mapping[str, float] = field(default_factory=dict)

    def detail(self) -> dict[str, Any]:
        """As the step of a query run keeps it."""
        told = {
            "measured": {name: round(value, 4) for name, value in self.measured.items()},
            "bounds": dict(self.bounds),
        }
        return {"rule": self.rule, "because": self.because} | {name: each for name, each in told.items() if each}


def reason_to_abstain(search: Search, evidence: list[Evidence]) -> Reason | None:
    """Why no answer is given, None where one may be.

    Nothing is left, the top hit scores too low, the question is about things that are not spoken of (few of its terms
    are held and nothing is near it in meaning), or about somebody of whom only other people's statements would tell,
    and those do not speak of them; or asks only of a time of which none tells; or its answerability is too low and no
    record is near it in meaning. All bounds are the profile's. None of these, but for the first, counts where a claim
    holds that answers what the question asks.
    """
    if not evidence:
        return Reason("no_evidence", f"no evidence was found{' in time' if search.partial else ''}")
    if answered_by_claims(search, evidence):
        return None
    alone = search.profile.coverage.time_alone > 0 and search.planned.only_time
    if alone and "temporal" in search.found:
        return _none_then(search, evidence)
    if search.planned.only_stop_words and not search.planned.named and not names_in(search.question):
        return Reason("no_words", "the question has no word that tells what it is about")
    bounds = search.profile.answer
    top = max(item.candidate.hit_score for item in evidence)
    if top < bounds.least_score:
        because = f"the top hit scores {shown_below(top)}, less than least_score {bounds.least_score:g}"
        return Reason("least_score", because, {"score": top}, {"least_score": bounds.least_score})
    return _not_spoken_of(search) or _of_others(search, evidence) or _unanswerable(search, evidence)


def _none_then(search: Search, found: list[Evidence]) -> Reason | None:
    named = search.planned.named
    within = [item for item in found if item.candidate.record_no in search.inside | search.partly]
    if any(not named or item.speaker in named or speakers_named(item.text, named) for item in within):
        return None
    if within:
        because = "nothing that tells of the time that was asked about is of whom the question names"
        return Reason("none_within_time", because)
    evidence = {item.candidate.record_no for item in found}
    if not evidence.isdisjoint(search.around):
        because = "no record tells of the time that was asked about itself, only of far longer ones around it"
    else:
        because = "no record tells of the time that was asked about"
    return Reason("none_within_time", because)


def shown_below(value: float) -> str:
    """A value that is less than a bound, rounded down, so that it is seen to be less."""
    return f"{floor(value * 1000) / 1000:.3f}"


def _cosine(search: Search) -> float:
    return search.best_cosine if search.best_cosine is not None else 0.0


def _not_spoken_of(search: Search) -> Reason | None:
    bounds, share, cosine = (
        search.profile.answer,
        known_share(search.planned, search.question, by_stems=search.language != "english"),
        _cosine(search),
    )
    if share > bounds.unknown_share or cosine >= bounds.unknown_cosine:
        return None
    because = (
        f"{share:.0%} of the question's terms are known, no more than unknown_share {bounds.unknown_share:.0%}, and "
        f"the best cosine is {shown_below(cosine)}, less than unknown_cosine {bounds.unknown_cosine:g}"
    )
    given = {"unknown_share": bounds.unknown_share, "unknown_cosine": bounds.unknown_cosine}
    return Reason("unknown_share", because, {"share": share, "cosine": cosine}, given)


def _of_others(search: Search, evidence: list[Evidence]) -> Reason | None:
    bounds, gap = search.profile.answer, search.speaker_gap
    if gap is None or gap > bounds.other_gap or _speaks_of_the_named(search.planned, evidence):
        return None
    if own_verb(search.question) is not None and spoken_of_by_the_named(search, evidence):
        return None
    because = (
        f"others' statements fit better than the named person's by {-gap:.3f}; other_gap allows less than "
        f"{-bounds.other_gap:g}"
    )
    return Reason("other_gap", because, {"gap": gap}, {"other_gap": bounds.other_gap})


def spoken_of_by_the_named(search: Search, evidence: list[Evidence]) -> bool:
    """Whether a named person's own words hold most of what the question is about, by weight."""
    weights = {
        term.term.removeprefix("~"): term.weight * term.idf
        for term in topic(search.planned, search.question, search.planned.held)
    }
    least = search.profile.answer.told_share * sum(weights.values())
    said = (item.text.casefold() for item in evidence if item.speaker in search.planned.named)
    return (
        any(sum(weight for word, weight in weights.items() if word in text) >= least for text in said)
        if weights
        else False
    )


def _unanswerable(search: Search, evidence: list[Evidence]) -> Reason | None:
    bounds, cosine, answerability = search.profile.answer, _cosine(search), search.answerability
    rule = "least_answerable" if search.speaker_gap is None else "least_answerable_named"
    least: float = getattr(bounds, rule)
    if search.speaker_gap is None and evidence[0].candidate.record_no in search.inside:
        least -= bounds.dated_leeway
    if answerability is None or answerability >= least or cosine >= bounds.sure_cosine:
        return None
    because = (
        f"the question looks unanswerable here: {shown_below(answerability)}, less than {rule} {least:g}, and the best "
        f"cosine is {shown_below(cosine)}, less than sure_cosine {bounds.sure_cosine:g}"
    )
    measured = {"answerability": answerability, "cosine": cosine}
    return Reason(rule, because, measured, {rule: least, "sure_cosine": bounds.sure_cosine})


def _speaks_of_the_named(plan: Plan, evidence: list[Evidence]) -> bool:
    """Whether the best record that the named persons did not say holds one of their names."""
    best = next((item for item in evidence if item.speaker not in plan.named), None)
    return best is not None and bool(speakers_named(best.text, plan.named))
