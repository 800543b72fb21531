"""Context in units: the records that a search finds, the facts and episodes that rest on them, profiles beside them.

Facts say from when to when they hold and how they stand. A question that is about no other time than its own, or
``as_of``, gets none that had ended by then; one that asks when, before or after what, or of the past, gets them marked.

Records come first and lead to the rest, so that nothing of it is there which no record of the search supports. Each
unit that is asked for gets its share of the tokens; what one leaves goes to the others.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

from muniment.database.pool import Database
from muniment.database.served import note_served_lines
from muniment.database.spaces import visible_spaces
from muniment.model.context import Context, ContextRequest, ContextUnit, Unit
from muniment.model.identifiers import RECORD, SUMMARY, parse_id, public_id
from muniment.model.request import SearchRequest
from muniment.model.result import SearchResult
from muniment.providers.tokens import EstimatedTokens, TokenCounter
from muniment.providers.withholding import withholding
from muniment.retrieval.engine import Retriever
from muniment.retrieval.planning.intent import intent_of
from muniment.retrieval.standing import standing

_FACTS: Final = 25
_SUMMARIES: Final = 4
_OF_RECORDS: Final[Mapping[Unit, tuple[str, str, Mapping[str, Any]]]] = {
    "fact": ("context.facts", RECORD, {"most": _FACTS}),
    "episode": ("context.episodes", SUMMARY, {"most": _SUMMARIES}),
    "profile": ("context.profiles", SUMMARY, {"most": _SUMMARIES}),
}
"""Which statement gives the units that rest on records, what their ids begin with, and how many there are at most."""
_TIME: Final = re.compile(
    r"\b(?:(?:19|20)\d\d|yesterday|ago|last (?:week|month|year)|used to|formerly|previously|earlier|ever|still"
    r"|did|was|were|had)\b",
    re.IGNORECASE,
)  # what a question about the past holds


async def gather_context(retriever: Retriever, database: Database, tenant: int, request: ContextRequest) -> Context:
    """Searches, and gathers the units. Raises as ``Retriever.search``."""
    given = request.model_dump(exclude={"question", "units", "tokens"}, exclude_unset=True)
    found = await retriever.search(tenant, SearchRequest(query=request.question, **given))
    notes = list(found.notes)
    units = list(dict.fromkeys(request.units))
    if request.as_of is not None and "profile" in units:
        units.remove("profile")
        notes.append("profiles tell what is known, not what held at as_of: none is given")
    counter = EstimatedTokens()
    pools = {"raw": _raw(found, counter)} | await _derived(database, tenant, request, found, units, counter)
    kept = _within({unit: pools.get(unit, []) for unit in units}, request.tokens)
    if kept and database.settings.served_retention_days > 0:
        async with database.scope(tenant) as scope:
            await note_served_lines(scope, [(_bases(each), each.text) for each in kept])
    return Context(
        query_id=found.query_id,
        question=request.question,
        units=kept,
        tokens=sum(each.tokens for each in kept),
        tokens_are=counter.label,
        partial=found.partial,
        notes=notes,
    )


def _raw(found: SearchResult, counter: TokenCounter) -> list[ContextUnit]:
    units = []
    for hit in found.hits:
        head = " ".join(part for part in (hit.at and f"[{hit.at:%Y-%m-%d %H:%M}]", hit.speaker) if part)
        text = f"{head}: {hit.text}" if head else hit.text
        units.append(_unit("raw", hit.record_id, text, [hit.record_id], counter))
    return units


async def _derived(
    database: Database, tenant: int, request: ContextRequest, found: SearchResult, units: Sequence[Unit],
    counter: TokenCounter,
) -> dict[Unit, list[ContextUnit]]:  # fmt: skip
    """Facts, episodes and profiles that rest on the records found, as they counted at the commit asked about."""
    wanted = [unit for unit in units if unit != "raw"]
    ids = [identity for hit in found.hits if (identity := parse_id(RECORD, hit.record_id)) is not None]
    if not wanted or not ids:
        return {}
    pools: dict[Unit, list[ContextUnit]] = {}
    at = request.as_of or request.asked_at or datetime.now(UTC)
    async with database.scope(tenant) as scope:
        given = {
            "record_ids": ids,
            "spaces": await visible_spaces(scope, request.namespace),
            "known_at": request.known_at,
        }
        screen = await withholding(scope)
        for unit, (statement, prefix, more) in _OF_RECORDS.items():
            if unit not in wanted:
                continue
            if unit == "fact":
                more = {**more, "as_of": request.as_of, "at": at, "ended": _about_all_times(request)}
            rows: Sequence[Mapping[str, Any]] = await scope.rows(statement, **given, **more)
            rows = rows if screen is None else (await screen.rows(rows))[0]
            pools[unit] = [_derived_unit(unit, prefix, row, at, counter) for row in rows]
    return pools


def _bases(unit: ContextUnit) -> list[UUID]:
    return [identity for record in unit.records if (identity := parse_id(RECORD, record)) is not None]


def _about_all_times(request: ContextRequest) -> bool:
    if request.as_of is not None:
        return False
    return intent_of(request.question)[0] == "temporal" or bool(_TIME.search(request.question))


def _derived_unit(unit: Unit, prefix: str, row: Mapping[str, Any], at: datetime, counter: TokenCounter) -> ContextUnit:
    records = [public_id(RECORD, each) for each in row["bases"]]
    told = standing(row, at) if unit == "fact" else ""
    text = f"[{told}]: {row['text']}" if told else row["text"]
    return _unit(unit, public_id(prefix, row["id"]), text, records, counter)


def _unit(unit: Unit, identity: str, text: str, records: list[str], counter: TokenCounter) -> ContextUnit:
    return ContextUnit(unit=unit, id=identity, text=text, records=records, tokens=counter.count(text))


def _within(pools: Mapping[Unit, Sequence[ContextUnit]], tokens: int) -> list[ContextUnit]:
    """What fits: first each unit within its share, then all of them within what is left, in their order."""
    kept: dict[Unit, list[ContextUnit]] = {unit: [] for unit in pools}
    left = tokens
    for unit, pool in pools.items():
        share = tokens // len(pools)
        for each in pool:
            if each.tokens <= min(share, left):
                kept[unit].append(each)
                share -= each.tokens
                left -= each.tokens
    for unit, pool in pools.items():
        taken = {each.id for each in kept[unit]}
        for each in pool:
            if each.id not in taken and each.tokens <= left:
                kept[unit].append(each)
                left -= each.tokens
        order = {each.id: place for place, each in enumerate(pool)}
        kept[unit].sort(key=lambda each: order[each.id])
    return [each for several in kept.values() for each in several]
