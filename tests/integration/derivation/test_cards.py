"""Cards of groups: what they say, when they change, and that they equal their definition however a history went."""

import asyncio
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text
from summary_store import MAYA, SummaryStore

from muniment.database.pool import Database
from muniment.log.erasure import erase
from muniment.log.lifecycle import forget, retract, undo


async def test_a_card_names_who_speaks_of_what_and_quotes_what_is_stated(summaries: SummaryStore) -> None:
    await summaries.say(
        "Maya: Hi there!", "Tom: How is the garden?", "Maya: The garden in Lisbon got two new lemon trees.",
        "Tom: Great garden.", "Maya: I live in Lisbon now.",
    )  # fmt: skip
    await summaries.compile()
    (card,) = (await summaries.current()).values()
    assert card == (
        "Maya and Tom: garden, lisbon, lemon, trees\n"
        "Maya: The garden in Lisbon got two new lemon trees.\nMaya: I live in Lisbon now."
    )
    ((phrasings, records, facts),) = await summaries.fetch(
        "select phrasings, records, (select array_agg(record_no) from muniment.fact) from muniment.summary"
        " where kind = 'card'"
    )
    assert phrasings == ["Maya lives in Lisbon."] and set(facts) < set(records)


async def test_only_what_changes_a_card_makes_a_version_and_each_is_kept(summaries: SummaryStore) -> None:
    await summaries.say("Maya: The ferry to Amalthea leaves at noon.")
    assert (await summaries.compile())["versions"] == 1
    await summaries.say("Tom: Ok.", "Maya: Bye!")
    await summaries.compile()
    assert (await summaries.compile())["groups"] == 0
    await summaries.say("Maya: The ferry to Callisto leaves at one.")
    await summaries.compile()
    rows = await summaries.fetch(
        "select text, live_from_commit, live_to_commit from muniment.summary where kind = 'card' order by summary_no"
    )
    assert [row[0].count("ferry") for row in rows] == [1, 1, 2]  # Tom's name came into the title of the second
    assert [row[2] for row in rows] == [rows[1][1], rows[2][1], None]


async def test_forgetting_retracting_and_undoing_change_cards_and_erasing_leaves_nothing_of_any_version(
    summaries: SummaryStore,
) -> None:
    database, tenant = summaries.database, summaries.tenant
    first, _ = await summaries.say("Maya: The zorb in Lisbon is red.", "Maya: The quince in Porto is ripe.")
    source = await summaries.write("The lighthouse at Sagres was built in 1515.", "note")
    await summaries.compile()
    commit = (await forget(database, tenant, [first], "asked to")).commit
    await retract(database, tenant, source, "not ours")
    await summaries.compile()
    cards = await summaries.current()
    assert list(cards) == ["chat"] and "zorb" not in cards["chat"]
    await undo(database, tenant, commit, "a mistake")
    await summaries.compile()
    assert "zorb" in (await summaries.current())["chat"]
    await erase(database, tenant, records=[first], reason="asked to")
    found = "select count(*) from muniment.summary s where s::text ilike '%zorb%'"
    assert await summaries.fetch(found) == [(0,)]
    terms = "select count(*) from muniment.summary_posting where hash = muniment.term_hash('zorb')"
    assert await summaries.fetch(terms) == [(0,)]
    await summaries.compile()
    assert (await summaries.current())["chat"].endswith("Maya: The quince in Porto is ripe.")
    assert await summaries.fetch(found) == [(0,)]
    assert await summaries.wrong() == []


async def test_compilers_at_once_write_each_card_once(summaries: SummaryStore) -> None:
    for group in "abcdef":
        await summaries.say(f"Maya: The harbour of {group.upper()}xos has ten boats.", group=group)
    await asyncio.gather(*(summaries.compile() for _ in range(3)))
    twice = "select group_no, count(*) from muniment.summary group by 1 having count(*) > 1"
    assert await summaries.fetch(twice) == []
    assert len(await summaries.current()) == 6


WORDS = st.sampled_from(["The ferry to Amalthea leaves at noon.", "I live in Lisbon.", "Yes.", "Is it red?",
                         "We bought ten lemon trees in Porto.", "I moved to Berlin."])  # fmt: skip
STEP = st.one_of(
    st.tuples(st.just("say"), st.sampled_from("ab"), st.lists(WORDS, min_size=1, max_size=4)),
    st.tuples(st.just("write"), st.sampled_from("xy"), WORDS),
    st.tuples(st.sampled_from(["forget", "erase", "undo", "compile"]), st.just(""), st.just("")),
)


@given(steps=st.lists(STEP, min_size=1, max_size=8), data=st.data())
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_drained_cards_equal_their_definition_after_any_history(
    summaries: SummaryStore, steps: list[tuple[str, str, Any]], data: st.DataObject
) -> None:
    database, tenant = summaries.database, summaries.tenant
    records: list[str] = []
    commits: list[int] = []
    for kind, key, what in steps:
        if kind == "say":
            records += await summaries.say(*(f"Maya: {each}" for each in what), group=key)
        elif kind == "write":
            await summaries.write(what, key)
        elif kind == "undo" and commits:
            await undo(database, tenant, commits.pop(), "a mistake")
        elif kind == "compile":
            await summaries.compile()
        elif records:
            record = records.pop(data.draw(st.integers(0, len(records) - 1)))
            if kind == "forget":
                commits.append((await forget(database, tenant, [record], "asked to")).commit)
            else:
                commits = []
                await erase(database, tenant, records=[record], reason="asked to")
    await summaries.compile()
    assert await summaries.wrong() == []
    assert await summaries.fetch("select count(*) from muniment.summary_due") == [(0,)]


@pytest.mark.parametrize("damage", ["text = 'nonsense'", "inputs = 'x'", "live_to_commit = live_from_commit"])
async def test_a_damaged_card_is_found_by_validation(summaries: SummaryStore, damage: str, admin_url: str) -> None:
    await summaries.say("Maya: The ferry to Amalthea leaves at noon.")
    await summaries.compile()
    assert await summaries.wrong() == []
    admin = Database(admin_url, summaries.settings)
    async with admin.transaction() as connection:
        await connection.execute(text(f"update muniment.summary set {damage}"))  # noqa: S608
    await admin.close()
    assert len(await summaries.wrong()) == 1


async def test_a_namespace_of_ones_own_has_cards_of_its_own(summaries: SummaryStore) -> None:
    await summaries.say("Maya: The ferry to Amalthea leaves at noon.")
    tom = MAYA.model_copy(update={"user_id": "tom"})
    await summaries.say("Tom: The ferry to Callisto leaves at one.", namespace=tom)
    await summaries.compile()
    assert await summaries.fetch("select count(distinct space_id), count(*) from muniment.summary") == [(2, 2)]


async def test_a_group_that_changes_while_it_is_compiled_stays_due(summaries: SummaryStore) -> None:
    await summaries.say("Maya: The ferry to Amalthea leaves at noon.")
    await summaries.compile()
    ((group, record),) = await summaries.fetch("select group_no, record_no from muniment.record where kind = 'raw'")
    database, tenant = summaries.database, summaries.tenant

    async def mark() -> None:
        async with database.scope(tenant) as scope:
            await scope.execute("summaries.mark", records=[record])

    await mark()
    async with database.scope(tenant) as compiling:
        assert await compiling.value("summaries.lock_due", group_no=group)
        marking = asyncio.create_task(mark())
        await asyncio.sleep(0.2)
        await compiling.execute("summaries.done", group_no=group)
    await marking
    assert await summaries.fetch("select group_no from muniment.summary_due") == [(group,)]
