"""What happened at a time is found first and answered, whatever its words; nothing is said of other times."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from asking import ATLAS, ask, search

from muniment.log.writer import Writer
from muniment.model.message import Message
from muniment.retrieval.engine import Retriever
from muniment.tenancy.tenants import Tenant

SAID = datetime(2026, 6, 2, 9, tzinfo=UTC)  # a Tuesday
ASKED = datetime(2026, 6, 3, 8, tzinfo=UTC)
RECORDS: dict[str, tuple[str, datetime]] = {
    "roof": ("On 18 May 2026 a storm took half of the roof off the barn.", SAID),
    "exhibition": ("The exhibition of old maps opens on 12 September 2026 in the town hall.", SAID),
    "lisbon": ("Rose stays in Lisbon from 10 April to 17 April 2026.", SAID),
    "porto": ("Rose is in Porto from 2 March to 9 March 2026.", SAID),
    "ring": ("My grandmother's silver ring was gone in May 2023, somewhere on the beach.", SAID),
    "key": ("In October 2024 we could not find the key of the cellar any more.", SAID),
    "parade": ("The parade of the fire brigade is on 3 June 2026.", SAID),
    "bees": ("Yesterday the bees swarmed and settled in the pear tree.", SAID),
    "kitchen": ("We painted the kitchen green on 7 February 2026.", SAID),
    "hall": ("We painted the hall white on 21 March 2026.", SAID),
    "wedding": ("Die Hochzeit von Jana findet am 5. September 2026 statt.", SAID),
    "dentist": ("I have an appointment with the dentist on 9 July.", SAID),
    "flood": ("In November 2025 the cellar stood under water for a week.", SAID),
    "loan": ("The bank granted the loan on 30 January 2026.", SAID),
    "goat": ("The goat had twins last Friday.", SAID),  # 29 May
    "piano": ("Tom sold the piano in the summer of 2024.", SAID),
    "plain": ("Fresh eggs cost more at the market than in the shop.", datetime(2026, 2, 20, 9, tzinfo=UTC)),
    "tea": ("Black tea is best with a little milk, says Ann.", datetime(2026, 1, 11, 9, tzinfo=UTC)),
}
QUESTIONS: tuple[tuple[str, str], ...] = (
    ("What happened on 18 May 2026?", "roof"),
    ("What did we lose in May 2023?", "ring"),
    ("What takes place on 3 June 2026?", "parade"),
    ("What is happening today?", "parade"),
    ("What happened two days ago?", "bees"),
    ("Where was Rose on 12 April 2026?", "lisbon"),
    ("Where was Rose on 5 March 2026?", "porto"),
    ("What opens in September 2026?", "exhibition"),
    ("What did we paint in March 2026?", "hall"),
    ("What did we paint on 7 February 2026?", "kitchen"),
    ("Was findet am 5. September 2026 statt?", "wedding"),
    ("What is on 9 July?", "dentist"),
    ("What happened in November 2025?", "flood"),
    ("What did the bank do in January 2026?", "loan"),
    ("What happened last Friday?", "goat"),
    ("What was sold in the summer of 2024?", "piano"),
    ("Was ist am 18. Mai 2026 passiert?", "roof"),
    ("What happened in October 2024?", "key"),
    ("What did we do on 21 March 2026?", "hall"),
    ("12 September 2026?", "exhibition"),
)
NOTHING_THEN = ("What happened on 4 August 2019?", "What did we do in December 2021?", "Was geschah am 2. März 2020?")


@pytest.fixture
async def written(writer: Writer, tenant: Tenant) -> dict[str, str]:
    """The name of each record by its id. Each stands in a group of its own: no neighbour helps."""
    names = {}
    for name, (content, at) in RECORDS.items():
        message = Message(speaker="Maria", content=content, at=at)
        run = await writer.ingest_messages(tenant.number, ATLAS, [message], group_id=name)
        names[run.items[0].record_ids[0]] = name
    return names


async def test_questions_of_a_time_are_answered_by_what_happened_then(
    retriever: Retriever, tenant: Tenant, written: dict[str, str]
) -> None:
    wrong = []
    for question, wanted in QUESTIONS:
        result = await ask(retriever, tenant, question, asked_at=ASKED)
        hits = (await search(retriever, tenant, question, asked_at=ASKED)).hits
        first = written[hits[0].record_id] if hits else None
        cited = written[result.citations[0].record_id] if result.citations else None
        if (first, cited) != (wanted, wanted):
            wrong.append((question, first, cited, result.notes))
    assert not wrong


async def test_of_a_time_of_which_none_tells_nothing_is_said(
    retriever: Retriever, tenant: Tenant, written: dict[str, str]
) -> None:
    for question in NOTHING_THEN:
        result = await ask(retriever, tenant, question, asked_at=ASKED)
        assert result.abstain, (question, result.answer)
        assert any("no record tells of the time" in note for note in result.notes)


async def test_what_was_never_mentioned_is_not_answered_because_its_time_is(
    retriever: Retriever, tenant: Tenant, written: dict[str, str]
) -> None:
    for question in ("Which satellite did NASA launch in May 2023?", "Who won the chess final on 18 May 2026?"):
        result = await ask(retriever, tenant, question, asked_at=ASKED)
        assert result.abstain, (question, result.answer)


async def test_days_of_other_zones_and_times_that_hold_the_one_asked_about_are_answered(
    writer: Writer, retriever: Retriever, tenant: Tenant
) -> None:
    said = [datetime(2026, 5, 25, 9, tzinfo=timezone(timedelta(hours=hours))) for hours in (2, 9, -7)]
    told = (
        ("The lift was repaired on 3 April 2026.", said[0], "What happened on 3 April 2026?"),
        ("The gutter was cleaned on 4 February 2026.", said[1], "What happened on 4 February 2026?"),
        ("Yesterday a swan landed on the pond.", said[2], "What happened on 24 May 2026?"),
        ("In the summer of 2022 we renovated the attic.", SAID, "What happened in July 2022?"),
        ("The audit takes place in Q3 2026.", SAID, "What is scheduled for August 2026?"),
        ("Ann worked for the railway in the 1990s.", SAID, "What happened in 1994?"),
    )
    for number, (content, at, _) in enumerate(told):
        message = Message(speaker="Kim", content=content, at=at)
        await writer.ingest_messages(tenant.number, ATLAS, [message], group_id=f"told{number}")
    answered = [(await ask(retriever, tenant, question, asked_at=ASKED)) for _, _, question in told]
    assert [
        content for (content, _, _), result in zip(told, answered, strict=True) if content not in (result.answer or "")
    ] == []
    assert not any(result.abstain for result in answered)
    day = await ask(retriever, tenant, "What happened on 12 July 2022?", asked_at=ASKED)
    assert day.abstain
    assert any("only of far longer ones around it" in note for note in day.notes)
