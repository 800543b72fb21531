"""Whatever happens to facts, and whoever recompiles meanwhile: drained, claims are their definition at each commit."""

import asyncio
import random
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
from definition import differences
from hypothesis import HealthCheck, given, settings
from sqlalchemy import make_url, text
from telling import Known, Teller, Told, day

from muniment.database.pool import Database
from muniment.derivation.claims import ClaimFilter, get_claim, list_claims
from muniment.derivation.compiling import compile_claims, recompile_all
from muniment.derivation.decisions import undo_decision
from muniment.errors import MunimentError
from muniment.model.claims import STATUSES
from muniment.settings import Settings
from muniment.tenancy.tenants import create_tenant

START = day("2024-01-01")
SUBJECTS = ("Maya Chen", "maya chen", "Tom Baker", "Alexandra Dumont-Rivière", "Alexandra Dumont Rivière", "Acme Works")
RELATIONS = ("lives_in", "likes", "works_at", "employer", "employs", "married_to", "also_known_as")
OBJECTS = (
    "Paris", "paris", "Berlin", "Acme Works", "Tom Baker", "Alexandra Dumont-Rivière", "Springfield Heights",
    "Springfield-Heights", "Maya Chen", "maya chen",
)  # fmt: skip
TYPES = {name: kind for names, kind in (
    (SUBJECTS[:5], "person"), (("Paris", "paris", "Berlin"), "place"), (("Acme Works",), "organization"),
    (OBJECTS[6:8], "place")) for name in names}  # fmt: skip

DAYS = st.none() | st.integers(0, 12)
FACTS = st.builds(
    lambda subject, relation, value, said, begun, lasting, negated, kind, extractor, group: Told(
        subject, relation, value, TYPES[subject], TYPES[value], negated=negated, kind=kind,
        event_from=None if begun is None else START + timedelta(days=begun),
        event_to=None if lasting is None else START + timedelta(days=(begun or 0) + 1 + lasting),
        said_at=None if said is None else START + timedelta(days=said),
        extractor=extractor, group=group, document=group.startswith("doc"),
    ),
    st.sampled_from(SUBJECTS), st.sampled_from(RELATIONS), st.sampled_from(OBJECTS), DAYS, DAYS, DAYS,
    st.sampled_from([False, False, False, True]), st.sampled_from(["statement", "statement", "event", "intention"]),
    st.sampled_from(["rules:1", "rules:1", "model:m:1", "person"]),
    st.sampled_from(["chat", "other", "doc one", "doc two"]),
)  # fmt: skip
STEPS = st.lists(
    st.tuples(st.just("tell"), st.lists(FACTS, min_size=1, max_size=3))
    | st.tuples(st.sampled_from(["forget", "forget evidence", "undo", "compile", "register"]), st.integers(0, 50)),
    min_size=3,
    max_size=12,
)


async def _versions(database: Database, tenant: int) -> set[str]:
    async with database.scope(tenant) as scope:
        rows = await scope.connection.execute(
            text("""select to_jsonb(c)::text from muniment.claim c union all
                    select to_jsonb(c)::text from muniment.claim_evidence c union all
                    select to_jsonb(c)::text from muniment.claim_decision c""")
        )
        return {row[0] for row in rows}


class _Player:
    """Plays steps in a tenant, as one of several at once."""

    def __init__(self, database: Database, tenant: int, teller: Teller) -> None:
        self.database = database
        self.tenant = tenant
        self.teller = teller
        self.told: list[Known] = []

    async def play(self, what: str, with_: Any) -> None:
        if what == "tell":
            self.told += (await self.teller.tell(*with_))[1]
        elif what.startswith("forget") and self.told:
            fact = self.told.pop(with_ % len(self.told))
            evidence = what.endswith("evidence") and fact.basis_no is not None
            await self.teller.forget(fact, evidence=evidence)
        elif what == "compile":
            await compile_claims(self.database, self.tenant)
        elif what == "undo":
            await self._undo(with_)

    async def _undo(self, which: int) -> None:
        page = await list_claims(self.database, self.tenant, self.teller.namespace, ClaimFilter(statuses=STATUSES))
        details = [await get_claim(self.database, self.tenant, claim.id) for claim in page.claims]
        decisions = [each.id for detail in details for each in (*detail.decisions, *detail.names)]
        if decisions:
            try:
                await undo_decision(self.database, self.tenant, decisions[which % len(decisions)])
            except MunimentError as error:
                assert error.code == "claim.decision_not_undone"


def _database(url: str, path: Path) -> Database:
    app = make_url(url).set(username="muniment_app").render_as_string(hide_password=False)
    return Database(app, Settings(data_dir=path, pool_size=6))


@given(steps=STEPS)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_drained_claims_are_their_definition_at_every_commit(admin_url: str, tmp_path: Path, steps: list[Any]) -> None:
    async def play() -> None:
        database = _database(admin_url, tmp_path)
        try:
            tenant = (await create_tenant(database, "random")).number
            player = _Player(database, tenant, Teller(database, tenant))
            for what, with_ in steps:
                await player.play(what, with_)
            await compile_claims(database, tenant)
            assert await differences(database, tenant) == []
            before = await _versions(database, tenant)
            await recompile_all(database, tenant)
            assert await _versions(database, tenant) == before
        finally:
            await database.close()

    asyncio.run(play())


@given(hands=st.lists(STEPS, min_size=3, max_size=3))
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_and_so_they_are_after_writers_and_compilers_at_once(
    admin_url: str, tmp_path: Path, hands: list[list[Any]]
) -> None:
    async def play() -> None:
        database = _database(admin_url, tmp_path)
        try:
            tenant = (await create_tenant(database, "random")).number
            first = Teller(database, tenant)
            await first.tell(Told("Maya Chen", "lives_in", "Paris"))

            async def hand(steps: Sequence[tuple[str, Any]]) -> None:
                player = _Player(database, tenant, Teller(database, tenant, space=first.space))
                for what, with_ in steps:
                    await player.play(what, with_)

            async def compiler() -> None:
                for _ in range(6):
                    await compile_claims(database, tenant)
                    await asyncio.sleep(random.uniform(0.0, 0.02))

            await asyncio.gather(*map(hand, hands), compiler(), compiler())
            await compile_claims(database, tenant)
            assert await differences(database, tenant) == []
        finally:
            await database.close()

    asyncio.run(play())
