"""An export joins the conversations that it brings: again and later exports add what is new, and erasing finds them."""

import json
from base64 import b64encode
from typing import Any

from writing import ATLAS, all_records, fetch

from muniment.database.pool import Database
from muniment.log.erasure import erase
from muniment.log.previews import preview
from muniment.log.validate import validate
from muniment.log.writer import Writer
from muniment.model.message import Message
from muniment.model.source import IngestionItem, SourceInput
from muniment.settings import Settings
from muniment.tenancy.tenants import Tenant

CHAT = """31/01/2026, 09:30 - Anna: Who has the ladder?
31/01/2026, 09:31 - Ben: I have.
31/01/2026, 09:31 - Anna: Yes.
31/01/2026, 09:31 - Anna: Yes.
"""
LATER = "15/02/2026, 08:00 - Ben: It is back.\n"


def _chat(content: str, name: str = "WhatsApp Chat with Roof.txt") -> SourceInput:
    return SourceInput(kind="file", content_base64=b64encode(content.encode()).decode(), filename=name)


def _slack(*turns: tuple[str, str]) -> SourceInput:
    day = [{"type": "message", "user": "U1", "channel": "C1", "ts": ts, "text": said} for ts, said in turns]
    return SourceInput(
        kind="file", content_base64=b64encode(json.dumps(day).encode()).decode(), filename=f"{len(turns)}.json"
    )


async def _ingest(writer: Writer, tenant: Tenant, source: SourceInput) -> IngestionItem:
    run = await writer.ingest_sources(tenant.number, ATLAS, [source])
    assert run.items[0].error is None, run.items[0].error
    return run.items[0]


async def test_an_export_becomes_turns_with_their_places(writer: Writer, tenant: Tenant, database: Database) -> None:
    item = await _ingest(writer, tenant, _chat(CHAT))
    assert (item.state, item.records, item.source_key) == ("stored", 4, "WhatsApp Chat with Roof.txt")
    records = {record.id: record for record in await all_records(database, tenant)}
    first = records[item.record_ids[0]]
    assert (first.text, first.speaker, first.modality) == ("Who has the ladder?", "Anna", "conversation")
    assert first.source_key == "whatsapp:Roof"
    place: dict[str, Any] = first.locator
    assert (place["kind"], place["group_id"], place["turn"]) == ("message", "whatsapp:Roof", 0)
    assert place["source_key"] == "WhatsApp Chat with Roof.txt" and place["lines"] == [1, 1]
    assert CHAT[slice(*place["chars"])] == first.text
    assert first.metadata["local_time"] == "2026-01-31T09:30:00" and first.said_at is None
    assert (await validate(database, tenant.number)).valid


async def test_turns_are_shown_in_the_export_that_they_were_read_from(
    writer: Writer, tenant: Tenant, database: Database
) -> None:
    item = await _ingest(writer, tenant, _chat(CHAT))
    await _ingest(writer, tenant, _chat("10/01/2026, 07:00 - Ben: Good morning.\n" + CHAT + LATER))
    for record in await all_records(database, tenant):
        shown = await preview(database, tenant.number, record.id, item.source_id)
        assert (shown.exact, shown.text, shown.original) == (True, record.text, item.source_id)
        assert shown.source_id == record.source_id != item.source_id


async def test_turns_that_came_without_a_file_have_no_original(
    writer: Writer, tenant: Tenant, database: Database
) -> None:
    await writer.ingest_messages(tenant.number, ATLAS, [Message(speaker="Anna", content="Hello.")], group_id="roof")
    (record,) = await all_records(database, tenant)
    shown = await preview(database, tenant.number, record.id)
    assert (shown.exact, shown.text, shown.original) == (False, "Hello.", None)


async def test_a_later_export_adds_what_is_new(writer: Writer, tenant: Tenant, database: Database) -> None:
    first = await _ingest(writer, tenant, _chat(CHAT))
    again = await _ingest(writer, tenant, _chat(CHAT + LATER))
    assert again.records == 1 and again.record_ids[:4] == first.record_ids
    shortened = CHAT.split("\n", 1)[1] + LATER  # WhatsApp exports the last messages only
    other = await _ingest(writer, tenant, _chat(shortened, "WhatsApp Chat with Roof (1).txt"))
    assert other.records == 0 and other.record_ids == again.record_ids[1:]
    assert [record.text for record in await all_records(database, tenant)].count("Yes.") == 2


async def test_an_edited_turn_takes_the_place_of_what_was_said(
    writer: Writer, tenant: Tenant, database: Database
) -> None:
    await _ingest(writer, tenant, _slack(("1769851800.0001", "The deploy is red"), ("1769851801.0001", "Oh")))
    edited = [("1769851800.0001", "The deploy is green"), ("1769851801.0001", "Oh"), ("1769851802.0001", "Good")]
    assert (await _ingest(writer, tenant, _slack(*edited))).records == 2
    live = [record for record in await all_records(database, tenant) if record.live]
    assert sorted(record.text or "" for record in live) == ["Good", "Oh", "The deploy is green"]


async def test_times_without_a_zone_count_where_one_is_named(
    database: Database, tenant: Tenant, settings: Settings
) -> None:
    zoned = settings.model_copy(update={"local_time_zone": "Europe/Berlin"})
    database.settings = zoned
    item = await _ingest(Writer(database, None, None, zoned), tenant, _chat(CHAT))
    first = next(record for record in await all_records(database, tenant) if record.id == item.record_ids[0])
    assert first.said_at is not None and first.said_at.isoformat() == "2026-01-31T09:30:00+01:00"
    assert "local_time" not in first.metadata


async def test_erasing_a_turn_erases_every_export_that_brought_it(
    writer: Writer, tenant: Tenant, database: Database
) -> None:
    first = await _ingest(writer, tenant, _chat(CHAT))
    await _ingest(writer, tenant, _chat(CHAT + LATER, "WhatsApp Chat with Roof (2).txt"))
    assert len(await fetch(database, tenant, "select sha256 from muniment.blob")) == 2
    await erase(database, tenant.number, records=[first.record_ids[0]], reason="asked for")
    assert not await fetch(database, tenant, "select sha256 from muniment.blob")
    left = await fetch(
        database, tenant, "select 1 from muniment.source_version where blob_sha256 is not null or filename is not null"
    )
    assert not left
    assert (await validate(database, tenant.number)).valid


async def test_erasing_an_export_leaves_the_conversation(writer: Writer, tenant: Tenant, database: Database) -> None:
    item = await _ingest(writer, tenant, _chat(CHAT))
    assert item.source_id is not None
    await erase(database, tenant.number, sources=[item.source_id], reason="asked for")
    assert not await fetch(database, tenant, "select sha256 from muniment.blob")
    assert len(await all_records(database, tenant)) == 4
    assert (await validate(database, tenant.number)).valid
