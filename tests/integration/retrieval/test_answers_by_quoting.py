"""Quoted answers: persons whose names are ordinary words, what somebody said, and what is no answer at all."""

import base64

import pytest
from asking import ATLAS, ask, write_chat, write_text

from muniment.log.writer import Writer
from muniment.model.source import SourceInput
from muniment.retrieval.engine import Retriever
from muniment.tenancy.tenants import Tenant

TURNS = (
    ("May", "We keep goats and two geese at the farm."),
    ("Will", "My roof leaks since the storm in March."),
    ("Grace", "I hope to come to the concert on Friday."),
    ("May", "The roof of the barn needs new tiles, I would say by autumn."),
    ("Mark", "I will come to the party at eight."),
    ("Rose", "The garden is full of tulips."),
    ("Anna", "I painted the roof red last week. It took two days."),
    ("Tom", "They say the roof is old."),
    ("Anna", "Ha! Biscuit. He ate a whole shoe on Sunday."),
    ("Tom", "You should say hello to my mother."),
)


@pytest.fixture
async def told(writer: Writer, tenant: Tenant) -> None:
    await write_chat(writer, tenant, TURNS)
    await write_text(writer, tenant, "# Opening hours of the museum\n", "museum.md", filename="museum.md")
    await write_text(writer, tenant, "Will is our plumber. He repaired the boiler in January.", "plumber")
    for name, rows in (("empty.csv", "name,birthday,favourite dish\n"), ("prices.csv", "item,price\nlamp,20\n")):
        content = base64.b64encode(rows.encode()).decode()
        source = SourceInput(kind="file", filename=name, content_base64=content)
        run = await writer.ingest_sources(tenant.number, ATLAS, [source])
        assert run.state == "succeeded", run.items


ANSWERED = (
    ("What animals does May keep?", "May", "goats and two geese"),
    ("What did May say about the roof?", "May", "needs new tiles"),
    ("What did Will say about the roof?", "Will", "My roof leaks"),
    ("Will Mark come?", "Mark", "at eight"),
    ("Will Mark come to the party?", "Mark", "at eight"),
    ("Does Grace hope to come?", "Grace", "concert on Friday"),
    ("What does Rose have in the garden?", "Rose", "tulips"),
    ("What did Anna say about the roof?", "Anna", "painted the roof red"),
    ("Who said the roof is old?", "Tom", "the roof is old"),
)


@pytest.mark.parametrize(("question", "speaker", "words"), ANSWERED)
async def test_the_person_asked_about_is_quoted_whatever_the_name_and_the_verb(
    question: str, speaker: str, words: str, told: None, retriever: Retriever, tenant: Tenant
) -> None:
    result = await ask(retriever, tenant, question)
    assert not result.abstain and result.reason is None, result.notes
    first = result.answer.splitlines()[0]
    assert first.startswith(f"{speaker}, ") and words in first
    asked_what_was_said = "say about" in question
    assert not asked_what_was_said or len(result.citations) == 1, "nobody else is quoted"


async def test_what_somebody_said_of_something_never_spoken_of_is_not_answered(
    told: None, retriever: Retriever, tenant: Tenant
) -> None:
    result = await ask(retriever, tenant, "What did Anna say about the boat?")
    assert result.abstain and result.reason == "unknown_share"


async def test_a_turn_is_not_cut_so_that_its_sense_is_lost(told: None, retriever: Retriever, tenant: Tenant) -> None:
    result = await ask(retriever, tenant, "What did Biscuit eat?")
    assert result.citations[0].excerpt == "Biscuit. He ate a whole shoe on Sunday."
    plumber = await ask(retriever, tenant, "What was repaired in January?")
    assert plumber.citations[0].excerpt == "Will is our plumber. He repaired the boiler in January."


NOT_ANSWERED = (
    ("who is it?", "no_words"),
    ("What is that?", "no_words"),
    ("Is it?", "no_words"),
    ("and?", "no_words"),
    ("What are the opening hours of the museum?", "only_heading"),
    ("favourite dish", "only_header"),
)


@pytest.mark.parametrize(("question", "reason"), NOT_ANSWERED)
async def test_what_is_no_answer_is_abstained_from_with_a_code(
    question: str, reason: str, told: None, retriever: Retriever, tenant: Tenant
) -> None:
    result = await ask(retriever, tenant, question)
    assert (result.abstain, result.reason, result.citations) == (True, reason, [])
    assert any(note.startswith("not answered: ") for note in result.notes)


async def test_the_rows_of_a_table_answer(told: None, retriever: Retriever, tenant: Tenant) -> None:
    result = await ask(retriever, tenant, "What is the price of the lamp?")
    assert not result.abstain and "lamp,20" in result.citations[0].excerpt
