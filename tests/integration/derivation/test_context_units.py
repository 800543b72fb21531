"""Context in the units that the caller chooses, the same here and over a server, within its tokens."""

import pytest
from telling import Store
from test_reading_summaries import _compile, _say

from muniment.errors import MunimentError


async def test_records_facts_episodes_and_profiles_come_in_the_units_asked_for(store: Store) -> None:
    await _say(store, "chat", "I live in Lisbon.", "I like tea.", "The weather is fine.")
    await _compile(store)
    found = await store.memory.context("Where does Maya live? Lisbon")
    assert [each.unit for each in found.units] == sorted(
        (each.unit for each in found.units), key="raw fact profile".find
    )
    assert {each.unit for each in found.units} == {"raw", "fact", "profile"}
    texts = {each.unit: each for each in reversed(found.units)}
    assert "I live in Lisbon." in texts["raw"].text and texts["fact"].text == "Maya lives in Lisbon."
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
