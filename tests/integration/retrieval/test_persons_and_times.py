"""Questions of what somebody did at a time, and of people whose names are ordinary words."""

from datetime import UTC, datetime

import pytest
from asking import ATLAS, ask

from muniment.log.writer import Writer
from muniment.model.message import Message
from muniment.retrieval.engine import Retriever
from muniment.tenancy.tenants import Tenant

TURNS = (
    ("Anna", "2023-05-26", "My bicycle got stolen today."),
    ("Bert", "2023-05-26", "Oh no, that is sad."),
    ("Anna", "2023-06-03", "Last week I sang in a choir."),
    ("Bert", "2023-06-09", "Today I signed the contract for the flat."),
    ("Anna", "2023-06-28", "I bought a car last week."),
    ("Ann", "2024-03-18", "Last Friday I met the plumber."),
    ("Ann", "2024-06-01", "The conference was in Q1 2024."),
    ("Ben", "2024-06-06", "I bought a boat three days ago."),
    ("Ben", "2024-06-07", "On 3 April the contract ended."),
    ("Carl", "2026-08-03", "The audit found three unpaid invoices."),
    ("Carl", "2026-02-03", "The audit starts soon."),
    ("Mark", "2026-03-08", "Please mark the calendar: the review is on Thursday."),
    ("Mark", "2026-03-09", "I bought a telescope."),
    ("Rose", "2026-03-09", "I planted tulips in the garden."),
    ("Will", "2026-03-09", "Prices rose by ten percent."),
    ("May", "2026-03-10", "I may start a bakery."),
    ("May", "2026-03-10", "My sister moved to Bergen."),
)


async def _told(writer: Writer, tenant: Tenant) -> None:
    messages = [
        Message(speaker=speaker, content=content, at=datetime.fromisoformat(f"{day}T10:00:00Z"))
        for speaker, day, content in TURNS
    ]
    await writer.ingest_messages(tenant.number, ATLAS, messages, group_id="chat")


@pytest.mark.parametrize(
    ("question", "asked", "told", "untold"),
    [
        ("What did Anna do on 26 May 2023?", "2026-12-01", "bicycle", "sad"),
        ("What did Anna do in May 2023?", "2026-12-01", "bicycle", "contract"),
        ("Was hat Anna am 26. Mai 2023 gemacht?", "2026-12-01", "bicycle", "contract"),
        ("Qu'a fait Anna le 26 mai 2023 ?", "2026-12-01", "bicycle", "contract"),
        ("What did Anna do last week?", "2023-07-01", "bought a car", "choir"),
        ("What did Bert sign on 9 June 2023?", "2026-12-01", "contract", "bicycle"),
        ("What did the audit find in Q3 2026?", "2026-12-01", "invoices", "soon"),
        ("Who did Ann meet on 15 March 2024?", "2026-12-01", "plumber", "conference"),
        ("What did Ben buy on 3 June 2024?", "2026-12-01", "boat", "contract"),
        ("What did Mark buy?", "2026-12-01", "telescope", "calendar"),
        ("What did Rose plant?", "2026-12-01", "tulips", "Prices"),
        ("Where did May's sister move?", "2026-12-01", "Bergen", "bakery"),
    ],
)
async def test_what_somebody_did_is_told_of_them_and_then(
    writer: Writer, retriever: Retriever, tenant: Tenant, question: str, asked: str, told: str, untold: str
) -> None:
    await _told(writer, tenant)
    found = await ask(retriever, tenant, question, asked_at=datetime.fromisoformat(asked).replace(tzinfo=UTC))
    assert not found.abstain and found.answer is not None, found.notes
    assert told in found.answer and untold not in found.answer, found.answer


async def test_of_a_time_at_which_nothing_is_told_of_somebody_nothing_is_told(
    writer: Writer, retriever: Retriever, tenant: Tenant
) -> None:
    await _told(writer, tenant)
    found = await ask(retriever, tenant, "What did Anna do on 3 March 2021?")
    assert found.abstain and found.reason == "none_within_time"
    of_another = await ask(retriever, tenant, "What did Anna do on 9 June 2023?")
    assert of_another.abstain and of_another.reason == "none_within_time"
    beside = await ask(retriever, tenant, "What bicycle did Anna have on 1 January 2020?")
    assert beside.abstain or any("the time that was asked about" in note for note in beside.notes)
