"""Claims, read back: lists as of a time and as known at a commit, and one with everything that it rests on."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from typing import Any, Final
from uuid import UUID

from muniment.database.pool import Database, Row, Scope
from muniment.database.spaces import visible_spaces
from muniment.derivation.formulas.claim_confidence import claim_confidence
from muniment.errors import MunimentError
from muniment.model.claims import (
    STATUSES,
    Claim,
    ClaimDecision,
    ClaimDetail,
    ClaimFact,
    ClaimPage,
    ClaimSpan,
    ClaimStatus,
    NameDecision,
)
from muniment.model.cursors import read_place, write_cursor
from muniment.model.identifiers import CLAIM, DECISION, RECORD, SOURCE, parse_id, public_id
from muniment.model.namespace import Namespace
from muniment.model.times import commit_known, with_zone
from muniment.providers.withholding import withholding

_SECONDS_A_DAY: Final = 86_400.0


@dataclass(frozen=True, slots=True)
class ClaimFilter:
    """Which claims a list has.

    ``as_of`` is a time at which they hold, ``known_at`` the commit as of which the log is read. ``statuses`` are as of
    that time, or else now; None is all. Without ``as_of``, only what holds now is listed, unless SUPERSEDED is asked
    for. ``asked_at`` takes the place of the clock. ``subject`` is a name in any case, with or without its accents.
    """

    subject: str | None = None
    relation: str | None = None
    statuses: Sequence[ClaimStatus] | None = None
    as_of: datetime | None = None
    known_at: int | None = None
    asked_at: datetime | None = None


async def list_claims(
    database: Database,
    tenant: int,
    namespace: Namespace,
    wanted: ClaimFilter,
    *,
    limit: int = 50,
    cursor: str | None = None,
) -> ClaimPage:
    """Claims that the namespace sees, in the order in which their first facts came.

    Raises ``input.invalid`` for a cursor that is none, a name that no fact can hold and a commit that is yet to come,
    ``input.time_without_zone`` for a time without a zone.
    """
    commit, record, claim = read_place(cursor, 0, 0, 0)
    clock = _clock(wanted.asked_at)
    _admit_wanted(wanted)
    everything = wanted.as_of is None and wanted.statuses is not None and "SUPERSEDED" in wanted.statuses
    async with database.scope(tenant) as scope:
        spaces = await visible_spaces(scope, namespace)
        known_at = await _known_at(scope, wanted.known_at)
        relation, swapped = await _relation(scope, wanted.relation, known_at)
        names = None
        if wanted.subject is not None:
            meant = await scope.rows("claims.names_spelled", spaces=spaces, name=wanted.subject)
            names = [row["name"] for row in meant]
        parameters: dict[str, Any] = {
            "spaces": spaces,
            "known_at": known_at,
            "relation": relation,
            "objects": names if swapped else None,
            "at": None if everything else wanted.as_of or clock,
            "clock": wanted.as_of or clock,
            "statuses": list(wanted.statuses or STATUSES),
            "limit": limit + 1,
            "after_commit": commit,
            "after_record": record,
            "after_claim": UUID(int=claim),
        }
        if names is None or swapped:
            rows = await scope.rows("claims.list", **parameters)
        else:
            rows = await scope.rows("claims.list_subject", names=names, **parameters)
        pending = await scope.value("claims.pending", spaces=spaces)
        screen = await withholding(scope)
    claims = [_claim(row, clock, wanted.as_of or clock) for row in rows[:limit]]
    following = _cursor(rows[limit - 1]) if len(rows) > limit else None
    page = ClaimPage(claims=claims, known_at=known_at, pending=bool(pending), next=following)
    return page if screen is None else await screen.served(page)


def _admit_wanted(wanted: ClaimFilter) -> None:
    for name in (wanted.subject, wanted.relation):
        if name is not None and "\0" in name:
            raise MunimentError("input.invalid", "a name holds a NUL byte")
    for at in (wanted.as_of, wanted.asked_at):
        _admit(at)


def _cursor(row: Row) -> str:
    return write_cursor(row["anchor_commit"], row["anchor_no"], row["claim_id"].int)


async def get_claim(
    database: Database, tenant: int, claim_id: str, *, known_at: int | None = None, asked_at: datetime | None = None
) -> ClaimDetail:
    """One claim as it stood at a commit, or else as it stands, or stood last; raises ``claim.not_found``."""
    parsed = parse_id(CLAIM, claim_id)
    clock = _clock(asked_at)
    _admit(asked_at)
    async with database.scope(tenant) as scope:
        rows = [] if parsed is None else await scope.rows("claims.versions", claim_id=parsed, clock=clock)
        shown = next((row for row in rows if known_at is None or _live(row, known_at)), None)
        if shown is None:
            raise MunimentError("claim.not_found", "there is no claim of this id")
        last = shown["live_to_commit"]
        at = last - 1 if known_at is None and last is not None else await _known_at(scope, known_at)
        evidence = await scope.rows("claims.evidence", claim_id=parsed, known_at=at)
        decisions = await scope.rows("claims.decisions", claim_id=parsed)
        names = await scope.rows("claims.names", claim_id=parsed, commit=shown["live_from_commit"])
        screen = await withholding(scope)
    detail = ClaimDetail(
        claim=_claim(shown, clock, clock),
        evidence=_facts(evidence),
        decisions=[_decision(row) for row in decisions],
        names=[_name(row) for row in names],
        versions=[_claim(row, clock, clock) for row in rows],
    )
    return detail if screen is None else await screen.served(detail)


def _live(row: Row, commit: int) -> bool:
    return row["live_from_commit"] <= commit and (row["live_to_commit"] is None or row["live_to_commit"] > commit)


async def _known_at(scope: Scope, commit: int | None) -> int:
    head: int = await scope.value("claims.head") or 0
    return commit_known(commit, head)


async def _relation(scope: Scope, name: str | None, known_at: int) -> tuple[str | None, bool]:
    """The relation that a name stands for, and whether its subject is then the object."""
    if name is None:
        return None, False
    row = await scope.row("claims.relation_meant", name=name, known_at=known_at)
    return (name, False) if row is None else (row["relation"], row["swapped"])


def _clock(asked_at: datetime | None) -> datetime:
    return asked_at or datetime.now(UTC)


def _admit(at: datetime | None) -> None:
    if at is not None:
        with_zone(at)


def _claim(row: Row, clock: datetime, at: datetime) -> Claim:
    ended = row["valid_to"] is not None and row["valid_to"] <= at
    standing: ClaimStatus = "CONTESTED" if row["contested"] else "ACTIVE"
    age = (clock - row["last_said_at"]).total_seconds() / _SECONDS_A_DAY
    return Claim(
        id=public_id(CLAIM, row["claim_id"]),
        namespace=Namespace(project_id=row["project_id"], user_id=row["user_id"], agent_id=row["agent_id"]),
        subject=row["subject"],
        subject_type=row["subject_type"],
        relation=row["relation"],
        object=row["object"],
        object_type=row["object_type"],
        negated=row["negated"],
        status=row["status"] if ended else standing,
        valid_from=row["valid_from"],
        valid_to=row["valid_to"],
        valid_from_basis=row["from_basis"],
        confidence=round(
            claim_confidence(row["fact_confidence"], row["groups"], age, contested=row["contested"]), 6
        ),
        facts=row["facts"],
        groups=row["groups"],
        last_said_at=row["last_said_at"],
        commit=row["live_from_commit"],
        until_commit=row["live_to_commit"],
    )  # fmt: skip


def _facts(rows: Sequence[Row]) -> list[ClaimFact]:
    facts = []
    for _, several in groupby(rows, key=lambda row: row["record_no"]):
        spans = list(several)
        first = spans[0]
        facts.append(
            ClaimFact(
                record_id=public_id(RECORD, first["record_id"]),
                restatement=first["restatement"],
                subject=first["subject"],
                relation=first["relation"],
                object=first["object"],
                negated=first["negated"],
                kind=first["kind"],
                confidence=first["confidence"],
                event_from=first["event_from"],
                event_to=first["event_to"],
                said_at=first["said_at"],
                extractor=first["extractor"],
                spans=[_span(row) for row in spans if row["basis_id"] is not None],
            )
        )
    return facts


def _span(row: Row) -> ClaimSpan:
    return ClaimSpan(
        record_id=public_id(RECORD, row["basis_id"]),
        source_id=public_id(SOURCE, row["source_id"]),
        group_id=row["group_key"],
        start=row["span_start"],
        end=row["span_end"],
        quote=row["quote"],
        live=row["live"],
    )


def _decision(row: Row) -> ClaimDecision:
    return ClaimDecision(
        id=public_id(DECISION, row["decision_id"]),
        rule=row["rule"],
        by_record_id=public_id(RECORD, row["record_id"]),
        by_claim_id=None if row["by_claim_id"] is None else public_id(CLAIM, row["by_claim_id"]),
        commit=row["live_from_commit"],
        until_commit=row["live_to_commit"],
        undone_at_commit=row["undone_commit"],
    )


def _name(row: Row) -> NameDecision:
    return NameDecision(
        id=public_id(DECISION, row["decision_id"]),
        name=row["name"],
        entity=row["entity"],
        rule=row["rule"],
        similarity=row["similarity"],
        by_record_id=public_id(RECORD, row["record_id"]),
        commit=row["live_from_commit"],
        undone_at_commit=row["live_to_commit"],
    )
