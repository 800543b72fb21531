"""Profiles of entities: lines with their facts, in versions that tell what changed, gone with what they rest on."""

from typing import Any

import pytest
from summary_store import SummaryStore

from muniment.derivation.profiles import compiling
from muniment.log.erasure import erase
from muniment.log.lifecycle import forget


async def _profiles(store: SummaryStore, who: str = "maya") -> list[tuple[Any, ...]]:
    return list(
        await store.fetch(
            "select text, detail -> 'changes', live_to_commit from muniment.summary"
            " where kind = 'profile' and entity_key = :who order by summary_no",
            who=who,
        )
    )


async def test_a_move_updates_a_line_in_a_new_version_and_the_same_again_does_nothing(summaries: SummaryStore) -> None:
    await summaries.say("Maya: I live in Paris.", "Maya: I like tea.")
    await summaries.compile()
    await summaries.say("Maya: I moved to Berlin.")
    assert (await summaries.compile())["profiles"] == 1
    before, after = await _profiles(summaries)
    assert "Paris" in before[0] and before[2] is not None
    assert "Berlin" in after[0] and "Paris" not in after[0] and after[2] is None
    assert [(each["operation"], each["aspect"]) for each in after[1]] == [("update", "identity")]
    assert (await summaries.compile())["profiles"] == 0
    assert await summaries.wrong() == []


async def test_what_is_forgotten_leaves_the_profile_and_what_is_erased_every_version_of_it(
    summaries: SummaryStore,
) -> None:
    first, second, _ = await summaries.say("Maya: I live in Zorbia.", "Maya: I work at Quincea.", "Maya: I like tea.")
    await summaries.compile()
    await forget(summaries.database, summaries.tenant, [first], "asked to")
    await summaries.compile()
    versions = await _profiles(summaries)
    assert "Zorbia" not in versions[-1][0] and [each["operation"] for each in versions[-1][1]] == ["delete"]
    await erase(summaries.database, summaries.tenant, records=[first, second], reason="asked to")
    for word in ("zorbia", "quincea"):
        found = "select count(*) from muniment.summary s where s::text ilike :word"
        assert await summaries.fetch(found, word=f"%{word}%") == [(0,)]
    await summaries.compile()
    ((words, _, _),) = await _profiles(summaries)
    assert words == "Maya likes tea."
    assert await summaries.wrong() == []


async def test_a_profile_tells_how_others_stand_to_whom_it_is_about(summaries: SummaryStore) -> None:
    wife, _, _ = await summaries.say(
        "Pieter: My wife is Elena Quincea.", "Pieter: My brother Tom lives in Ghent.", "Pieter: My boss is Karin."
    )
    await summaries.compile()
    ((told, _, _),) = await _profiles(summaries, "pieter")
    assert told == "Elena Quincea is wife of Pieter.\nTom is brother of Pieter.\nKarin is boss of Pieter."
    assert await summaries.wrong() == []
    await summaries.say(*("Pieter: Fine.",) * 3, "Pieter: My boss is Olga.", group="later")
    await summaries.compile()
    told = (await _profiles(summaries, "pieter"))[-1][0]
    assert "Olga" in told and "Karin" not in told  # one boss at a time
    await erase(summaries.database, summaries.tenant, records=[wife], reason="asked to")
    found = "select count(*) from muniment.summary s where s::text ilike '%quincea%'"
    assert await summaries.fetch(found) == [(0,)]
    await summaries.compile()
    told = (await _profiles(summaries, "pieter"))[-1][0]
    assert "Tom" in told and "Olga" in told
    assert await summaries.wrong() == []


async def test_plans_have_their_days(summaries: SummaryStore) -> None:
    await summaries.say("Gus: I plan to adopt a dog on 28 November 2031.", "Gus: I plan to run a race in May 2032.")
    await summaries.compile()
    ((told, _, _),) = await _profiles(summaries, "gus")
    assert set(told.split("\n")) == {
        "Gus plans to adopt a dog (2031-11-28).", "Gus plans to run a race (2032-05-01 to 2032-05-31).",
    }  # fmt: skip
    assert await summaries.wrong() == []


async def test_what_others_say_of_somebody_leaves_the_profile_what_it_is(
    summaries: SummaryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiling, "MOST_FACTS", 3)
    await summaries.say("Ben Lee: I live in Ghent.", "Ben Lee: I like tea.")
    await summaries.say(*(f"{who}: I like ben lee." for who in ("Ana", "Cy", "Dora", "Eli", "Fay")), group="others")
    await summaries.compile()
    ((told, _, _),) = await _profiles(summaries, "ben lee")
    assert told == "Ben Lee lives in Ghent.\nBen Lee likes tea."
    assert await summaries.fetch("select title from muniment.summary where entity_key = 'ben lee'") == [("Ben Lee",)]
    assert await summaries.wrong() == []
