"""Whether a ranked list is good enough to go on with (the specification's section 7)."""

from collections.abc import Mapping, Sequence


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """The shared tokens among all tokens of two texts; 0 where both have none."""
    union = len(one | other)
    return len(one & other) / union if union else 0.0


def agreement(texts: Sequence[frozenset[str]]) -> float:
    """The mean token Jaccard of the first text with those after it; 0 where it is alone."""
    rest = texts[1:]
    return sum(jaccard(texts[0], other) for other in rest) / len(rest) if rest else 0.0


def confident(
    scores: Sequence[float], agree: float, *, top: float, margin: float, least_agreement: float
) -> tuple[bool, str]:
    """Whether the list is good enough, and why or why not.

    ``scores`` are those of the hits, best first, and ``agree`` the agreement of the first five. A hit must score more
    than ``top``; then a single hit, a margin of at least ``margin`` between the first two, or an agreement of at least
    ``least_agreement`` is enough.
    """
    if not scores:
        return False, "nothing was found"
    if scores[0] <= top:
        return False, f"the top hit scores {scores[0]:.4f}, no more than {top:g}"
    if len(scores) == 1:
        return True, "there is one hit only"
    lead = scores[0] - scores[1]
    if lead >= margin:
        return True, f"the top hit leads by {lead:.4f}"
    if agree >= least_agreement:
        return True, f"the first five agree by {agree:.4f}"
    return False, f"the top hit leads by {lead:.4f} and the first five agree by {agree:.4f}"


def telling_terms(counts: Sequence[Mapping[str, int]], known: frozenset[str], most: int) -> list[str]:
    """The ``most`` frequent terms over some texts that are not ``known``, ties by the alphabet."""
    total: dict[str, int] = {}
    for text in counts:
        for term, count in text.items():
            if term not in known:
                total[term] = total.get(term, 0) + count
    return sorted(total, key=lambda term: (-total[term], term))[:most]
