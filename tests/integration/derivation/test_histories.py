"""Every history of histories.yaml: told step by step, and read at the times and commits that it names."""

import re
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml
from definition import differences
from telling import Known, Teller, Told, day

from muniment.database.pool import Database
from muniment.derivation.claims import ClaimFilter, get_claim, list_claims
from muniment.derivation.compiling import compile_claims
from muniment.derivation.decisions import undo_decision
from muniment.model.claims import STATUSES, Claim
from muniment.tenancy.tenants import Tenant

HISTORIES = yaml.safe_load(Path(__file__).with_name("histories.yaml").read_text(encoding="utf-8"))
TYPES = {
    "p": "person", "o": "organization", "l": "place", "r": "product", "e": "event", "t": "thing", "u": "unknown",
}  # fmt: skip
FACT = re.compile(
    r"(.+?)(?:/(\w))? ([a-z]+_[a-z_]+|likes|visited|eats|employs|employer|status|version|capital|birthday|mentors)"
    r" (.+?)(?:/(\w))?"
)


def _at(when: Any) -> datetime | None:
    if when is None:
        return None
    return day(when.isoformat() if isinstance(when, date) else str(when))


def _told(step: dict[str, Any]) -> Told:
    match = FACT.fullmatch(step["tell"])
    assert match, f"not a fact: {step['tell']}"
    subject, subject_type, relation, value, object_type = match.groups()
    group = step.get("in", "chat")
    return Told(
        subject, relation, value, TYPES[subject_type or "p"], TYPES[object_type or "l"],
        negated=step.get("not", False), kind=step.get("kind", "statement"), confidence=step.get("confidence", 0.9),
        event_from=_at(step.get("from")), event_to=_at(step.get("to")), said_at=_at(step.get("said")),
        extractor="person" if step.get("by") == "person" else "rules:1", group=group,
        document=group.startswith("doc:") or step.get("by") == "person",
    )  # fmt: skip


class _History:
    """A history as it is played, with the commit of each step."""

    def __init__(self, database: Database, tenant: int) -> None:
        self.database = database
        self.tenant = tenant
        self.teller = Teller(database, tenant)
        self.commits: list[int] = []
        self.named: dict[str, Known] = {}

    async def play(self, step: dict[str, Any], subject: str, relation: str) -> None:
        closing = [self.named[name] for name in step.get("correct", step.get("forget", ()))]
        if step.get("evidence"):
            closing = [Known(fact.basis_no, fact.basis_id, None, None) for fact in closing]  # type: ignore[arg-type]
        if "tell" in step:
            commit, known = await self.teller.tell(_told(step), closing=closing)
            self.named[step.get("as", "")] = known[0]
        elif "forget" in step:
            commit, _ = await self.teller.tell(closing=closing)
        else:
            await compile_claims(self.database, self.tenant)
            commit = await self._undo(step, subject, relation)
        self.commits.append(commit)

    async def _undo(self, step: dict[str, Any], subject: str, relation: str) -> int:
        claims = await self.read(subject, relation, {"all": True})
        for claim in claims:
            detail = await get_claim(self.database, self.tenant, claim.id)
            if claim.object == step.get("undo"):
                return (await undo_decision(self.database, self.tenant, detail.decisions[0].id)).commit
            for decision in detail.names:
                if decision.name == step.get("undo_name"):
                    return (await undo_decision(self.database, self.tenant, decision.id)).commit
        raise AssertionError(f"nothing to undo: {step}")

    async def read(self, subject: str, relation: str, wanted: dict[str, Any]) -> list[Claim]:
        known_at = None if "known_at" not in wanted else self.commits[wanted["known_at"] - 1]
        page = await list_claims(
            self.database, self.tenant, self.teller.namespace,
            ClaimFilter(subject, relation, STATUSES if "all" in wanted else None, _at(wanted.get("as_of")), known_at),
        )  # fmt: skip
        assert not page.pending
        first = datetime(1, 1, 2, tzinfo=day("2024-01-01").tzinfo)
        return sorted(page.claims, key=lambda claim: (claim.valid_from or first, claim.negated, claim.object))


def _shown(claim: Claim, wanted: dict[str, Any]) -> str:
    told = f"{'not ' if claim.negated else ''}{claim.object} {claim.status}"
    if "all" not in wanted:
        return told
    times = [None if at is None else f"{at:%Y-%m-%d}" for at in (claim.valid_from, claim.valid_to)]
    return f"{told} {times[0] or ''}..{times[1] or ''}"


@pytest.mark.parametrize("history", HISTORIES, ids=[history["name"] for history in HISTORIES])
async def test_a_history_holds(database: Database, tenant: Tenant, history: dict[str, Any]) -> None:
    played = _History(database, tenant.number)
    first = _told(history["steps"][0])
    for step in history["steps"]:
        await played.play(step, first.subject, first.relation)
    await compile_claims(database, tenant.number)
    assert await differences(database, tenant.number) == []
    for wanted in history["expect"]:
        claims = await played.read(wanted.get("of", first.subject), wanted.get("relation", first.relation), wanted)
        assert [_shown(claim, wanted) for claim in claims] == wanted.get("all", wanted.get("now")), wanted


def test_there_are_enough_histories() -> None:
    assert len(HISTORIES) >= 40
    assert sum(len(history["expect"]) for history in HISTORIES) >= 100
