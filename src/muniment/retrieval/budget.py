"""The stage that keeps the evidence of an answer within its budget of tokens and of records a group."""

from typing import Any

from muniment.providers.tokens import EstimatedTokens
from muniment.retrieval.parameters import BudgetParameters
from muniment.retrieval.state import Evidence, Search


def within_budget(
    evidence: list[Evidence], top_k: int, parameters: BudgetParameters
) -> tuple[list[Evidence], dict[str, Any]]:
    """The evidence that fits, in its order, and what was left out and why.

    Where more than one group is in the pool, a group gives at most max(4, top_k / 2) records; a group gives at most
    2,000 tokens and all groups 6,000. What does not fit is passed over, and smaller records after it may still fit.
    A first record that is larger than the whole budget is kept, since it may hold the answer.
    """
    several = len({item.candidate.group_no for item in evidence}) > 1
    most = max(parameters.least_per_group, int(top_k * parameters.group_share)) if several else len(evidence)
    kept: list[Evidence] = []
    records: dict[int, int] = {}
    tokens: dict[int, int] = {}
    counter = EstimatedTokens(parameters.characters_per_token)
    left_out = {"group_records": 0, "group_tokens": 0, "tokens": 0}
    dropped: dict[str, list[int]] = {reason: [] for reason in left_out}

    def drop(item: Evidence, reason: str) -> None:
        left_out[reason] += 1
        dropped[reason].append(item.candidate.record_no)

    for item in evidence:
        group = item.candidate.group_no
        size = counter.count(item.text)
        if records.get(group, 0) >= most:
            drop(item, "group_records")
        elif kept and tokens.get(group, 0) + size > parameters.group_tokens:
            drop(item, "group_tokens")
        elif kept and sum(tokens.values()) + size > parameters.tokens:
            drop(item, "tokens")
        else:
            kept.append(item)
            records[group] = records.get(group, 0) + 1
            tokens[group] = tokens.get(group, 0) + size
    detail = {
        "tokens": sum(tokens.values()),
        "tokens_are": counter.label,
        "left_out": left_out,
        "dropped": dropped,
        "most_per_group": most,
    }
    return kept, detail


async def fit_budget(search: Search) -> tuple[str, dict[str, Any]]:
    """Cuts ``search.evidence`` to the profile's budget."""
    before = len(search.evidence)
    search.evidence, detail = within_budget(search.evidence, search.top_k, search.profile.budget)
    return f"{len(search.evidence)} of {before} kept", detail
