"""What this server served is no new evidence when it comes back; what people say anew is, word for word or not."""

import base64
from dataclasses import dataclass
from typing import Any

import pytest
from sqlalchemy import create_engine, text

from muniment.database.pool import Database
from muniment.jobs.context import JobContext
from muniment.jobs.expiring import expire
from muniment.log.erasure import erase
from muniment.log.records import list_records
from muniment.log.runs import get_run
from muniment.log.validate import validate
from muniment.log.writer import Writer
from muniment.model.message import Message
from muniment.model.namespace import Namespace
from muniment.model.request import QueryRequest, SearchRequest
from muniment.model.source import IngestionItem, SourceInput
from muniment.retrieval.engine import Retriever
from muniment.settings import Settings
from muniment.tenancy.tenants import Tenant

MOVED = "I moved to Berlin in the spring of last year."
BAKERY = "My bakery stands beside the old canal bridge."
NEW = "Since then the ovens have burnt down twice, so that I now sell bread from a boat."
MAYA = Namespace(project_id="atlas", user_id="maya")
NOAH = Namespace(project_id="atlas", user_id="noah")


@dataclass(slots=True)
class Talk:
    """A tenant's conversations, and what was found in them."""

    writer: Writer
    retriever: Retriever
    tenant: int
    ids: list[str]

    async def say(self, *messages: dict[str, Any], namespace: Namespace = MAYA, group: str = "agent") -> IngestionItem:
        several = [Message.model_validate(each) for each in messages]
        run = await self.writer.ingest_messages(self.tenant, namespace, several, group_id=group)
        assert (await get_run(self.writer.database, self.tenant, run.id)).items == run.items  # as it is read back
        return run.items[0]

    async def search(self, query: str = "Where did Maya move, and where is the bakery?") -> str:
        found = await self.retriever.search(self.tenant, SearchRequest(query=query, namespace=MAYA))
        assert {hit.text for hit in found.hits} >= {MOVED, BAKERY}
        return found.query_id

    async def texts(self, namespace: Namespace = MAYA) -> list[str | None]:
        return [r.text for r in (await list_records(self.writer.database, self.tenant, namespace)).records]


@pytest.fixture
async def talk(writer: Writer, database: Database, settings: Settings, tenant: Tenant) -> Talk:
    made = Talk(writer, Retriever(database, None, None, settings), tenant.number, [])
    said = [{"speaker": "Maya", "role": "user", "content": each, "id": each[:5]} for each in (MOVED, BAKERY)]
    made.ids = (await made.say(*said, {"role": "user", "content": "Yes."}, group="chat")).record_ids
    return made


async def test_what_an_agent_hands_back_is_counted_as_served_with_the_records_that_it_came_from(talk: Talk) -> None:
    await talk.search()
    item = await talk.say(
        {"role": "assistant", "content": f"From memory:\n- {MOVED}\n- {BAKERY}", "id": "a"},
        {"role": "user", "content": NEW},
        {"role": "assistant", "content": MOVED},
    )
    assert [(each.index, each.record_ids) for each in item.served] == [(0, talk.ids[:2]), (2, talk.ids[:1])]
    assert (item.state, item.records) == ("stored", 1)
    assert [item.record_ids[0], item.record_ids[2]] == [talk.ids[0], talk.ids[0]]
    assert await talk.texts() == [MOVED, BAKERY, "Yes.", NEW]
    assert (await validate(talk.writer.database, talk.tenant)).findings == []


async def test_before_it_was_served_it_is_stored(talk: Talk) -> None:
    item = await talk.say({"role": "assistant", "content": f"{MOVED} {BAKERY}"})
    assert (item.records, item.served) == (1, [])


@pytest.mark.parametrize(
    "message",
    [
        {"speaker": "Maya", "role": "user", "content": MOVED},  # she says so again
        {"role": "user", "content": "Yes."},
        {"role": "assistant", "content": f"You said: {MOVED} {NEW}"},
        {"role": "assistant", "content": "It is Berlin, where you have lived since last spring, near the canal."},
    ],
)
async def test_what_people_say_again_and_what_says_something_new_is_stored(talk: Talk, message: dict[str, Any]) -> None:
    await talk.search()
    item = await talk.say(message)
    assert (item.state, item.records, item.served) == ("stored", 1, [])


async def test_a_message_sent_again_under_its_id_is_unchanged_and_not_served(talk: Talk) -> None:
    await talk.search()
    item = await talk.say({"speaker": "Maya", "role": "user", "content": MOVED, "id": MOVED[:5]}, group="chat")
    assert (item.state, item.served, item.record_ids) == ("unchanged", [], talk.ids[:1])


async def test_an_answer_that_comes_back_is_served_context(talk: Talk) -> None:
    request = QueryRequest(question="Where does the bakery stand, beside which bridge?", namespace=MAYA)
    answer = await talk.retriever.query(talk.tenant, request)
    assert not answer.abstain
    item = await talk.say({"role": "assistant", "content": answer.answer})
    assert item.served and set(item.served[0].record_ids) <= set(talk.ids)


async def test_a_text_without_new_statements_is_not_stored_but_versions_and_files_are_kept_whole(talk: Talk) -> None:
    await talk.search()
    context = f"{MOVED} {BAKERY}"
    several: list[dict[str, Any]] = [
        {"kind": "text", "text": context},
        {"kind": "text", "text": NEW, "source_key": "notes"},
        {"kind": "text", "text": context, "source_key": "notes"},
        {"kind": "file", "filename": "a.txt", "content_base64": base64.b64encode(MOVED.encode()).decode()},
    ]  # fmt: skip
    sources = [SourceInput.model_validate(each) for each in several]
    run = await talk.writer.ingest_sources(talk.tenant, MAYA, sources)
    assert [(item.state, item.records, len(item.served)) for item in run.items] == [
        ("unchanged", 0, 1), ("stored", 1, 0), ("stored", 1, 0), ("stored", 1, 0),
    ]  # fmt: skip
    assert sorted(run.items[0].served[0].record_ids) == sorted(talk.ids[:2])


async def test_a_text_that_names_the_query_run_it_is_from_is_served_context_whatever_it_says(talk: Talk) -> None:
    query = await talk.search()
    item = await talk.say(
        {"role": "assistant", "content": "She moved.", "metadata": {"served_by": query}},
        {"role": "assistant", "content": "He did not.", "metadata": {"served_by": f"q_{'0' * 32}"}},
    )
    assert [each.index for each in item.served] == [0] and set(item.served[0].record_ids) >= set(talk.ids[:2])
    assert item.records == 1


async def test_what_one_user_was_served_keeps_no_other_users_words_out(
    talk: Talk, other_tenant: Tenant, database: Database
) -> None:
    query = await talk.search()
    said = {"role": "assistant", "content": f"{MOVED} {BAKERY}", "metadata": {"served_by": query}}
    assert (await talk.say(said, namespace=NOAH)).records == 1
    assert (await talk.say(said, namespace=Namespace(project_id="other"))).records == 1
    talk.tenant = other_tenant.number
    assert (await talk.say(said)).records == 1


async def test_an_erasure_takes_the_fingerprints_along_also_those_of_the_same_words_elsewhere(
    talk: Talk, admin_url: str
) -> None:
    again = await talk.say({"speaker": "Noah", "role": "user", "content": MOVED})  # before anything was served
    await talk.search()
    engine = create_engine(admin_url)

    def left() -> list[int]:
        with engine.begin() as connection:
            counted = "select (select count(*) from muniment.served), (select count(*) from muniment.served_key)"
            return list(connection.execute(text(counted)).one())

    assert left()[0] >= 2
    await erase(talk.writer.database, talk.tenant, records=[talk.ids[0]], reason="asked to")
    assert left() == [1, 1]  # the bakery's
    item = await talk.say({"role": "assistant", "content": MOVED})
    assert (item.records, item.served) == (1, []) and again.records == 1
    engine.dispose()


async def test_after_its_time_and_where_it_is_switched_off_nothing_is_recognised(
    talk: Talk, settings: Settings, database: Database, admin_url: str
) -> None:
    await talk.search()
    engine = create_engine(admin_url)
    with engine.begin() as connection:
        connection.execute(text("update muniment.served set served_at = served_at - interval '31 days'"))
    assert (await talk.say({"role": "assistant", "content": MOVED})).served == []
    await talk.search()  # served again, and known again
    assert (await talk.say({"role": "assistant", "content": MOVED})).served != []
    with engine.begin() as connection:
        connection.execute(text("update muniment.served set served_at = served_at - interval '31 days'"))
    await expire(JobContext(database, settings), talk.tenant, {})
    with engine.begin() as connection:
        assert connection.execute(text("select count(*) from muniment.served")).scalar_one() == 0
    engine.dispose()
    off = settings.model_copy(update={"served_retention_days": 0.0})
    retriever = Retriever(database, None, None, off)
    await retriever.search(talk.tenant, SearchRequest(query="Where did Maya move?", namespace=MAYA))
    assert (await talk.say({"role": "assistant", "content": BAKERY})).served == []
