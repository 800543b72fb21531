"""Summaries in a model's words: believed as far as the turns carry them, asked for once for the same turns."""

import json
from dataclasses import replace
from typing import Any

import pytest
from summary_store import SummaryStore

from muniment.derivation.summaries.writing import prompt_hash
from muniment.errors import MunimentError
from muniment.log.lifecycle import forget
from muniment.providers.completion import open_summary_chat
from scripted_endpoint import Reply, Said, ScriptedEndpoint, in_turn


def _reply(summary: str, *turns: str, **more: Any) -> Said:
    told = {"turns": list(turns), "title": "The ferry", "summary": summary, "decisions": [], "outcome": "",
            "phrasings": ["When does the boat leave?"]}  # fmt: skip
    return Said(json.dumps(told | more))


async def _compile(store: SummaryStore, *replies: Said | Reply, code: str | None = None) -> int:
    """Compiles with a model that says these; how many requests it got. The job fails with ``code`` where given."""
    with ScriptedEndpoint(in_turn(*replies)) as endpoint:
        changes = {"summaries": "model", "extraction_url": endpoint.url, "extraction_model": "scripted"}
        settings = store.settings.model_copy(update={**changes, "answer_retries": 0, "extraction_timeout": 5.0})
        chat = open_summary_chat(settings)
        assert chat is not None
        store.context = replace(store.context, settings=settings, summary_chat=chat)
        if code is None:
            await store.compile()
        else:
            with pytest.raises(MunimentError) as refusal:
                await store.compile()
            assert refusal.value.code == code
        await chat.close()
        return len(endpoint.requests)


async def test_a_card_in_a_models_words_names_its_prompt_and_is_asked_for_once(summaries: SummaryStore) -> None:
    await summaries.say("Maya: The ferry to Amalthea leaves at 12.", "Tom: Ok.")
    asked = await _compile(summaries, Said("nonsense"), _reply("Maya says the ferry to Amalthea leaves at 12.", "T1"))
    assert asked == 2
    assert (await summaries.current())["chat"] == "The ferry\nMaya says the ferry to Amalthea leaves at 12."
    ((form, records),) = await summaries.fetch(
        "select form, cardinality(records) from muniment.summary where live_to_commit is null"
    )
    assert (form, records) == (f"model:openai:scripted:{prompt_hash()}", 1)
    assert await summaries.fetch("select requests, refused, reason from muniment.summary_call") == [(2, 1, None)]
    assert await summaries.wrong() == []


async def test_what_the_turns_do_not_say_is_refused_and_the_rules_stand_in(summaries: SummaryStore) -> None:
    await summaries.say("Maya: The ferry to Amalthea leaves at 12.")
    await _compile(summaries, _reply("Maya says the ferry to Callisto leaves at 15.", "T1"))
    assert "Maya: The ferry to Amalthea leaves at 12." in (await summaries.current())["chat"]
    ((requests, refused, reason),) = await summaries.fetch(
        "select requests, refused, reason from muniment.summary_call"
    )
    assert (requests, refused, reason) == (2, 2, "summary.reply_invalid")
    assert await summaries.wrong() == []


async def test_an_endpoint_that_is_away_leaves_summaries_due_in_the_form_of_rules(summaries: SummaryStore) -> None:
    await summaries.say("Maya: The ferry to Amalthea leaves at 12.", group="one")
    await summaries.say("Maya: The tram to Ganymede leaves at 15.", group="two")
    assert await _compile(summaries, (503, {}), code="provider.unavailable") == 1  # not asked about the others then
    told = await summaries.current()
    assert len(told) == 2 and all("Maya: The" in words for words in told.values())
    assert await summaries.wrong() == []
    replies = _reply("Maya told of a ferry to Amalthea.", "T1"), _reply("A tram goes to Ganymede.", "T1")
    assert await _compile(summaries, *replies) == 2
    told = await summaries.current()
    assert told["one"] == "The ferry\nMaya told of a ferry to Amalthea."
    assert told["two"].splitlines()[1] == "A tram goes to Ganymede."


async def test_what_is_forgotten_while_the_endpoint_is_away_is_told_no_longer(summaries: SummaryStore) -> None:
    first, second = "Maya: The ferry to Amalthea leaves at 12.", "Maya: The tram to Ganymede leaves at 15."
    await summaries.say(first, group="one")
    forgotten, _ = await summaries.say(second, "Maya: I like tea.", group="two")
    written = _reply("Maya told of a ferry to Amalthea.", "T1"), _reply("A tram goes to Ganymede.", "T1")
    assert await _compile(summaries, *written) == 2
    await forget(summaries.database, summaries.tenant, [forgotten], "asked to")
    await summaries.say(first, "Maya: It is red.", group="one")
    assert await _compile(summaries, (503, {}), code="provider.unavailable") == 1
    told = await summaries.current()
    assert "Ganymede" not in told["two"] and "tea" in told["two"] and "red" in told["one"]


async def test_an_endpoint_that_refuses_one_request_is_asked_about_the_others(summaries: SummaryStore) -> None:
    await summaries.say("Maya: The ferry to Amalthea leaves at 12.", group="one")
    await summaries.say("Maya: The tram to Ganymede leaves at 15.", group="two")
    assert await _compile(summaries, (413, {}), _reply("A tram goes to Ganymede.", "T1")) == 2
    told = await summaries.current()
    assert "Maya: The ferry" in told["one"] and "A tram goes to Ganymede." in told["two"]
    assert await summaries.fetch("select reason from muniment.summary_call where reason is not null") == [
        ("provider.refused",)
    ]


async def test_a_title_and_phrasings_that_the_turns_do_not_carry_are_left_out(summaries: SummaryStore) -> None:
    await summaries.say("Maya: The ferry to Amalthea leaves at 12.")
    reply = _reply(
        "Maya says the ferry leaves at 12.", "T1", title="Zorblax sails in 1877",
        phrasings=["Did Brunhilde pay 999 dollars?", "When does the ferry leave?"],
    )  # fmt: skip
    await _compile(summaries, reply)
    current = "select title, phrasings from muniment.summary where live_to_commit is null"
    ((title, phrasings),) = await summaries.fetch(current)
    assert "Zorblax" not in title and title
    assert "When does the ferry leave?" in phrasings and not any("Brunhilde" in each for each in phrasings)
