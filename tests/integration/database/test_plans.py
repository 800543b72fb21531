"""Each named query on two tenants of 50,000 records, run as the service runs it: its plans, and those of the functions
that it calls, reach each table by the tenant and a key, and read little that they throw away."""

import json
import re
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager, asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest
from analytics_cases import SELECTIVE, WHOLE
from plan_case import Case
from plan_cases import CASES
from psycopg.types.numeric import Int8
from sqlalchemy import make_url, text
from sqlalchemy.exc import DBAPIError

from muniment.database.pool import Database, Scope
from muniment.database.queries import query, statements
from muniment.database.setup import driver_conninfo
from muniment.settings import Settings

MINE, THEIRS, NOBODYS = 1, 2, 424242
SCANS = {"Seq Scan", "Index Scan", "Index Only Scan", "Bitmap Heap Scan", "Sample Scan", "Tid Scan", "Tid Range Scan"}
# the tenant as a constant, a parameter or another row's; not as what the policy's subquery gives, whose value the
# planner does not know
BY_TENANT = re.compile(r"\b(\w+\.)?tenant_id = ('\d+'::bigint|\$\d+|\w+\.tenant_id)")
# what the policy of SQL logins gives, or another row's, whose tenant the policy gave
BY_LOGIN = re.compile(r"tenant_id = \((InitPlan|SubPlan) \d+\)\.col1|tenant_id = \w+\.tenant_id")
_BY_KEY = {name for name in statements() if name in CASES and not (CASES[name].whole or CASES[name].elsewhere)}
_WHOLE = {name for name in statements() if name in CASES and CASES[name].whole}
# by a job's id and lease, on ids alone
_ACROSS_TENANTS = {"jobs.claim", "jobs.claim_one", "jobs.dispatch", "jobs.extend", "jobs.requeue", "jobs.settle"}
EXPLAINING = {
    "auto_explain.log_min_duration": "0",
    "auto_explain.log_analyze": "on",
    "auto_explain.log_timing": "off",
    "auto_explain.log_nested_statements": "on",
    "auto_explain.log_format": "json",
    "auto_explain.log_level": "notice",
    "auto_explain.log_parameter_max_length": "0",
    "session_preload_libraries": "auto_explain",
}


@dataclass(frozen=True, slots=True)
class Read:
    """One scan of a table in a plan: how it was reached and what it read, over all its loops."""

    table: str
    node: str
    condition: str
    filter: str
    kept: float
    removed: float

    @property
    def rows(self) -> float:
        return self.kept + self.removed


@pytest.fixture(scope="module")
def seeded(fresh_database: Callable[[], AbstractContextManager[str]]) -> Iterator[str]:
    """The service role's URL of the seeded database, whose sessions explain all they run."""
    with fresh_database() as url:
        with psycopg.connect(driver_conninfo(url), autocommit=True) as superuser:
            superuser.execute(Path(__file__).with_name("plan_seed.sql").read_bytes())
            superuser.execute("analyze")
            name = make_url(url).database
            for setting, value in EXPLAINING.items():
                superuser.execute(f"alter role muniment_app in database {name} set {setting} = '{value}'")  # type: ignore[call-overload]
        yield make_url(url).set(username="muniment_app").render_as_string(hide_password=False)


@pytest.fixture(scope="module")
def tenant_tables(seeded: str) -> set[str]:
    """The names of the tables that have a tenant."""
    admin = make_url(seeded).set(username="postgres")
    with psycopg.connect(driver_conninfo(admin)) as superuser:
        rows = superuser.execute("""
            select c.relname from pg_attribute a join pg_class c on c.oid = a.attrelid
             where a.attname = 'tenant_id' and c.relkind in ('r', 'p')
               and c.relnamespace::regnamespace::text like 'muniment%'""")
        return {name for (name,) in rows}


@pytest.fixture
async def explaining(seeded: str, settings: Settings) -> AsyncIterator[Database]:
    database = Database(seeded, settings)
    yield database
    await database.close()


def _reads(plan: dict[str, Any]) -> Iterator[Read]:
    loops = plan.get("Actual Loops", 0)
    if plan["Node Type"] in SCANS and "Relation Name" in plan:
        removed = sum(plan.get(f"Rows Removed by {reason}", 0) for reason in ("Filter", "Index Recheck"))
        yield Read(
            plan["Relation Name"],
            plan["Node Type"],
            " and ".join(_conditions(plan)),
            plan.get("Filter", ""),
            plan.get("Actual Rows", 0) * loops,
            removed * loops,
        )
    for inner in plan.get("Plans", ()):
        yield from _reads(inner)


def _conditions(plan: dict[str, Any]) -> Iterator[str]:
    """The index condition of a scan, for a bitmap that of the index scans below it."""
    if "Index Cond" in plan:
        yield plan["Index Cond"]
    if plan["Node Type"] in ("Bitmap Heap Scan", "BitmapAnd", "BitmapOr"):
        for inner in plan.get("Plans", ()):
            if inner["Node Type"].startswith("Bitmap"):
                yield from _conditions(inner)


async def _run(database: Database, name: str, case: Case) -> list[Read]:
    """What the query read, with the functions that it called; nothing of it stays."""
    plans: list[dict[str, Any]] = []

    def note(diagnostic: psycopg.errors.Diagnostic) -> None:
        head, _, body = (diagnostic.message_primary or "").partition("plan:\n")
        if head.startswith("duration"):
            plans.append(json.loads(body))

    async with _passing_scope(database) as scope:
        raw = await scope.connection.get_raw_connection()
        driver = raw.driver_connection
        assert driver is not None
        driver.add_notice_handler(note)
        result = await scope.execute(name, **case.values(_needed(name), MINE))
        if result.description is not None:
            await result.fetchall()
        # the server ends a query, and only then explains it, when the next one comes
        await scope.connection.execute(text("select 1"))
        driver.remove_notice_handler(note)
    beginning = statements()[name].split(":")[0].strip()
    assert any(plan["Query Text"].strip().startswith(beginning) for plan in plans), "the query itself was not explained"
    return [read for plan in plans for read in _reads(plan["Plan"])]


class _RolledBack(Exception):
    pass


@asynccontextmanager
async def _passing_scope(database: Database) -> AsyncIterator[Scope]:
    with suppress(_RolledBack):
        async with database.scope(MINE, seconds=60) as scope:
            yield scope
            raise _RolledBack


def _needed(name: str) -> set[str]:
    return set(query(name)._bindparams) - {"tenant"}


def test_every_named_query_has_a_case() -> None:
    assert set(CASES) == set(statements())


@pytest.mark.parametrize("name", sorted(_BY_KEY))
async def test_a_query_reaches_each_table_by_the_tenant_and_a_key(
    explaining: Database, tenant_tables: set[str], name: str
) -> None:
    case = CASES[name]
    for read in await _run(explaining, name, case):
        if read.table not in tenant_tables:
            continue
        assert BY_TENANT.search(read.condition), f"not by the tenant: {read}"
        assert read.rows <= case.rows, f"it reads too much: {read}"
        assert read.removed <= max(200, 3 * read.kept), f"it throws away most of what it reads: {read}"
        keys = re.findall(r"\b(?!tenant_id\b)\w+(?:\)::\w+)? (?:=|<|>|<=|>=|IS) ", read.condition)
        assert keys or read.rows <= 300, f"nothing but the tenant narrows it: {read}"


@pytest.mark.parametrize("name", sorted(_WHOLE))
async def test_a_query_that_reads_a_whole_tenant_names_it(
    explaining: Database, tenant_tables: set[str], name: str
) -> None:
    for read in await _run(explaining, name, CASES[name]):
        if read.table in tenant_tables:
            assert BY_TENANT.search(f"{read.condition} {read.filter}"), f"not by the tenant: {read}"


@pytest.mark.parametrize("name", sorted((_BY_KEY | _WHOLE) - _ACROSS_TENANTS))
async def test_a_query_for_another_tenant_gives_what_it_gives_for_none(explaining: Database, name: str) -> None:
    """Whatever a caller makes of the tenant's number and ids, the scope decides; not even an error tells them apart."""
    assert await _outcome(explaining, name, THEIRS) == await _outcome(explaining, name, NOBODYS)


@pytest.mark.parametrize(
    "name", ["records.read", "retrieval.lexical", "retrieval.describe", "vector.search", "graph.walk", "sources.read"]
)
async def test_and_that_is_less_than_for_ones_own(explaining: Database, name: str) -> None:
    assert await _outcome(explaining, name, MINE) != await _outcome(explaining, name, NOBODYS)


async def _outcome(database: Database, name: str, tenant: int) -> object:
    """The rows, or the error, of the query for a tenant in the scope of ours."""
    values = CASES[name].values(_needed(name), tenant)
    async with _passing_scope(database) as scope:
        try:
            result = await scope.connection.execute(query(name), values | {"tenant": Int8(tenant)})
            rows = [tuple(row) for row in result] if result.returns_rows else result.rowcount
        except DBAPIError as error:
            assert isinstance(error.orig, psycopg.Error)
            rows = f"{error.orig.sqlstate} {error.orig.diag.message_primary}"
    return rows


def test_the_check_sees_a_missing_predicate() -> None:
    assert not BY_TENANT.search("((tenant_id = (InitPlan 1).col1) AND (record_no = '7'::bigint))")
    assert not BY_TENANT.search("(record_no = '7'::bigint)")
    for condition in ("(tenant_id = '1'::bigint)", "(tenant_id = $1)", "((r.tenant_id = e.tenant_id) AND (a = b))"):
        assert BY_TENANT.search(condition)


@pytest.fixture(scope="module")
def analyst(seeded: str) -> Iterator[psycopg.Connection]:
    """An SQL login of one of the two tenants."""
    login = "plans_analyst"
    of_admin = make_url(seeded).set(username="postgres")
    with psycopg.connect(driver_conninfo(of_admin), autocommit=True) as superuser:
        superuser.execute(f"create role {login} login in role muniment_analyst")  # type: ignore[call-overload]
        superuser.execute("insert into muniment_auth.sql_login (tenant_id, login) values (%s, %s)", (MINE, login))
        with psycopg.connect(driver_conninfo(of_admin.set(username=login)), autocommit=True) as connection:
            yield connection
        superuser.execute(f"drop role {login}")  # type: ignore[call-overload]


def test_every_view_of_analytics_has_predicates_or_a_reason(analyst: psycopg.Connection) -> None:
    rows = analyst.execute("select relname from pg_class where relnamespace = 'analytics'::regnamespace").fetchall()
    assert {name for (name,) in rows} == SELECTIVE.keys() | WHOLE.keys()


@pytest.mark.parametrize(("view", "predicate"), [(view, each) for view in SELECTIVE for each in SELECTIVE[view]])
def test_a_selective_question_to_analytics_reaches_each_table_by_the_tenant_and_a_key(
    analyst: psycopg.Connection, tenant_tables: set[str], view: str, predicate: str
) -> None:
    statement = f"explain (analyze, format json) select * from analytics.{view} where {predicate}"  # noqa: S608
    row = analyst.execute(statement.encode()).fetchone()
    assert row is not None
    plan = row[0][0]["Plan"]
    assert plan["Actual Rows"] >= 1
    for read in _reads(plan):
        if read.table not in tenant_tables or not read.rows:
            continue
        by_tenant = re.search(
            r"tenant_id = \((InitPlan|SubPlan) \d+\)\.col1|tenant_id = \w+\.tenant_id", read.condition
        )
        assert by_tenant, f"not by the tenant: {read}"
        keys = re.findall(r"\b(?!tenant_id\b)\w+ (?:=|<|>|<=|>=|IS) ", read.condition)
        assert keys or read.rows <= 300, f"nothing but the tenant narrows it: {read}"
        assert read.rows <= 500, f"it reads too much: {read}"
        assert read.removed <= max(50, 3 * read.kept), f"it throws away most of what it reads: {read}"
