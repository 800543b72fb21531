"""The job ``retype``: of much, run twice, cut short, and where there is nothing to do."""

from typing import Any

import pytest
from sqlalchemy import text
from telling import Known, Store, Told, day

from muniment.jobs.context import JobContext
from muniment.jobs.retyping import retype
from muniment.log import retyping
from muniment.log.retyping import retype_namesakes

pytestmark = pytest.mark.parametrize("store", ["local"], indirect=True)
LEAD = Told("Liam", "lead_of", "Atlas", object_type="organization", said_at=day("2024-06-01"), group="later")


def needs(number: int, group: str = "chat") -> Told:
    word = "".join(chr(97 + number // place % 26) for place in (676, 26, 1))  # too short to be compared by its trigrams
    return Told("Atlas", "requires", word, "unknown", "thing", said_at=day("2024-01-10"), group=group)


async def types(store: Store) -> dict[str, int]:
    """How many live facts tell of Atlas as what."""
    counted = """
      select f.subject_type, count(*)
        from muniment.fact f
        join muniment.liveness l on l.record_no = f.record_no and l.live_to_commit is null
       where f.relation = 'requires'
       group by 1"""
    async with store.runtime.database.scope(store.teller.tenant) as scope:
        return {kind: count for kind, count in (await scope.connection.execute(text(counted))).all()}


async def told(store: Store, *facts: Told) -> list[Known]:
    return (await store.teller.tell(*facts))[1]


async def run(store: Store, by: Known) -> dict[str, Any]:
    context = JobContext(store.runtime.database, store.runtime.settings)
    return await retype(context, store.teller.tenant, {"facts": [by.record_no]})


async def test_all_that_was_told_without_a_type_gets_it_however_much_that_is(store: Store) -> None:
    for start in range(0, 520, 130):
        await told(store, *(needs(number) for number in range(start, start + 130)))
    (by,) = await told(store, LEAD)
    assert await run(store, by) == {"facts": 520}
    assert await types(store) == {"organization": 520}


async def test_run_twice_it_adds_nothing(store: Store) -> None:
    await told(store, needs(1), needs(2))
    (by,) = await told(store, LEAD)
    assert await run(store, by) == {"facts": 2}
    assert await run(store, by) == {"facts": 0}
    assert await types(store) == {"organization": 2}
    await store.runtime.runner.drain()
    page = await store.memory.claims(subject="Atlas", relation="requires")
    assert [claim.object for claim in page.claims] == ["aab", "aac"]


async def test_cut_short_it_is_done_by_the_next_run(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    await told(store, needs(1, "one"), needs(2, "two"))
    (by,) = await told(store, LEAD)
    groups = 0
    whole = retyping._retype

    async def killed(*arguments: Any) -> int:
        nonlocal groups
        groups += 1
        if groups == 2:
            raise ConnectionError
        return await whole(*arguments)

    monkeypatch.setattr(retyping, "_retype", killed)
    with pytest.raises(ConnectionError):
        await run(store, by)
    assert await types(store) == {"organization": 1, "unknown": 1}
    monkeypatch.undo()
    assert await run(store, by) == {"facts": 1}
    assert await types(store) == {"organization": 2}


async def test_what_was_closed_meanwhile_stays_closed(store: Store) -> None:
    first, _ = await told(store, needs(1), needs(2))
    (by,) = await told(store, LEAD)
    await store.teller.forget(first, evidence=True)
    assert await run(store, by) == {"facts": 1}
    assert (await types(store))["organization"] == 1


async def test_in_an_empty_store_and_for_facts_that_are_gone_there_is_nothing_to_do(store: Store) -> None:
    assert await retype_namesakes(store.runtime.database, store.teller.tenant, [1, 10**9]) == 0
    (by,) = await told(store, LEAD)
    assert await run(store, by) == {"facts": 0}
