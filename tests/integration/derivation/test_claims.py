"""What becomes of claims as facts come and go."""

import pytest
from definition import differences
from telling import Teller, Told, day

from muniment.database.pool import Database
from muniment.derivation.claims import ClaimFilter, get_claim, list_claims
from muniment.derivation.compiling import compile_claims
from muniment.tenancy.tenants import Tenant


async def test_a_move_ends_the_claim_about_the_home_before(database: Database, tenant: Tenant) -> None:
    teller = Teller(database, tenant.number)
    await teller.tell(Told("Maya", "lives_in", "Paris", said_at=day("2024-01-10")))
    second, _ = await teller.tell(Told("Maya", "lives_in", "Berlin", said_at=day("2024-03-05")))
    await compile_claims(database, tenant.number)

    async def claims(**wanted: object) -> list[str]:
        page = await list_claims(database, tenant.number, teller.namespace, ClaimFilter(subject="maya", **wanted))
        return [f"{claim.object} {claim.status}" for claim in page.claims]

    assert await claims() == ["Berlin ACTIVE"]
    assert await claims(as_of=day("2024-02-01")) == ["Paris ACTIVE"]
    assert await claims(known_at=second - 1) == ["Paris ACTIVE"]
    assert await claims(statuses=["ACTIVE", "SUPERSEDED"]) == ["Paris SUPERSEDED", "Berlin ACTIVE"]
    page = await list_claims(database, tenant.number, teller.namespace, ClaimFilter(statuses=["SUPERSEDED"]))
    detail = await get_claim(database, tenant.number, page.claims[0].id)
    assert detail.claim.valid_to == day("2024-03-05")


@pytest.mark.parametrize("relation", ["married_to", "employs", "friend_of", "has_child", "lives_in"])
async def test_what_is_said_of_two_names_stands_once_when_they_turn_out_to_be_one(
    database: Database, tenant: Tenant, relation: str
) -> None:
    teller = Teller(database, tenant.number)
    told = Told("Alexandra Dumont", relation, "Tom Baker", object_type="person", said_at=day("2024-01-10"))
    await teller.tell(told)
    await teller.tell(told)
    await teller.tell(Told("Alexandra Dumont", "also_known_as", "Tom Baker", object_type="person"))
    await compile_claims(database, tenant.number)
    assert await differences(database, tenant.number) == []
    page = await list_claims(database, tenant.number, teller.namespace, ClaimFilter())
    assert all(claim.facts == (1 if claim.relation == "also_known_as" else 2) for claim in page.claims)
