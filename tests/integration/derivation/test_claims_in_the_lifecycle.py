"""What forgetting, undoing and erasing do to claims: nothing that was closed, opened again or erased leaves a trace."""

from definition import differences
from sqlalchemy import text
from telling import Known, Store, Teller, Told, day, reference

from muniment.database.pool import Database
from muniment.derivation.claims import ClaimFilter, list_claims
from muniment.derivation.compiling import compile_claims
from muniment.log.erasure import erase
from muniment.log.lifecycle import forget, undo
from muniment.model.identifiers import RECORD, public_id
from muniment.tenancy.tenants import Tenant

PARIS = Told("Maya", "lives_in", "Paris", said_at=day("2024-01-10"), group="one")
BERLIN = Told("Maya", "lives_in", "Berlin", said_at=day("2024-03-05"), group="two")


def _basis(fact: Known) -> str:
    return public_id(RECORD, fact.basis_id)


async def _homes(teller: Teller, **asked: object) -> list[tuple[str, str]]:
    wanted = ClaimFilter(subject="Maya", statuses=("ACTIVE", "SUPERSEDED"), **asked)  # type: ignore[arg-type]
    page = await list_claims(teller.database, teller.tenant, teller.namespace, wanted)
    return [(claim.object, claim.status) for claim in page.claims]


async def test_an_undone_forgetting_leaves_claims_as_they_were_and_is_known_to_have_stood(
    database: Database, tenant: Tenant
) -> None:
    teller = Teller(database, tenant.number)
    await teller.tell(PARIS)
    _, (berlin,) = await teller.tell(BERLIN)
    await compile_claims(database, tenant.number)
    moved = [("Paris", "SUPERSEDED"), ("Berlin", "ACTIVE")]
    assert await _homes(teller) == moved
    forgot = await forget(database, tenant.number, [_basis(berlin)], "wrong person")
    await compile_claims(database, tenant.number)
    assert await _homes(teller) == [("Paris", "ACTIVE")]
    await undo(database, tenant.number, forgot.commit, "right person")
    await compile_claims(database, tenant.number)
    assert await _homes(teller) == moved
    assert await _homes(teller, known_at=forgot.commit) == [("Paris", "ACTIVE")]
    assert await _homes(teller, known_at=forgot.commit - 1) == moved
    assert await differences(database, tenant.number) == []


async def test_an_erased_end_of_a_claim_never_was_one(database: Database, tenant: Tenant) -> None:
    teller = Teller(database, tenant.number)
    await teller.tell(PARIS)
    commit, (berlin,) = await teller.tell(BERLIN)
    await compile_claims(database, tenant.number)
    await erase(database, tenant.number, records=[_basis(berlin)], reason="asked to")
    assert "Berlin" not in str(await _homes(teller)) + str(await _homes(teller, known_at=commit))
    await compile_claims(database, tenant.number)
    assert await _homes(teller) == await _homes(teller, known_at=commit) == [("Paris", "ACTIVE")]
    assert await differences(database, tenant.number) == []


async def test_an_erased_name_is_in_no_claim_of_others_that_meant_it(database: Database, tenant: Tenant) -> None:
    teller = Teller(database, tenant.number)
    _, (first,) = await teller.tell(
        Told("Zorblax Quinnivar", "lives_in", "Paris", said_at=day("2024-01-10"), group="one")
    )
    await teller.tell(Told("Zorblax Quinnivarr", "lives_in", "Berlin", said_at=day("2024-03-05"), group="two"))
    await teller.tell(Told("Tom", "friend_of", "Zorblax Quinnivarr", object_type="person", group="two"))
    await compile_claims(database, tenant.number)
    async with database.scope(tenant.number) as scope:
        merged = (await scope.connection.execute(text("select count(*) from muniment.entity_alias"))).scalar_one()
    assert merged == 1  # else this shows nothing
    await erase(database, tenant.number, records=[_basis(first)], reason="asked to")
    for _ in range(2):
        async with database.scope(tenant.number) as scope:
            left = [
                row[0]
                for table in ("claim", "claim_dirty", "entity", "entity_gram", "entity_alias", "fact")
                for row in await scope.connection.execute(text(f"select t::text from muniment.{table} t"))  # noqa: S608
            ]
        assert not [row for row in left if "zorblax quinnivar" in row.lower().replace("zorblax quinnivarr", "")]
        await compile_claims(database, tenant.number)
    assert await differences(database, tenant.number) == []
    async with database.scope(tenant.number) as scope:
        subjects = {row[0] for row in await scope.connection.execute(text("select subject_key from muniment.claim"))}
    assert subjects == {"zorblax quinnivarr", "tom"}


async def test_a_name_that_others_have_too_stays_merged_when_the_fact_that_brought_it_is_erased(
    database: Database, tenant: Tenant
) -> None:
    teller = Teller(database, tenant.number)
    _, (first,) = await teller.tell(Told("Katarina Maria Lindqvist", "lives_in", "Paris", said_at=day("2024-01-10")))
    await teller.tell(Told("Katarina Maria Lindqvist", "likes", "tea", object_type="thing", said_at=day("2024-01-11")))
    await teller.tell(Told("Katarina Maria Lindquist", "likes", "rye", object_type="thing", said_at=day("2024-01-12")))
    await compile_claims(database, tenant.number)
    await erase(database, tenant.number, records=[_basis(first)], reason="asked to")
    await compile_claims(database, tenant.number)
    page = await list_claims(database, tenant.number, teller.namespace, ClaimFilter(subject="katarina maria lindquist"))
    assert [claim.object for claim in page.claims] == ["tea", "rye"]
    assert await differences(database, tenant.number) == []


async def test_a_forgotten_record_takes_its_claim_along_over_every_way_in(store: Store) -> None:
    _, (paris,) = await store.teller.tell(PARIS)
    await store.teller.tell(BERLIN)
    await store.runtime.runner.drain()
    await store.memory.forget([reference(paris)], reason="asked to")
    await store.runtime.runner.drain()
    page = await store.memory.claims(subject="Maya", status=["ACTIVE", "CONTESTED", "SUPERSEDED"])
    assert [claim.object for claim in page.claims] == ["Berlin"]


async def test_what_is_said_anew_in_place_of_the_old_takes_its_place_among_the_claims(store: Store) -> None:
    for content in ("I live in Paris.", "I live in Rome."):
        message = {"speaker": "Maya", "content": content, "id": "m1", "at": "2024-01-10T09:00:00Z"}
        run = await store.memory.ingest_messages([message], group_id="chat")
        assert run.items[0].state == "stored"
        await store.runtime.runner.drain()
        note = {"kind": "text", "text": content.replace("I live", "Tom lives"), "source_key": "note"}
        assert (await store.memory.ingest(note)).items[0].state == "stored"
        await store.runtime.runner.drain()
    held = {(claim.subject, claim.object) for claim in (await store.memory.claims()).claims}
    assert held == {("Maya", "Rome"), ("Tom", "Rome")}
