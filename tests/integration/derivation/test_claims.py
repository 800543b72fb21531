"""What becomes of claims as facts come and go."""

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
    print(detail.model_dump_json(indent=1))
