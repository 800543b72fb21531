"""Messages through the writer: known by id or position and never by text, all of a batch or none of it."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from writing import ATLAS, all_records, assert_sealed_without_gaps, conversation, counts, fetch, turns

from muniment.database.pool import Database
from muniment.errors import MunimentError
from muniment.log.writer import Writer
from muniment.model.message import Message
from muniment.model.namespace import Namespace
from muniment.model.source import IngestionRun
from muniment.settings import Settings
from muniment.tenancy.tenants import Tenant, create_tenant

EAST = timezone(timedelta(hours=5, minutes=30))


async def say(writer: Writer, tenant: Tenant, *messages: Message, group_id: str = "chat", **more: Any) -> IngestionRun:
    return await writer.ingest_messages(tenant.number, ATLAS, list(messages), group_id=group_id, **more)


def named(message_id: str, content: str, **more: Any) -> Message:
    return Message(role="user", content=content, id=message_id, **more)


async def test_messages_become_the_turns_of_a_conversation(writer: Writer, database: Database, tenant: Tenant) -> None:
    at = datetime(2026, 3, 29, 2, 30, tzinfo=EAST)
    run = await writer.ingest_messages(
        tenant.number,
        Namespace(project_id="atlas", session_id="monday"),
        [
            Message(role="Alex", content="Who leads Atlas?", id="m1"),
            Message(speaker="Maya", role="assistant", content="Liam Vance.", at=at, metadata={"mood": 0.5, "ok": True}),
        ],
        group_id="chat:sync-9",
    )
    assert (run.kind, run.state, len(run.items)) == ("messages", "succeeded", 1)
    first, second = await conversation(database, tenant, "chat:sync-9")
    assert [first.id, second.id] == run.items[0].record_ids
    assert first.locator == {"kind": "message", "group_id": "chat:sync-9", "turn": 0, "message_id": "m1"}
    assert second.locator == {"kind": "message", "group_id": "chat:sync-9", "turn": 1}
    assert (first.speaker, first.role, first.modality) == (None, "Alex", "conversation")
    assert (second.speaker, second.role, second.namespace.session_id) == ("Maya", "assistant", "monday")
    assert second.said_at == at and second.said_at.utcoffset() == timedelta(hours=5, minutes=30)
    assert second.metadata == {"mood": 0.5, "ok": True}
    filterable = await fetch(database, tenant, "select key, value from muniment.record_metadata order by 1")
    assert [tuple(row) for row in filterable] == [("mood", "0.5"), ("ok", "true")]
    assert (first.source_key, first.source_version, first.commit, second.commit) == ("chat:sync-9", 1, 1, 1)


async def test_the_same_words_twice_are_two_messages(writer: Writer, database: Database, tenant: Tenant) -> None:
    await say(writer, tenant, *turns("Yes.", "Yes."))
    await say(writer, tenant, *turns("Yes."))
    found = await conversation(database, tenant, "chat")
    assert [(record.position, record.text) for record in found] == [(0, "Yes."), (1, "Yes."), (2, "Yes.")]


async def test_a_message_sent_again_under_its_id_is_left_as_it_is(
    writer: Writer, database: Database, tenant: Tenant
) -> None:
    first = await say(writer, tenant, named("a", "one"), named("b", "two"))
    before = await counts(database, tenant)
    again = await say(writer, tenant, named("b", "two"), named("a", "one"))
    assert again.items[0].state == "unchanged" and again.items[0].records == 0
    assert again.items[0].record_ids == first.items[0].record_ids[::-1]
    assert await counts(database, tenant) == before
    more = await say(writer, tenant, named("a", "one"), named("c", "three"))
    assert (more.items[0].state, more.items[0].records) == ("stored", 1)
    assert [record.text for record in await conversation(database, tenant, "chat")] == ["one", "two", "three"]


async def test_other_content_under_a_known_id_replaces_and_keeps_what_was(
    writer: Writer, database: Database, tenant: Tenant
) -> None:
    await say(writer, tenant, named("a", "one"), named("b", "two"), named("c", "three"))
    run = await say(writer, tenant, named("b", "two, corrected"))
    live = await conversation(database, tenant, "chat")
    assert [(record.position, record.text) for record in live] == [(0, "one"), (1, "two, corrected"), (2, "three")]
    history = await all_records(database, tenant, include_closed=True)
    old = next(record for record in history if record.text == "two")
    assert (old.live, old.closed_by_commit, old.position) == (False, 2, 1)
    detail = await fetch(database, tenant, "select detail from muniment.log_entry where event = 'close'")
    assert [row[0] for row in detail] == [{"replaced_by": run.items[0].record_ids[0]}]
    back = await say(writer, tenant, named("b", "two"))
    assert back.items[0].state == "stored" and back.items[0].record_ids != [old.id]
    assert len(await conversation(database, tenant, "chat")) == 3


@pytest.mark.parametrize(
    "change",
    [
        {"content": "other"},
        {"role": "other"},
        {"speaker": "other"},
        {"at": datetime(2026, 1, 2, tzinfo=UTC)},
        {"at": None},
        {"metadata": {"a": 2}},
        {"metadata": {}},
    ],
    ids=str,
)
async def test_whatever_is_said_differently_is_other_content(
    writer: Writer, database: Database, tenant: Tenant, change: dict[str, Any]
) -> None:
    message = named("a", "words", at=datetime(2026, 1, 1, tzinfo=UTC), metadata={"a": 1})
    await say(writer, tenant, message)
    changed = await say(writer, tenant, message.model_copy(update=change))
    assert (changed.items[0].state, len(await conversation(database, tenant, "chat"))) == ("stored", 1)


async def test_a_message_without_an_id_is_known_by_its_position(
    writer: Writer, database: Database, tenant: Tenant
) -> None:
    await say(writer, tenant, *turns("zero", "one"))
    same = await say(writer, tenant, Message(role="user", content="one", position=1))
    assert same.items[0].state == "unchanged"
    await say(writer, tenant, Message(role="user", content="one, again", position=1))
    await say(writer, tenant, Message(role="user", content="five", position=5))
    await say(writer, tenant, Message(role="user", content="three", position=3), *turns("six"))
    found = [(record.position, record.text) for record in await conversation(database, tenant, "chat")]
    assert found == [(0, "zero"), (1, "one, again"), (3, "three"), (5, "five"), (6, "six")]


async def test_a_position_can_be_given_an_id_later_but_not_another_messages(
    writer: Writer, database: Database, tenant: Tenant
) -> None:
    await say(writer, tenant, *turns("zero"))
    named_now = await say(writer, tenant, named("a", "zero", position=0))
    assert named_now.items[0].state == "unchanged"
    replaced = await say(writer, tenant, named("a", "nought"))
    assert replaced.items[0].records == 1
    with pytest.raises(MunimentError) as refused:
        await say(writer, tenant, named("b", "mine", position=0))
    assert (refused.value.code, refused.value.facts["index"]) == ("input.message_invalid", 0)
    assert [record.text for record in await conversation(database, tenant, "chat")] == ["nought"]


async def test_an_id_repeated_in_a_batch_counts_once_where_it_says_the_same(
    writer: Writer, database: Database, tenant: Tenant
) -> None:
    run = await say(writer, tenant, named("a", "one"), named("b", "two"), named("a", "one"))
    first, second, third = run.items[0].record_ids
    assert (run.items[0].records, third) == (2, first) and first != second
    with pytest.raises(MunimentError) as refused:
        await say(writer, tenant, named("x", "one"), named("y", "two"), named("x", "three"), group_id="other")
    assert (refused.value.code, refused.value.facts["index"]) == ("input.message_invalid", 2)
    assert await all_records(database, tenant, group_id="other") == []


@pytest.mark.parametrize(
    ("bad", "code"),
    [
        (Message(role="u", content="  "), "input.empty_text"),
        (Message(role="u", content=""), "input.empty_text"),
        (Message(role="u", content="a\x00b"), "input.nul_byte"),
        (Message(role="u", content="a\udfffb"), "input.encoding_invalid"),
        (Message(role="u", content="x", at=datetime(2026, 1, 1)), "input.time_without_zone"),
        (Message(role="u", content="x", at=datetime(9000, 1, 1, tzinfo=UTC)), "input.time_in_future"),
        (
            Message(role="u", content="x", at=datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=1)))),
            "input.time_invalid",
        ),
        (Message(role="u", content="x", metadata={"a": float("inf")}), "input.metadata_invalid"),
        (Message(role="u", content="x", metadata={"a": 10**400}), "input.metadata_invalid"),
        (Message(role="u", content="x", metadata={"a": "\x00"}), "input.metadata_invalid"),
        (Message(role="u", content="x" * 1_048_577), "input.too_large"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
async def test_one_bad_message_refuses_the_batch_and_is_named(
    writer: Writer, database: Database, tenant: Tenant, bad: Message, code: str
) -> None:
    with pytest.raises(MunimentError) as refused:
        await say(writer, tenant, *turns("fine", "fine too"), bad, *turns("fine"))
    assert (refused.value.code, refused.value.facts["index"]) == (code, 2)
    assert set((await counts(database, tenant)).values()) == {0}
    assert (await fetch(database, tenant, "select count(*) from muniment.ingestion_run"))[0][0] == 0


async def test_a_batch_that_the_conversation_refuses_leaves_no_trace(
    writer: Writer, database: Database, tenant: Tenant
) -> None:
    await say(writer, tenant, named("a", "one"))
    before = await counts(database, tenant)
    with pytest.raises(MunimentError):
        await say(writer, tenant, *turns("two", "three"), named("b", "not here", position=0), idempotency_key="k")
    assert await counts(database, tenant) == before
    again = await say(writer, tenant, *turns("two"), idempotency_key="k")
    assert again.items[0].records == 1


async def test_a_very_long_message_is_one_record(writer: Writer, database: Database, tenant: Tenant) -> None:
    content = "мир " * 200_000
    await say(writer, tenant, *turns(content[: 1024 * 1024 // 2]))
    (record,) = await conversation(database, tenant, "chat")
    assert record.text == content[: 1024 * 1024 // 2]


@pytest.mark.parametrize(
    "words",
    [
        "שלום עולם — مرحبا بالعالم ‏(עברית)",
        "東京は日本の首都です。北京是中国的首都。한국어",
        "👩‍👩‍👧‍👦 🇪🇺 👍🏽 e\u0301 ﷽ \U0001f9ff",
        "'; drop table muniment.record; -- $1 %s :tenant {} \\ \" E'\\000' [a-z]* (?:",
        "line\r\nbreak\ttab\u2028separator\u0085next \u200b\ufeff\ufffe",
    ],
)
async def test_all_the_worlds_scripts_come_back_exactly(
    writer: Writer, database: Database, tenant: Tenant, words: str
) -> None:
    name = words.replace("\r", "").replace("\n", "").replace("\t", "")
    message = Message(speaker=name, content=words, id=name, metadata={name: words})
    await say(writer, tenant, message, group_id=name)
    (record,) = await conversation(database, tenant, name)
    assert (record.text, record.speaker, record.group_id, record.source_key) == (words, name, name, name)
    assert (record.metadata, record.locator["message_id"]) == ({name: words}, name)
    assert (await say(writer, tenant, message, group_id=name)).items[0].state == "unchanged"


_characters = st.characters(exclude_categories=["Cs"], exclude_characters="\x00")
_contents = st.text(_characters, min_size=1, max_size=60).filter(lambda content: not content.isspace())
_people = st.sampled_from(["Maya", "Liam", "user", "assistant", "李雷"])
_times = st.none() | st.datetimes(datetime(1000, 1, 1), datetime(2026, 1, 1), timezones=st.sampled_from([UTC, EAST]))
_values = st.text(_characters, max_size=20) | st.integers(-(2**63) + 1, 2**63 - 1) | st.booleans()
_messages = st.builds(
    Message,
    content=_contents,
    role=_people,
    speaker=st.none() | _people,
    at=_times,
    metadata=st.dictionaries(st.sampled_from(["a", "b", "ключ"]), _values, max_size=3),
)


@hypothesis_settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(batches=st.lists(st.lists(_messages, min_size=1, max_size=12), min_size=1, max_size=3))
async def test_any_messages_come_back_exactly_and_in_order(
    writer: Writer, database: Database, batches: list[list[Message]]
) -> None:
    tenant = await create_tenant(database, "one more")
    for batch in batches:
        await say(writer, tenant, *batch)
    sent = [message for batch in batches for message in batch]
    found = await all_records(database, tenant, page=7, group_id="chat")
    assert [record.position for record in found] == list(range(len(sent)))
    assert [(record.text, record.role, record.speaker, record.said_at, record.metadata) for record in found] == [
        (message.content, message.role, message.speaker, message.at, message.metadata) for message in sent
    ]


async def test_a_batch_of_many_slices_is_one_commit(writer: Writer, database: Database, tenant: Tenant) -> None:
    messages = [named(f"m{n}", f"Message {n} of Liam about item-{n % 7}.") for n in range(2500)]
    run = await say(writer, tenant, *messages)
    found = await all_records(database, tenant, page=500)
    assert [record.text for record in found] == [message.content for message in messages]
    assert [record.id for record in found] == run.items[0].record_ids
    assert await assert_sealed_without_gaps(database, tenant) == 1
    entities = await fetch(database, tenant, "select count(*) from muniment.record_entity where entity = 'liam'")
    assert entities[0][0] == 2500
    changed = [named(f"m{n}", "changed") if n % 2 else message for n, message in enumerate(messages)]
    assert (await say(writer, tenant, *changed)).items[0].records == 1250
    assert sum(record.text == "changed" for record in await all_records(database, tenant, page=1000)) == 1250


async def test_too_many_messages_or_none_is_an_error_of_the_request(
    database: Database, tenant: Tenant, settings: Settings
) -> None:
    writer = Writer(database, None, None, settings.model_copy(update={"max_messages_per_request": 3}))
    with pytest.raises(MunimentError) as many:
        await say(writer, tenant, *turns("a", "b", "c", "d"))
    assert many.value.code == "input.too_many"
    assert many.value.facts == {"limit": 3, "setting": "MUNIMENT_MAX_MESSAGES_PER_REQUEST", "count": 4}
    with pytest.raises(MunimentError) as none:
        await say(writer, tenant)
    assert none.value.code == "input.invalid"
    with pytest.raises(MunimentError) as unnamed:
        await say(writer, tenant, *turns("a"), group_id="a\nb")
    assert unnamed.value.code == "input.invalid"
