"""Summaries in a model's words: believed as far as the turns carry them, asked for once for the same turns."""

import json
from dataclasses import replace
from typing import Any

from summary_store import SummaryStore

from muniment.derivation.summaries.writing import prompt_hash
from muniment.providers.completion import open_summary_chat
from scripted_endpoint import Said, ScriptedEndpoint, in_turn


def _reply(summary: str, *turns: str, **more: Any) -> Said:
    told = {"turns": list(turns), "title": "The ferry", "summary": summary, "decisions": [], "outcome": "",
            "phrasings": ["When does the boat leave?"]}  # fmt: skip
    return Said(json.dumps(told | more))


async def _compile(store: SummaryStore, *replies: Said) -> int:
    """Compiles with a model that says these; how many requests it got."""
    with ScriptedEndpoint(in_turn(*replies)) as endpoint:
        changes = {"summaries": "model", "extraction_url": endpoint.url, "extraction_model": "scripted"}
        settings = store.settings.model_copy(update={**changes, "answer_retries": 0, "extraction_timeout": 5.0})
        chat = open_summary_chat(settings)
        assert chat is not None
        store.context = replace(store.context, settings=settings, summary_chat=chat)
        await store.compile()
        await chat.close()
        return len(endpoint.requests)


async def test_a_card_in_a_models_words_names_its_prompt_and_is_asked_for_once(summaries: SummaryStore) -> None:
    await summaries.say("Maya: The ferry to Amalthea leaves at 12.", "Tom: Ok.")
    asked = await _compile(summaries, Said("nonsense"), _reply("Maya says the ferry to Amalthea leaves at 12.", "T1"))
    assert asked == 2
    assert (await summaries.current())["chat"] == "The ferry\nMaya says the ferry to Amalthea leaves at 12."
    ((form, records),) = await summaries.fetch("select form, cardinality(records) from muniment.summary")
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
