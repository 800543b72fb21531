"""The questions of docs/analytics.md, asked by a real login of a store whose answers are known."""

import re
from collections.abc import AsyncIterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import psycopg
import pytest
from pydantic import SecretStr
from sqlalchemy import make_url

from muniment.database.setup import driver_conninfo
from muniment.memory.local import LocalMuniment
from muniment.model.namespace import Namespace
from muniment.model.sql_logins import SqlLoginRequest
from muniment.runtime import Runtime, open_runtime
from muniment.settings import Settings
from muniment.tenancy.sql_logins import create_login, drop_login
from muniment.tenancy.tenants import create_tenant

_DOCUMENT = Path(__file__).parents[3] / "docs" / "analytics.md"
_QUERY = re.compile(r"^### (.+?)\n.*?^```sql\n(.*?)^```", re.MULTILINE | re.DOTALL)
QUERIES = dict(_QUERY.findall(_DOCUMENT.read_text(encoding="utf-8")))

SAID = (
    ("chat", "Maya", "I live in Oslo.", "2024-03-05T09:00:00Z"),
    ("letters", "Maya", "I live in Bergen.", "2024-03-05T09:00:00Z"),
    ("chat", "Tom", "I work at Acme.", "2024-03-06T09:00:00Z"),
    ("letters", "Tom", "I work at Acme.", "2024-03-07T09:00:00Z"),
    ("unread", "Lena", "I like sailing.", "2024-03-08T09:00:00Z"),
    ("chat", "Tom", "Never mind what I wrote about the boat.", "2024-03-09T09:00:00Z"),
)


async def _fill(runtime: Runtime, memory: LocalMuniment) -> None:
    for group, speaker, content, at in SAID:
        await memory.ingest_messages([{"speaker": speaker, "content": content, "at": at}], group_id=group)
    await runtime.runner.drain()
    for _ in range(2):
        await memory.query("Where does Tom work?")
    await memory.query("What is the capital of the moon?")
    await memory.search("Never mind what I wrote about the boat")
    (boat,) = [each for each in (await memory.records()).records if "boat" in each.text]
    await memory.forget([boat.id], reason="asked")


def _age(url: str, tenant: int) -> None:
    """Moves the second commit back by two weeks, and writes model calls as an extraction would."""
    with psycopg.connect(driver_conninfo(url), autocommit=True) as superuser:
        superuser.execute(
            "update muniment.log_commit set at = '2024-03-04 12:00Z' where tenant_id = %s and commit_no = 1", (tenant,)
        )
        superuser.execute(
            "update muniment.log_commit set at = '2024-03-18 12:00Z' where tenant_id = %s and commit_no > 1", (tenant,)
        )
        call = """
            insert into muniment.extraction_call (tenant_id, call_id, space_id, at, extractor, group_no, records, requests, duration_ms,
                                                  prompt_tokens, completion_tokens)
            values (%s, gen_random_uuid(), 1, %s, 'model:x:1', 1, 1, 1, 5, %s, %s)"""  # noqa: E501
        for at, prompt, completion in (
            ("2024-03-31 23:00Z", 1_000_000, 100_000),
            ("2024-04-01 01:00Z", 2_000_000, 0),
            ("2024-04-02 01:00Z", 2_000_000, 1_000_000),
        ):
            superuser.execute(call, (tenant, at, prompt, completion))


@pytest.fixture
async def login(admin_url: str, tmp_path: Path) -> AsyncIterator[psycopg.Connection]:
    """A login of a tenant to whom things were told; another tenant was told other things."""
    settings = Settings(
        database_url=SecretStr(admin_url), data_dir=tmp_path / "store", embedding_provider="none", pool_size=4,
        summaries="off",
    )  # fmt: skip
    async with open_runtime(settings, run_jobs=False) as runtime:
        mine = runtime.tenant
        memory = LocalMuniment(settings, Namespace(project_id="analytics"))
        memory._runtime = runtime  # one whose jobs run only when the test says so
        await _fill(runtime, memory)
        _age(admin_url, mine.number)
        runtime.tenant = await create_tenant(runtime.database, "another")
        await memory.ingest_messages(
            [{"speaker": "Maya", "content": "I live in Rome. I work at Bolt."}], group_id="chat"
        )
        await runtime.runner.drain()
        await memory.query("Where does Maya live?")
        made = await create_login(runtime.database, admin_url, mine.number, SqlLoginRequest(), seconds=60)
        with psycopg.connect(driver_conninfo(make_url(admin_url).set(username=made.name)), autocommit=True) as opened:
            yield opened
        await drop_login(runtime.database, admin_url, mine.number, made.name)


def _ask(login: psycopg.Connection, beginning: str) -> list[tuple[Any, ...]]:
    (statement,) = [query for title, query in QUERIES.items() if title.startswith(beginning)]
    return login.execute(statement.encode()).fetchall()


def test_there_are_ten_questions() -> None:
    assert len(QUERIES) == 10


async def test_each_question_has_the_answer_that_was_told(login: psycopg.Connection) -> None:
    today = datetime.now(UTC).date()
    said = date(2024, 3, 5)
    days = (today - said).days
    assert _ask(login, "Which claims are contested") == [
        ("Maya", "lives_in", "Bergen", 1, said, days),
        ("Maya", "lives_in", "Oslo", 1, said, days),
    ]
    assert _ask(login, "Which words does a claim rest on") == [
        ("lives_in", "Bergen", "CONTESTED", "Maya", said, "I live in Bergen"),
        ("lives_in", "Oslo", "CONTESTED", "Maya", said, "I live in Oslo"),
    ]
    assert _ask(login, "Which claims does more than one") == [("Tom", "works_at", "Acme", 2, 2)]
    assert [(key.split(":")[-1], facts) for key, facts in _ask(login, "Which sources have facts")] == [("unread", 1)]
    cited = [(key.split(":")[-1], answers, records) for key, answers, records in _ask(login, "Which sources do the")]
    assert cited == [("letters", 2, 1)]
    assert _ask(login, "Which questions could not") == [("What is the capital of the moon?", 1, today)]
    growth = _ask(login, "How does the log grow")
    assert growth == [(date(2024, 3, 4), 1, 0, 1), (date(2024, 3, 18), 5, 5, 11)]
    assert [(key.split(":")[-1], *counts) for key, *counts in _ask(login, "What no longer counts")] == [
        ("chat", 3, 1, 0)
    ]
    steps = _ask(login, "Which steps of a search")
    assert {runs for _, runs, _ in steps} == {1}
    assert {"lexical", "graph"} <= {name for name, *_ in steps}
    assert [row[:5] for row in _ask(login, "What did models cost")] == [
        (date(2024, 3, 1), "facts", 1, 1_000_000, 100_000),
        (date(2024, 4, 1), "facts", 2, 4_000_000, 1_000_000),
    ]
    assert [float(row[5]) for row in _ask(login, "What did models cost")] == [0.21, 1.2]


async def test_days_count_what_the_tables_hold(login: psycopg.Connection) -> None:
    rows = login.execute("select * from analytics.usage order by day").fetchall()
    columns = [column.name for column in (login.execute("table analytics.usage limit 0").description or ())]
    days = {row[0]: dict(zip(columns[1:], row[1:], strict=True)) for row in rows}
    assert days[date(2024, 3, 4)]["records"] == 1
    assert days[date(2024, 3, 18)]["records"] == 5
    assert days[date(2024, 3, 18)]["facts"] == 5
    assert days[date(2024, 4, 2)] == dict.fromkeys(columns[1:], 0) | {"model_calls": 1, "tokens": 3_000_000}
    now = days[datetime.now(UTC).date()]
    assert (now["searches"], now["questions"], now["abstentions"]) == (1, 3, 1)
    assert now["jobs"] >= 1


async def test_a_group_is_a_conversation_with_what_was_said_in_it(login: psycopg.Connection) -> None:
    groups = login.execute(
        "select group_key, records, live_records, first_said_at::date from analytics.groups"
    ).fetchall()
    assert sorted(groups) == [
        ("chat", 3, 2, date(2024, 3, 5)),
        ("letters", 2, 2, date(2024, 3, 5)),
        ("unread", 1, 1, date(2024, 3, 8)),
    ]


async def test_every_view_and_each_of_its_columns_says_what_it_is(login: psycopg.Connection) -> None:
    silent = login.execute("""
        select c.relname, a.attname
          from pg_class c
          join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
         where c.relnamespace = 'analytics'::regnamespace
           and (obj_description(c.oid, 'pg_class') is null or col_description(c.oid, a.attnum) is null)""").fetchall()
    assert silent == []
    documented = set(re.findall(r"`(\w+)`", _DOCUMENT.read_text(encoding="utf-8").split("## Ten")[0]))
    views = login.execute("select relname from pg_class where relnamespace = 'analytics'::regnamespace").fetchall()
    assert {name for (name,) in views} <= documented
