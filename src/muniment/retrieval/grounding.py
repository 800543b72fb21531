"""The stage that turns candidates into evidence: log records, whole, live at the commit the question is about."""

import re
from collections import Counter
from collections.abc import Mapping
from datetime import datetime, timedelta, timezone
from functools import partial
from typing import Any

from muniment.providers.withholding import Withholding, withheld_note, withholding_by
from muniment.retrieval.guarding import guarded
from muniment.retrieval.state import Candidate, Evidence, Search
from muniment.retrieval.withheld_matches import found_by_withheld_words

_SPARE = 20
_TRACED = 100
_LEAST_SECONDS = 0.25  # to read the hits, also where the time is up
_TOKEN = re.compile(r"\w+")


async def ground(search: Search) -> tuple[str, dict[str, Any]]:
    """Fills ``search.evidence`` with up to ``top_k`` records, best first.

    Routing hits are passed over: the records on which they rest are candidates in their place (see ``supporting``).
    Records whose normalised tokens are the same are shown once: the best of them. A record that holds words of the
    question only where the policy withholds them is not shown. Where many are dropped, more
    candidates are read, so that the list is short only when there is no more, or no time to read it.
    """
    seen: dict[tuple[str, ...], int] = {}
    duplicates: list[int] = []
    same_as: list[int] = []
    closed: list[int] = []
    unshown: list[int] = []
    withheld: Counter[str] = Counter()
    screen = await withholding_by(search.planned.policy)
    start = 0
    candidates = [each for each in search.candidates if each.record_no not in search.routed]
    routing = [each.record_no for each in search.candidates if each.record_no in search.routed]
    while len(search.evidence) < search.top_k and start < len(candidates):
        batch = candidates[start : start + search.top_k + _SPARE]
        start += len(batch)
        read = await guarded(search, 1.0, partial(_shown, search, batch, screen), least=_LEAST_SECONDS)
        if read is None:
            search.cut_short("not all that was found could be read in time: the result lacks records")
            break
        rows, counts = read
        withheld += counts
        for candidate in batch:
            row = rows.get(candidate.record_no)
            if row is None:
                closed.append(candidate.record_no)
                continue
            if row.get("withheld"):
                unshown.append(candidate.record_no)
                continue
            tokens = tuple(_TOKEN.findall(row["text"].casefold())) or (row["text"],)
            if tokens in seen:
                duplicates.append(candidate.record_no)
                same_as.append(seen[tokens])
                continue
            seen[tokens] = candidate.record_no
            search.evidence.append(_evidence(candidate, row))
            if len(search.evidence) == search.top_k:
                break
    _note_what_lacks(search, withheld)
    detail = {
        "duplicates": duplicates[:_TRACED],
        "same_as": same_as[:_TRACED],
        "not_live": closed[:_TRACED],
        "routing": routing[:_TRACED],
        "withheld": unshown[:_TRACED],
        "read": start,
    }
    return f"{len(search.evidence)} of {len(search.candidates)} candidates", detail


def _note_what_lacks(search: Search, withheld: Counter[str]) -> None:
    if len(search.evidence) < search.top_k and (search.mode == "search" or not search.runs("budget")):
        why = "nothing else was found in time" if search.partial else "nothing else was found"
        search.note(f"{len(search.evidence)} hits instead of {search.top_k}: {why}")
    if withheld:
        search.note(withheld_note(withheld))


async def _shown(
    search: Search, batch: list[Candidate], screen: Withholding | None
) -> tuple[dict[int, Mapping[str, Any]], Counter[str]]:
    """The rows of the candidates that are live, by number, as they may be shown, and how often what was withheld."""
    rows = await _read(search, batch)
    if screen is None:
        return rows, Counter()
    read = list(rows.values())
    shown, counts = await screen.rows(read)
    hidden = await found_by_withheld_words(search, read, shown)
    told: Counter[str] = Counter()
    for row, count in zip(shown, counts, strict=True):
        row["withheld"] = row["record_no"] in hidden
        told.update({} if row["withheld"] else count)
    return {row["record_no"]: row for row in shown}, told


async def _read(search: Search, batch: list[Candidate]) -> dict[int, Mapping[str, Any]]:
    plan = search.planned
    rows = await search.scope.rows(
        "retrieval.evidence",
        records=[candidate.record_no for candidate in batch],
        spaces=plan.spaces,
        known_at=plan.known_at,
    )
    return {row["record_no"]: dict(row) for row in rows}


def _evidence(candidate: Candidate, row: Mapping[str, Any]) -> Evidence:
    return Evidence(
        candidate=candidate,
        record_id=row["record_id"],
        text=row["text"],
        locator=row["locator"],
        source_id=row["source_id"],
        source_key=row["source_key"],
        source_version=row["source_version"],
        group_key=row["group_key"],
        position=row["position"],
        speaker=row["speaker"],
        role=row["role"],
        at=_in_zone(row["said_at"], row["said_offset"]),
        metadata=row["payload"] or {},
    )


def _in_zone(said_at: datetime | None, offset: int | None) -> datetime | None:
    if said_at is None:
        return None
    return said_at.astimezone(timezone(timedelta(minutes=offset or 0)))
