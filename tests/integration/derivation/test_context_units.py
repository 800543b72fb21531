"""Context in the units that the caller chooses, the same here and over a server, within its tokens."""

import pytest
from telling import Store, day
from test_reading_summaries import _compile, _say

from muniment.errors import MunimentError

NEW = " In Amsterdam she will also look for the lost drawings of the harbour of Hoorn, and stay until the first of May."


async def test_records_facts_episodes_and_profiles_come_in_the_units_asked_for(store: Store) -> None:
    await _say(store, "chat", "I live in Lisbon.", "I like tea.", "The weather is fine.")
    await _compile(store)
    found = await store.memory.context("Where does Maya live? Lisbon")
    assert [each.unit for each in found.units] == sorted(
        (each.unit for each in found.units), key="raw fact profile".find
    )
    assert {each.unit for each in found.units} == {"raw", "fact", "profile"}
    texts = {each.unit: each for each in reversed(found.units)}
    assert "I live in Lisbon." in texts["raw"].text and texts["fact"].text.endswith("]: Maya lives in Lisbon.")
    assert texts["fact"].records == texts["raw"].records
    assert texts["profile"].text.splitlines()[:2] == ["Maya", "Maya lives in Lisbon."]
    assert found.tokens == sum(each.tokens for each in found.units) <= 1200
    alone = await store.memory.context("Lisbon", units=["fact"])
    assert {each.unit for each in alone.units} == {"fact"}
    early = await store.memory.context("Lisbon", units=["fact", "profile"], known_at=1)
    assert early.units == []


async def test_context_stays_within_its_tokens_and_each_unit_gets_its_share(store: Store) -> None:
    await _say(store, "chat", *(f"I visited Lisbon and {place}, where the trams are yellow." for place in
                                ("Porto", "Sagres", "Sintra", "Faro", "Braga", "Evora")))  # fmt: skip
    await _compile(store)
    found = await store.memory.context("Lisbon trams", tokens=80)
    assert found.tokens <= 80
    assert {"raw", "fact"} <= {each.unit for each in found.units}
    with pytest.raises(MunimentError) as caught:
        await store.memory.context("Lisbon", units=["opinion"])  # type: ignore[list-item]
    assert caught.value.code == "input.invalid"


async def test_what_context_and_summaries_gave_is_known_again_when_it_comes_back(store: Store) -> None:
    await _say(
        store, "chat", "I live in Unterpfaffenhofen, and I work at the Wasserwirtschaftsamt.",
        "I plan to visit the Rijksmuseum in Amsterdam with my nephew in April.",
    )  # fmt: skip
    await _compile(store)
    given = {}
    for unit in ("raw", "fact", "profile"):
        found = await store.memory.context("Where does Maya live and work? What is her plan?", units=[unit])  # type: ignore[list-item]
        given[unit] = "\n".join(each.text for each in found.units)
    (card,) = (await store.memory.summaries("card")).summaries
    given["card"] = card.text
    for unit, text in given.items():
        for role in ("user", "assistant"):
            run = await store.memory.ingest_messages([{"role": role, "content": text}], group_id=f"{unit} {role}")
            assert [each.index for each in run.items[0].served] == [0], (unit, role, text)
            assert run.items[0].records == 0
    run = await store.memory.ingest_messages([{"role": "user", "content": given["fact"] + NEW}], group_id="new")
    assert (run.items[0].records, run.items[0].served) == (1, [])


async def test_facts_say_how_they_stand_and_what_ended_is_there_only_where_the_past_is_asked_about(
    store: Store,
) -> None:
    for at, content in (
        ("2025-01-10", "I live in Tromso."),
        ("2025-02-10", "I like tea."),
        ("2025-08-20", "I moved to Narvik yesterday."),
    ):
        await store.memory.ingest_messages(
            [{"speaker": "Nora", "content": content, "at": f"{at}T09:00:00Z"}], group_id="chat"
        )
        await store.runtime.runner.drain()
    now = {each.text for each in (await store.memory.context("Where does Nora live?", units=["fact"])).units}
    assert now == {"[since 2025-08-19]: Nora moved to Narvik.", "[said 2025-02-10]: Nora likes tea."}
    past = {each.text for each in (await store.memory.context("Where did Nora live?", units=["fact"])).units}
    assert past - now == {"[said 2025-01-10, until 2025-08-19, no longer so]: Nora lives in Tromso."}
    then = await store.memory.context("Where does Nora live?", units=["fact"], as_of=day("2025-03-01"))
    assert "[said 2025-01-10, until 2025-08-19]: Nora lives in Tromso." in {each.text for each in then.units}


@pytest.mark.parametrize("zone", ["+09:00", "+00:00", "-08:00"])
async def test_facts_tell_the_days_of_the_zone_in_which_they_were_said(store: Store, zone: str) -> None:
    moved, visit = "I moved to Osaka on 10 March 2026.", "I plan to visit Kyoto on 2 January 2027."
    said = f"{moved} {visit} I plan to run a race in May 2027."
    message = {"speaker": "Kenji", "content": said, "at": f"2026-04-07T00:30:00{zone}"}
    await store.memory.ingest_messages([message, {**message, "content": "I like tea."}], group_id="chat")
    await store.runtime.runner.drain()
    asked = await store.memory.context("What of Kenji, Kyoto and the race?", units=["fact"], asked_at=message["at"])
    told = {each.text for each in asked.units}
    assert "[since 2026-03-10]: Kenji moved to Osaka." in told
    assert any(each.startswith("[on 2027-01-02, a plan]: ") for each in told), told
    assert any(each.startswith("[from 2027-05-01, until 2027-05-31, a plan]: ") for each in told), told
    assert "[said 2026-04-07]: Kenji likes tea." in told


async def test_a_plan_that_was_given_up_is_told_where_the_past_is_asked_about(store: Store) -> None:
    for at, content in (
        ("2025-11-25", "I intend to buy a boat."), ("2025-11-26", "I plan to adopt a dog on 28 November 2025."),
        ("2025-11-30", "I'm no longer planning to buy a boat."),
    ):  # fmt: skip
        await store.memory.ingest_messages(
            [{"speaker": "Gus", "content": content, "at": f"{at}T09:00:00Z"}], group_id="chat"
        )
        await store.runtime.runner.drain()
    found = await store.memory.context("What is Gus planning?", units=["fact"])
    told = "\n".join(each.text for each in found.units)
    assert "Gus plans to buy a boat." not in told and "Gus does not plan to buy a boat." in told
    assert "[on 2025-11-28, a plan]: Gus plans to adopt a dog." in told
    past = await store.memory.context("What did Gus plan?", units=["fact"])
    assert "[said 2025-11-25, no longer so]: Gus plans to buy a boat." in {each.text for each in past.units}
