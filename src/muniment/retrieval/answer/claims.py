"""Where claims answer a question: what its evidence says of what holds, and of what does not hold any more."""

from muniment.retrieval.state import Evidence, Search


def answered_by_claims(search: Search, evidence: list[Evidence]) -> bool:
    """Whether the evidence tells of what holds, and nothing that weighs much is asked beside it."""
    if not any(item.candidate.record_no in search.holding for item in evidence):
        return False
    weights = {term.term: term.weight * term.idf for term in search.planned.terms}
    told = sum(weight for term, weight in weights.items() if term in search.told_terms)
    return told > 0 and told >= search.profile.answer.told_share * sum(weights.values())


def tells_what_holds(search: Search, item: Evidence, sentence: str, begin: int) -> bool:
    """Whether a sentence that begins at the character ``begin`` of a record says what holds."""
    return _overlaps(sentence, begin, search.holding.get(item.candidate.record_no, []))


def tells_what_ended(search: Search, item: Evidence, sentence: str, begin: int) -> bool:
    """Whether it says what does not hold at the time asked about, and nothing in its record what does."""
    spans = search.outdated.get(item.candidate.record_no, []) if search.told_terms else []
    return _overlaps(sentence, begin, spans)


def _overlaps(sentence: str, begin: int, spans: list[tuple[int, int]]) -> bool:
    return any(begin < last and first < begin + len(sentence) for first, last in spans)
