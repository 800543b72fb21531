"""Summaries read back, the same in this process and over a server: paged, as of a commit, with age and staleness."""

from datetime import UTC, datetime
from typing import Any

import pytest
from telling import Store

from muniment.errors import MunimentError
from muniment.jobs.context import JobContext
from muniment.jobs.summarizing import summarize
from muniment.model.namespace import Namespace

SAID = "2026-03-12T09:00:00Z"


async def _say(store: Store, group: str, *words: str) -> None:
    turns: list[dict[str, Any]] = [{"speaker": "Maya", "content": each, "at": SAID} for each in words]
    await store.memory.ingest_messages(turns, group_id=group)
    await store.runtime.runner.drain()


async def _compile(store: Store) -> None:
    settings = store.runtime.settings.model_copy(update={"summaries": "rules"})
    await summarize(JobContext(store.runtime.database, settings), store.runtime.tenant.number, {})


async def test_cards_come_in_pages_of_ones_own_namespace_with_age_and_staleness(store: Store) -> None:
    for group in ("a", "b", "c"):
        await _say(store, group, f"The harbour of {group.upper()}xos has ten boats.")
    await _compile(store)
    asked = datetime(2026, 3, 22, 9, tzinfo=UTC)
    first = await store.memory.summaries(limit=2, asked_at=asked)
    assert [(each.group_id, each.age_days, each.stale) for each in first.summaries] == [
        ("a", 10.0, False), ("b", 10.0, False),
    ]  # fmt: skip
    rest = await store.memory.summaries(limit=2, cursor=first.next)
    assert [each.group_id for each in rest.summaries] == ["c"] and rest.next is None
    assert (await store.memory.record(rest.summaries[0].records[0])).text == "The harbour of Cxos has ten boats."
    assert (await store.memory.summaries(namespace=Namespace(user_id="nobody"))).summaries == []
    await _say(store, "a", "The harbour of Dxos has two.")
    (stale,) = (await store.memory.summaries(group_id="a")).summaries
    assert stale.stale
    await _compile(store)
    (fresh,) = (await store.memory.summaries(group_id="a")).summaries
    assert "Dxos" in fresh.text and not fresh.stale
    (before,) = (await store.memory.summaries(group_id="a", known_at=first.known_at)).summaries
    assert (before.id, before.until_commit) == (stale.id, fresh.commit)


async def test_a_profile_is_found_by_a_name_however_it_is_written_with_the_facts_of_each_line(store: Store) -> None:
    await _say(store, "chat", "I live in Lisbon.", "I like tea.")
    await _compile(store)
    (profile,) = (await store.memory.summaries("profile", entity="MAYA")).summaries
    assert [(line.aspect, line.text) for line in profile.lines] == [
        ("identity", "Maya lives in Lisbon."), ("preferences", "Maya likes tea."),
    ]  # fmt: skip
    assert [change.operation for change in profile.changes] == ["add", "add"]
    fact = await store.memory.record(profile.lines[0].facts[0])
    assert (fact.kind, fact.text) == ("fact", "Maya lives in Lisbon.")
    for wrong in ({"kind": "card", "entity": "Maya"}, {"kind": "profile", "group_id": "chat"}, {"cursor": "m_1"}):
        with pytest.raises(MunimentError) as caught:
            await store.memory.summaries(**wrong)  # type: ignore[arg-type]
        assert caught.value.code == "input.invalid"
