"""Questions in the languages of what they may find."""

import psycopg
import pytest
from asking import ATLAS, BOREALIS, ask, ids, search, write_text

from muniment.database.pool import Database
from muniment.database.setup import driver_conninfo
from muniment.log.writer import Writer
from muniment.model.message import Message
from muniment.retrieval.engine import Retriever
from muniment.retrieval.replay import replay_run
from muniment.retrieval.runs import read_run
from muniment.tenancy.tenants import Tenant

CONTRACT = (
    "Mietvertrag zwischen Nora Weiß und der Hausverwaltung.\n\nDie Miete beträgt 900 Euro im Monat.\n\n"
    "Die Kündigungsfrist ist drei Monate lang und gilt für beide Seiten."
)
BICYCLE = "La bicicleta roja me costó 300 euros en el mercado."


def _forward_rows(admin_url: str) -> list[tuple[object, ...]]:
    """Of each record its hashes with their counts, in the index and by the definition."""
    with psycopg.connect(driver_conninfo(admin_url)) as connection:
        rows = connection.execute(
            "select d.record_no, d.hashes, d.counts, l.hashes, l.counts from muniment.lexical_document d, "
            "muniment.documents_of_log(d.tenant_id, array[d.record_no]) l order by 1"
        ).fetchall()
    assert all(row[1:3] == row[3:] for row in rows)
    return rows


@pytest.mark.parametrize("named", ["german", None])
async def test_a_german_document_answers_german_questions(
    writer: Writer, retriever: Retriever, tenant: Tenant, named: str | None
) -> None:
    await write_text(writer, tenant, CONTRACT, "contract", language=named)
    await write_text(writer, tenant, "The office is in Porto. What was rented there is a desk.", "office")
    rent = await ask(retriever, tenant, "Wie hoch ist die Miete?")
    assert not rent.abstain and "900 Euro" in rent.answer
    notice = await ask(retriever, tenant, "Wie lang sind die Kündigungsfristen?")
    assert not notice.abstain and "drei Monate" in notice.answer
    for words in ("mieten", "kundigungsfrist"):
        assert any("Miete" in hit.text for hit in (await search(retriever, tenant, words)).hits[:1])
    office = await ask(retriever, tenant, "Where is the office?")
    assert not office.abstain and "Porto" in office.answer


async def test_a_question_is_read_by_what_is_visible_alone(
    writer: Writer, retriever: Retriever, tenant: Tenant, database: Database
) -> None:
    await write_text(writer, tenant, CONTRACT, "contract", language="german", namespace=BOREALIS)
    await write_text(writer, tenant, "The office is in Porto.", "office")
    for namespace, language, named in (
        (ATLAS, "english", None),
        (BOREALIS, "german", None),
        (ATLAS, "french", "french"),
    ):
        result = await search(retriever, tenant, "Wie hoch ist die Miete?", namespace=namespace, language=named)
        async with database.scope(tenant.number) as scope:
            run = await read_run(scope, result.query_id)
        assert run.row["parameters"]["language"] == language


async def test_spanish_messages_are_found_by_other_forms_of_their_words_and_their_index_is_rebuilt_the_same(
    writer: Writer, retriever: Retriever, tenant: Tenant, admin_url: str
) -> None:
    turns = [
        Message(speaker="Elena", content=BICYCLE),
        Message(speaker="Ben", content="That is great, I love what you bought there!"),
        Message(speaker="Jonas", content="Fahrrad repariert", language="german"),
    ]
    run = await writer.ingest_messages(tenant.number, ATLAS, turns, group_id="chat")
    record = run.items[0].record_ids[0]
    for question in ("¿Cuánto costó la bicicleta?", "¿Cuánto costaron las bicicletas?"):
        answer = await ask(retriever, tenant, question)
        assert not answer.abstain and "300 euros" in answer.answer, question
        assert ids(await search(retriever, tenant, question))[0] == record
    assert ids(await search(retriever, tenant, "Fahrräder", language="german"))[0] == run.items[0].record_ids[2]

    before = _forward_rows(admin_url)
    assert len(before) == 3
    with psycopg.connect(driver_conninfo(admin_url)) as connection:
        connection.execute(
            "select muniment.rebuild_lexical(s.tenant_id, s.space_id, 512) from muniment.space s where tenant_id = %s",
            (tenant.number,),
        )
    assert _forward_rows(admin_url) == before


async def test_a_run_is_made_again_in_the_languages_it_was_read_in(
    writer: Writer, retriever: Retriever, tenant: Tenant, database: Database
) -> None:
    await write_text(writer, tenant, CONTRACT, "contract")
    asked = [(await search(retriever, tenant, words)).query_id for words in ("mieten", "Wie hoch ist die Miete?")]
    await write_text(writer, tenant, "Le loyer est de 900 euros et il est payé par la société.", "loyer")
    for query_id in asked:
        replay = await replay_run(database, retriever.tools, tenant.number, query_id)
        assert replay.identical, replay.differences


async def test_a_name_is_found_without_its_accents_and_best_as_it_is_written(
    writer: Writer, retriever: Retriever, tenant: Tenant
) -> None:
    accented = (await write_text(writer, tenant, "Wróbel keeps the key of the pier.", "a"))[0]
    plain = (await write_text(writer, tenant, "Wrobel keeps the key of the barn.", "b"))[0]
    for asked, first in (("Wróbel", accented), ("Wrobel", plain)):
        found = await search(retriever, tenant, asked, without=["semantic"])
        assert ids(found)[0] == first and set(ids(found)) == {accented, plain}
