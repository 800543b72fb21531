"""Claims through the memory, in this process and over REST, with jobs that follow what is written."""

from datetime import timedelta

import pytest
from sqlalchemy import text
from telling import Store, Told, day, reference

from muniment.errors import MunimentError
from muniment.model.namespace import Namespace

MOVE = (
    Told("Maya", "lives_in", "Paris", said_at=day("2024-01-10"), group="one"),
    Told("Maya", "lives_in", "Berlin", said_at=day("2024-03-05"), group="two"),
)


async def _move(store: Store) -> None:
    for told in MOVE:
        await store.teller.tell(told)
    await store.runtime.runner.drain()


async def test_claims_follow_facts_by_the_job_that_their_commit_enqueued(store: Store) -> None:
    await store.teller.tell(MOVE[0])
    before = await store.memory.claims(subject="Maya")
    assert (before.claims, before.pending) == ([], True)
    await store.runtime.runner.drain()
    after = await store.memory.claims(subject="maya", relation="lives_in")
    assert ([claim.object for claim in after.claims], after.pending) == (["Paris"], False)


async def test_a_claim_shows_its_evidence_down_to_the_words_and_why_it_ended(store: Store) -> None:
    _, (paris,) = await store.teller.tell(MOVE[0])
    _, (berlin,) = await store.teller.tell(MOVE[1])
    await store.runtime.runner.drain()
    (ended,) = (await store.memory.claims(status=["SUPERSEDED"])).claims
    detail = await store.memory.claim(ended.id)
    (fact,) = detail.evidence
    assert fact.record_id == reference(paris)
    record = await store.memory.record(fact.spans[0].record_id)
    assert (record.text or "")[fact.spans[0].start : fact.spans[0].end] == fact.spans[0].quote == MOVE[0].text
    (decision,) = detail.decisions
    (current,) = (await store.memory.claims()).claims
    assert (decision.rule, decision.by_record_id, decision.by_claim_id) == (
        "later_value", reference(berlin), current.id,
    )  # fmt: skip
    assert [version.status for version in detail.versions] == ["SUPERSEDED", "ACTIVE"]
    assert (await store.memory.claim(ended.id, known_at=detail.versions[1].commit)).claim.status == "ACTIVE"


async def test_a_name_is_found_however_its_accents_and_case_are_written(store: Store) -> None:
    for told in (
        Told("José", "lives_in", "Málaga", said_at=day("2024-01-10"), group="one"),
        Told("Zoë Núñez", "married_to", "José", object_type="person", said_at=day("2024-01-11"), group="two"),
        Told("Josef", "lives_in", "Paris", said_at=day("2024-01-12"), group="three"),
    ):
        await store.teller.tell(told)
    await store.runtime.runner.drain()
    for name in ("José", "jose", "JOSÉ", "Jose", "Jose\u0301"):
        (lives,) = (await store.memory.claims(subject=name, relation="lives_in")).claims
        assert lives.object == "Málaga"
        (married,) = (await store.memory.claims(subject=name, relation="wife")).claims
        assert married.object == "Zoë Núñez"
    assert [claim.object for claim in (await store.memory.claims(subject="zoe nunez")).claims] == ["José"]
    assert (await store.memory.claims(subject="jos")).claims == []
    assert (await store.memory.claims(subject="jose", namespace=Namespace(project_id="elsewhere"))).claims == []


@pytest.mark.parametrize("store", ["local"], indirect=True)
async def test_claims_are_pending_while_a_message_that_counts_waits_to_be_read(store: Store) -> None:
    here, there = Namespace(project_id="here"), Namespace(project_id="there")
    run = await store.memory.ingest_messages(
        [{"speaker": "Maya", "content": "I live in Lisbon."}], group_id="chat", namespace=here
    )
    assert (await store.memory.claims(namespace=here)).pending
    assert not (await store.memory.claims(namespace=there)).pending
    (record,) = run.items[0].record_ids or []
    await store.memory.forget([record], reason="asked to")
    assert not (await store.memory.claims(namespace=here)).pending  # nobody will read it
    await store.memory.ingest_messages(
        [{"speaker": "Maya", "content": "I live in Porto."}], group_id="chat", namespace=here
    )
    assert (await store.memory.claims(namespace=here)).pending
    await store.runtime.runner.drain()
    page = await store.memory.claims(subject="maya", namespace=here)
    assert ([claim.object for claim in page.claims], page.pending) == (["Porto"], False)


async def test_a_decision_is_taken_back_once(store: Store) -> None:
    await _move(store)
    (ended,) = (await store.memory.claims(status=["SUPERSEDED"])).claims
    (decision,) = (await store.memory.claim(ended.id)).decisions
    undone = await store.memory.undo_decision(decision.id)
    await store.runtime.runner.drain()
    both = (await store.memory.claims()).claims
    assert [(claim.object, claim.status) for claim in both] == [("Paris", "CONTESTED"), ("Berlin", "CONTESTED")]
    history = (await store.memory.claim(ended.id)).decisions
    assert history[0].undone_at_commit == history[0].until_commit == undone.commit
    with pytest.raises(MunimentError) as again:
        await store.memory.undo_decision(decision.id)
    assert again.value.code == "claim.decision_not_undone"
    contested = next(each for each in history if each.rule == "no_order")
    with pytest.raises(MunimentError) as final:
        await store.memory.undo_decision(contested.id)
    assert final.value.code == "claim.decision_not_undone"


async def test_what_is_not_there_is_not_found(store: Store) -> None:
    for asked, code in (
        (store.memory.claim("c_nothing"), "claim.not_found"),
        (store.memory.undo_decision("x_nothing"), "claim.decision_not_found"),
    ):
        with pytest.raises(MunimentError) as caught:
            await asked
        assert caught.value.code == code


async def test_pages_hold_every_claim_once_and_no_other_namespaces(store: Store) -> None:
    for number in range(7):
        await store.teller.tell(
            Told("Maya", "likes", f"dish {number}", object_type="thing", said_at=day("2024-01-10")),
            Told(f"Guest {number}", "likes", "tea", object_type="thing", said_at=day("2024-01-10")),
        )
    await store.runtime.runner.drain()
    for subject, expected in ((None, 14), ("maya", 7)):
        seen: list[str] = []
        cursor = None
        while True:
            page = await store.memory.claims(subject=subject, limit=3, cursor=cursor)
            seen += [claim.id for claim in page.claims]
            cursor = page.next
            if cursor is None:
                break
        assert (len(seen), len(set(seen))) == (expected, expected)
    assert (await store.memory.claims(namespace=Namespace(project_id="other"))).claims == []


async def test_confidence_falls_with_the_age_that_the_clock_gives_it(store: Store) -> None:
    await _move(store)
    said = day("2024-03-05")
    fresh, later = [
        (await store.memory.claims(asked_at=said + timedelta(days=days))).claims[0].confidence for days in (0, 90)
    ]
    assert (fresh, later) == (pytest.approx(0.755737), pytest.approx(0.655737))


async def test_what_a_relation_is_can_be_said_and_claims_follow(store: Store) -> None:
    await store.teller.tell(Told("Maya", "mentored_by", "Tom", object_type="person", said_at=day("2024-01-10")))
    await store.teller.tell(Told("Maya", "has_mentor", "Ada", object_type="person", said_at=day("2024-02-10")))
    await store.runtime.runner.drain()
    assert len((await store.memory.claims(subject="Maya")).claims) == 2
    first = (await store.memory.claims(subject="Maya")).known_at
    said = await store.memory.put_relation("mentored_by", single=True, aliases=["has_mentor"], inverses=["mentors"])
    assert (said.set_by, said.single) == ("person", True)
    assert await store.memory.put_relation(
        "mentored_by", single=True, aliases=["has_mentor"], inverses=["mentors"]
    ) == said  # fmt: skip
    await store.runtime.runner.drain()
    assert [claim.object for claim in (await store.memory.claims(subject="Maya")).claims] == ["Ada"]
    assert len((await store.memory.claims(subject="Maya", known_at=first)).claims) == 2
    assert said in await store.memory.relations()
    with pytest.raises(MunimentError) as taken:
        await store.memory.put_relation("knows_well", single=False, aliases=["likes"])
    assert taken.value.code == "input.invalid"


async def test_validation_finds_a_claim_that_its_facts_do_not_make_and_a_rebuild_mends_it(store: Store) -> None:
    async def wrong() -> int:
        report = await store.memory.validate()
        assert report.checks["claims"] == 2  # facts
        return sum(finding.check == "claims" for finding in report.findings)

    await _move(store)
    assert await wrong() == 0
    async with store.runtime.database.scope(store.runtime.tenant.number) as scope:
        await scope.connection.execute(text("update muniment.claim set object = 'Rome' where object = 'Berlin'"))
    assert await wrong() == 1
    assert (await store.memory.rebuild())["claims"] == 3
    assert await wrong() == 0


async def _mentors(store: Store, name: str, *, day_of_second: str, denied: bool) -> None:
    await store.teller.tell(Told(name, "mentored_by", "Tom", object_type="person", said_at=day("2024-01-10")))
    if denied:
        await store.teller.tell(
            Told(name, "mentored_by", "Tom", object_type="person", negated=True, said_at=day(day_of_second))
        )
    await store.teller.tell(Told(name, "mentored_by", "Ada", object_type="person", said_at=day(day_of_second)))


async def test_what_a_relation_is_is_learned_from_its_facts_and_given_up_again(store: Store) -> None:
    async def mentored() -> tuple[str, bool] | None:
        found = [each for each in await store.memory.relations() if each.relation == "mentored_by"]
        return (found[0].set_by, found[0].single) if found else None

    for name in ("Maya", "Liam"):
        await _mentors(store, name, day_of_second="2024-03-01", denied=True)
    await store.runtime.runner.drain()
    assert await mentored() is None
    await _mentors(store, "Ines", day_of_second="2024-03-01", denied=True)
    await store.runtime.runner.drain()
    assert await mentored() == ("learned", True)
    await _mentors(store, "Olga", day_of_second="2024-03-01", denied=False)
    await store.runtime.runner.drain()
    assert [claim.object for claim in (await store.memory.claims(subject="Olga")).claims] == ["Ada"]
    for name in ("Piet", "Rosa"):
        await _mentors(store, name, day_of_second="2024-01-10", denied=False)
    await store.runtime.runner.drain()
    assert await mentored() == ("learned", False)
    assert len((await store.memory.claims(subject="Olga")).claims) == 2
    await store.memory.put_relation("mentored_by", single=True)
    await store.runtime.runner.drain()
    assert await mentored() == ("person", True)
