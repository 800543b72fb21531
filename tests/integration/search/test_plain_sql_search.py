"""muniment.search in plain SQL: what the service finds, for a login of the tenant, and nothing for others."""

import random
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest
from psycopg import errors
from psycopg.types.json import Jsonb
from psycopg.types.numeric import Int8
from sqlalchemy import create_engine, make_url, text

from muniment.database.pool import Database
from muniment.database.setup import driver_conninfo
from muniment.database.spaces import intern_space
from muniment.extraction.time.questions import GENERIC_WORDS
from muniment.log.writer import Writer
from muniment.model.message import Message
from muniment.model.namespace import Namespace
from muniment.model.request import SearchRequest
from muniment.model.source import SourceInput
from muniment.retrieval.engine import Retriever
from muniment.settings import Settings
from muniment.tenancy.sql_logins import ensure_login
from muniment.tenancy.tenants import Tenant

ATLAS = Namespace(project_id="atlas")
PEOPLE = ("Caroline Smith", "Melanie", "Will", "user")
THINGS = (
    "puppy",
    "pottery class",
    "kayak",
    "violin",
    "harvest",
    "launch plan",
    "camera",
    "garden",
    "recipe",
    "marathon",
)
DEEDS = ("bought", "lost", "repaired", "painted", "sold", "borrowed", "praised", "forgot")
QUESTIONS = (
    "Who leads Atlas?",
    "What did Caroline buy?",
    "Which puppy did Will lose and when?",
    "What did I repair in my garden?",
    "What did Melanie say about the pottery class and the race?",
    "When did Caroline's violin get lost?",
    "launch plan",
    "Did anybody praise recipe number 9?",
)


def _connect(admin_url: str, login: str) -> psycopg.Connection:
    url = make_url(admin_url).set(username=login).render_as_string(hide_password=False)
    return psycopg.connect(driver_conninfo(url), autocommit=True)


def _search(connection: psycopg.Connection, question: str | None, **more: Any) -> list[dict[str, Any]]:
    named = "".join(f", {name} => %({name})s" for name in more)
    cursor = connection.execute(f"select * from muniment.search(%(question)s{named})", {"question": question, **more})  # type: ignore[call-overload] # noqa: S608
    columns = [column.name for column in cursor.description or ()]
    return [dict(zip(columns, row, strict=True)) for row in cursor.fetchall()]


@pytest.fixture
async def store(database: Database, tenant: Tenant, settings: Settings) -> Writer:
    """220 turns of six conversations, a fifth of them questions, and one document."""
    writer = Writer(database, None, None, settings)
    chance = random.Random(7)
    for group in range(6):
        messages = []
        for turn in range(36):
            thing, deed = chance.choice(THINGS), chance.choice(DEEDS)
            content = f"What about the {thing}?" if turn % 5 == 0 else f"I {deed} the {thing} {'again ' * (turn % 4)}."
            at = datetime(2023, 4, 28, 9, tzinfo=UTC) + timedelta(days=3 * group, hours=5 * turn)
            speaker = chance.choice(PEOPLE)
            role = {"role": "user"} if speaker == "user" else {}
            messages.append(Message(speaker=speaker, content=content, at=at, metadata={"turn": turn}, **role))
        run = await writer.ingest_messages(tenant.number, ATLAS, messages, group_id=f"chat-{group}")
        assert run.state == "succeeded", run.items
    source = SourceInput(kind="text", text="Mira Tamm leads Project Atlas since March 2023.", source_key="lead.txt")
    await writer.ingest_sources(tenant.number, Namespace(project_id="people"), [source])
    return writer


@pytest.fixture
async def login(tenant: Tenant, admin_url: str) -> AsyncIterator[str]:
    name = await ensure_login(admin_url, tenant)
    yield name
    _drop(admin_url, name)


def _drop(admin_url: str, name: str) -> None:
    engine = create_engine(admin_url)
    with engine.begin() as connection:
        connection.execute(text(f'drop role "{name}"'))
    engine.dispose()


async def test_plain_sql_ranks_as_the_service_does_without_vectors_and_bridge(
    store: Writer, database: Database, settings: Settings, tenant: Tenant, login: str, admin_url: str
) -> None:
    retriever = Retriever(database, None, None, settings)
    with _connect(admin_url, login) as connection:
        for question in QUESTIONS:
            request = SearchRequest(query=question, namespace=Namespace(), top_k=10, without=["semantic", "bridge"])
            theirs = (await retriever.search(tenant.number, request)).hits
            ours = _search(connection, question)
            assert [round(hit["score"], 9) for hit in ours] == [round(hit.score, 9) for hit in theirs], question
            assert [hit["record_id"] for hit in ours] == [hit.record_id for hit in theirs], question


FILTERS: tuple[dict[str, Any], ...] = (
    {"speaker": "Melanie"},
    {"group": ["chat-1", "chat-2"], "metadata": {"turn": {"gte": 10, "lt": 30}}},
    {"metadata": {"turn": 7}},
    {"said": {"since": "2023-05-02T00:00:00Z", "until": "2023-05-09T00:00:00Z"}},
    {"kind": "raw", "modality": "conversation"},
)


async def test_filters_namespaces_and_times_narrow_as_they_do_in_the_service(
    store: Writer, database: Database, settings: Settings, tenant: Tenant, login: str, admin_url: str
) -> None:
    retriever = Retriever(database, None, None, settings)
    as_of = datetime(2023, 5, 6, tzinfo=UTC)
    cases: list[tuple[Namespace, dict[str, Any], dict[str, Any]]] = [
        (Namespace(), {"filters": given}, {"filter": Jsonb(given)}) for given in FILTERS
    ]
    cases += [
        (Namespace(project_id="people"), {}, {"project": "people"}),
        (Namespace(project_id="nowhere"), {}, {"project": "nowhere"}),
        (Namespace(), {"as_of": as_of}, {"as_of": as_of}),
        (Namespace(), {"known_at": 2}, {"known_at": Int8(2)}),
    ]
    with _connect(admin_url, login) as connection:
        for namespace, theirs, ours in cases:
            question = "Who leads Atlas, and which puppy did they lose or paint?"
            request = SearchRequest(query=question, namespace=namespace, without=["semantic", "bridge"], **theirs)
            expected = (await retriever.search(tenant.number, request)).hits
            found = _search(connection, question, **ours)
            assert [hit["record_id"] for hit in found] == [hit.record_id for hit in expected], theirs
            assert bool(found) == (namespace.project_id != "nowhere")


async def test_a_hit_says_where_it_stands_and_which_routes_found_it(store: Writer, login: str, admin_url: str) -> None:
    with _connect(admin_url, login) as connection:
        (hit,) = _search(connection, "who leads Atlas?")
        said = connection.execute(
            "select text, source_key, live from analytics.records where record_id = %s", (hit["record_id"],)
        ).fetchone()
    assert (hit["rank"], hit["source_key"], hit["source_version"]) == (1, "lead.txt", 1)
    assert hit["record_id"].startswith("d_")
    assert len(hit["record_id"]) == 34
    assert hit["routes"]["lexical"]["rank"] == hit["routes"]["graph"]["rank"] == 1
    assert said == (hit["text"], "lead.txt", True)


async def test_a_window_of_time_finds_what_was_said_then(
    store: Writer, database: Database, settings: Settings, tenant: Tenant, login: str, admin_url: str
) -> None:
    question = "Who painted the kayak in May 2023?"
    may = {"time_from": datetime(2023, 5, 1, tzinfo=UTC), "time_to": datetime(2023, 6, 1, tzinfo=UTC)}
    days = {"time_from": datetime(2023, 5, 4, tzinfo=UTC), "time_to": datetime(2023, 5, 6, tzinfo=UTC)}
    request = SearchRequest(query=question, namespace=Namespace(), without=["semantic", "bridge"])
    expected = (await Retriever(database, None, None, settings).search(tenant.number, request)).hits
    with _connect(admin_url, login) as connection:
        found = {hit["record_id"] for hit in _search(connection, question, **may)}
        assert len(found & {hit.record_id for hit in expected}) >= 8
        assert _search(connection, "anything else?") == []
        found_then = _search(connection, "anything else?", top_k=300, **days)
    best = [hit for hit in found_then if hit["routes"].get("temporal", {}).get("rank", 99) <= 8]
    assert best
    assert all(days["time_from"] <= hit["said_at"] < days["time_to"] for hit in best)


WEEK = {"time_from": datetime(2023, 5, 8, tzinfo=UTC), "time_to": datetime(2023, 5, 15, tzinfo=UTC)}


def _within(hit: dict[str, Any], window: dict[str, datetime]) -> bool:
    return window["time_from"] <= hit["said_at"] < window["time_to"]


@pytest.mark.parametrize(
    "question",
    ["What happened last week?", "what was there", "Was ist letzte Woche passiert?", "¿Qué pasó la semana pasada?",
     "in May 2023", "What did we do on 9 May?"],
)  # fmt: skip
async def test_a_question_of_nothing_but_a_time_returns_what_was_then_first(
    question: str, store: Writer, login: str, admin_url: str
) -> None:
    with _connect(admin_url, login) as connection:
        then = {
            text for (text,) in connection.execute(
                "select text from analytics.records where said_at >= %(time_from)s and said_at < %(time_to)s", WEEK
            )
        }  # fmt: skip
        found = _search(connection, question, top_k=len(then), **WEEK)
    assert len(then) >= 20, "the window holds something"
    assert len(found) == len(then) and all(hit["score"] > 0.2 for hit in found)
    assert all(_within(hit, WEEK) for hit in found[:20])
    assert sum(_within(hit, WEEK) for hit in found) >= 0.9 * len(found)


async def test_within_a_window_the_words_of_the_question_rank(store: Writer, login: str, admin_url: str) -> None:
    with _connect(admin_url, login) as connection:
        found = _search(connection, "Who said something about a violin?", top_k=60, **WEEK)
        whenever = _search(connection, "Who said something about a violin?", top_k=60)
    told = [hit for hit in whenever if "violin" in hit["text"]]
    inside = [hit for hit in told if _within(hit, WEEK)]
    assert inside and len(inside) < len(told), "it is told of inside and outside of the window"
    assert "violin" in found[0]["text"] and _within(found[0], WEEK)
    by_id = {hit["record_id"]: hit["rank"] for hit in found}
    outside = [by_id[hit["record_id"]] for hit in told if hit not in inside and hit["record_id"] in by_id]
    assert min(by_id[hit["record_id"]] for hit in inside) < min(outside, default=99)
    least = min(hit["score"] for hit in found if "violin" in hit["text"] and _within(hit, WEEK))
    assert least > max((hit["score"] for hit in found if "violin" not in hit["text"]), default=0)


async def test_plain_sql_ranks_by_a_time_as_the_service_does(
    store: Writer, database: Database, settings: Settings, tenant: Tenant, login: str, admin_url: str
) -> None:
    retriever = Retriever(database, None, None, settings)
    asked_at = datetime(2023, 5, 17, 12, tzinfo=UTC)
    request = SearchRequest(
        query="What happened last week?", namespace=Namespace(), top_k=10, without=["semantic", "bridge"],
        asked_at=asked_at,
    )  # fmt: skip
    theirs = (await retriever.search(tenant.number, request)).hits
    with _connect(admin_url, login) as connection:
        ours = _search(connection, "What happened last week?", **WEEK)
    assert len({hit.record_id for hit in theirs} & {hit["record_id"] for hit in ours}) >= 8
    assert all(_within({"said_at": hit.at}, WEEK) for hit in theirs)


def test_the_words_that_only_ask_are_those_of_the_service(admin_url: str) -> None:
    with psycopg.connect(driver_conninfo(make_url(admin_url).render_as_string(hide_password=False))) as connection:
        said = [
            word for word in GENERIC_WORDS
            if connection.execute("select muniment.asks_only_of_time(%s)", (word,)).fetchone() != (True,)
        ]  # fmt: skip
        assert said == []
        for telling in ("violin", "What did Anna do last week?", "", "?", "2023", "who leads Atlas"):
            assert connection.execute("select muniment.asks_only_of_time(%s)", (telling,)).fetchone() == (False,)


async def test_the_vector_of_the_question_finds_by_meaning(
    store: Writer, database: Database, tenant: Tenant, login: str, admin_url: str
) -> None:
    async with database.transaction() as connection:
        made = "insert into muniment.embedding_model (name, dimensions) values ('test:3', 3) returning model_no"
        model = (await connection.execute(text(made))).scalar_one()
    async with database.scope(tenant.number) as scope:
        await scope.connection.execute(
            text(
                "insert into muniment.embedding (tenant_id, model_no, record_no, space_id, vector) select tenant_id, "
                ":model, record_no, space_id, '[1,0,0]' from muniment.record where record_no in (3, 9)"
            ),
            {"model": model},
        )
    with _connect(admin_url, login) as connection:
        found = _search(connection, "zzz", vector="[0.9,0.1,0]")
        assert {hit["routes"]["semantic"]["rank"] for hit in found[:2]} == {1, 2}
        with pytest.raises(errors.InvalidParameterValue, match=r"input\.invalid: there is no such embedding model"):
            _search(connection, "zzz", vector="[1,0]")


async def test_another_tenants_login_finds_nothing_of_ours_and_one_without_a_tenant_is_refused(
    store: Writer, database: Database, other_tenant: Tenant, admin_url: str
) -> None:
    await intern_space(database, other_tenant.number, ATLAS)
    theirs, stray = await ensure_login(admin_url, other_tenant), "search_stray"
    engine = create_engine(admin_url)
    with engine.begin() as connection:
        connection.execute(text(f"create role {stray} login in role muniment_analyst"))
    engine.dispose()
    try:
        with _connect(admin_url, theirs) as reading:
            assert _search(reading, "who leads Atlas? puppy") == []
            assert reading.execute("select * from analytics.records").fetchall() == []
            reading.execute(
                "select set_config('muniment.tenant_id', '1', false), set_config('muniment.spaces', '*', false)"
            )
            assert _search(reading, "who leads Atlas? puppy") == []
            arguments = "1, '{1,2,3}', 'puppy', 'english', 100, null, 5, null, null, null, null"
            inner = f"select * from muniment.search_default({arguments})"  # noqa: S608
            assert reading.execute(inner).fetchall() == []
        with (
            _connect(admin_url, stray) as reading,
            pytest.raises(errors.InsufficientPrivilege, match="is mapped to no tenant"),
        ):
            _search(reading, "who leads Atlas?")
    finally:
        _drop(admin_url, theirs)
        _drop(admin_url, stray)


REFUSED: tuple[tuple[str | None, dict[str, Any], str], ...] = (
    ("", {}, "input.empty_text: the question is empty or only white space"),
    (" \t\n\u00a0", {}, "input.empty_text: the question is empty or only white space"),
    (None, {}, "input.empty_text: the question is empty or only white space"),
    ("é" * 40_000, {}, "input.question_too_long: the question has 80000 bytes; the limit is 65536"),
    ("puppy", {"top_k": 0}, "input.invalid: top_k is 0; it must be from 1 to 1000"),
    ("puppy", {"known_at": Int8(10**6)}, "input.invalid: known_at is 1000000; the last commit is 7"),
    ("puppy", {"known_at": Int8(-1)}, "input.invalid: known_at is -1; it must be at least 0"),
    ("puppy", {"language": "klingon"}, 'input.invalid: there is no stemmer for the language "klingon"'),
    ("puppy", {"filter": Jsonb({"colour": "x"})}, 'input.filter_unknown: a filter has no "colour"'),
    ("puppy", {"filter": Jsonb([1])}, "input.invalid: the filter is no JSON object"),
    ("puppy", {"filter": Jsonb({"said": {"from": "x"}})}, "input.invalid: the filter by said takes since and until"),
    (
        "puppy", {"filter": Jsonb({"said": {"since": "2024-01-01"}})},
        "input.time_without_zone: the filter by said: since has no zone; write 2026-11-29T12:00:00Z",
    ),
    (
        "puppy", {"filter": Jsonb({"time": {"since": "2024-01-02T00:00:00Z", "until": "2024-01-02T01:00:00+01:00"}})},
        "input.invalid: the filter by time: since must lie before until",
    ),
    (
        "puppy", {"filter": Jsonb({"metadata": {"floor": {"gte": 3, "lt": 1}}})},
        "input.invalid: the filter by metadata.floor: nothing lies between the bounds",
    ),
    (
        "puppy", {"filter": Jsonb({"metadata": {"floor": {"gt": "a", "lte": 3}}})},
        "input.invalid: the filter by metadata.floor: nothing lies between the bounds",
    ),
    ("puppy", {"project": ""}, "input.namespace_invalid: project, user_name and agent are null or names"),
    ("puppy", {"vector": "[0,0,0]"}, "input.invalid: a vector of zeros is near nothing"),
)  # fmt: skip


async def test_what_cannot_be_asked_is_refused_in_stable_words(store: Writer, login: str, admin_url: str) -> None:
    with _connect(admin_url, login) as connection:
        for question, more, message in REFUSED:
            with pytest.raises(errors.InvalidParameterValue) as refusal:
                _search(connection, question, **more)
            assert refusal.value.diag.message_primary == message


async def test_questions_of_every_form_are_only_text(store: Writer, login: str, admin_url: str) -> None:
    with _connect(admin_url, login) as connection:
        for question in (
            "who 'leads' \"Atlas\"?", "'); drop table muniment.record; --", "$$ puppy $$", "puppy\\", "%s {a,b} ~* (",
            "?", "puppy " * 10_000, "\U0001f436", "ÄÖ\u0301ß مرحبا 你好", "[", "\\y when did",
        ):  # fmt: skip
            _search(connection, question)
        assert connection.execute("show statement_timeout").fetchone() == ("1min",)
        connection.execute("set statement_timeout = 1")
        with pytest.raises(errors.QueryCanceled):
            for _ in range(20):
                _search(connection, "puppy pottery")
