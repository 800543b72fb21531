"""The stage that keeps the evidence of an answer within its budget of tokens and of records a group."""

from collections.abc import Mapping
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
    spent: dict[str, list[list[int]]] = {reason: [] for reason in left_out}

    def drop(item: Evidence, reason: str, used: int, size: int) -> None:
        left_out[reason] += 1
        dropped[reason].append(item.candidate.record_no)
        spent[reason].append([used, size])

    for item in evidence:
        group = item.candidate.group_no
        size = counter.count(item.text)
        of_group, of_all = tokens.get(group, 0), sum(tokens.values())
        if records.get(group, 0) >= most:
            drop(item, "group_records", records[group], 1)
        elif kept and of_group + size > parameters.group_tokens:
            drop(item, "group_tokens", of_group, size)
        elif kept and of_all + size > parameters.tokens:
            drop(item, "tokens", of_all, size)
        else:
            kept.append(item)
            records[group] = records.get(group, 0) + 1
            tokens[group] = tokens.get(group, 0) + size
    detail = {
        "tokens": sum(tokens.values()),
        "tokens_are": counter.label,
        "left_out": left_out,
        "dropped": dropped,
        "spent": spent,  # what was used up already when each of the dropped came, and what it would have taken
        "most": {"group_records": most, "group_tokens": parameters.group_tokens, "tokens": parameters.tokens},
        "most_per_group": most,
    }
    return kept, detail


async def fit_budget(search: Search) -> tuple[str, dict[str, Any]]:
    """Cuts ``search.evidence`` to the profile's budget."""
    before = len(search.evidence)
    search.evidence, detail = within_budget(search.evidence, search.top_k, search.profile.budget)
    note_what_lacks(search, detail)
    return f"{len(search.evidence)} of {before} kept", detail


_LEFT_OUT = {
    "group_records": "{n} beyond the {most} records that a group may give",
    "group_tokens": "{n} beyond the {most} tokens of a group (group_tokens)",
    "tokens": "{n} beyond the {most} tokens of an answer (tokens)",
}


def note_what_lacks(search: Search, detail: Mapping[str, Any]) -> None:
    """Says in the result that an answer rests on fewer records than were asked for, and why."""
    kept, left_out = len(search.evidence), {why: n for why, n in detail["left_out"].items() if n}
    if kept >= search.top_k:
        return
    told = [_LEFT_OUT[why].format(n=n, most=detail["most"][why]) for why, n in left_out.items()]
    if kept + sum(left_out.values()) < search.top_k:
        told.append("nothing else was found in time" if search.partial else "nothing else was found")
    search.note(f"the answer rests on {kept} records instead of {search.top_k}: {', '.join(told)}")
