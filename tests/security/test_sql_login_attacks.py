"""What somebody with an SQL login tries, connected as it: to write, to see others, to hold what all share, to stay."""

import asyncio
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import LiteralString

import psycopg
import pytest
from policies import TENANT_TABLES
from psycopg import errors
from psycopg.sql import SQL, Identifier, Literal
from sqlalchemy import make_url

from muniment.database.embedded import binary
from muniment.database.migrate import migrate
from muniment.database.pool import Database
from muniment.database.setup import driver_conninfo
from muniment.database.spaces import intern_space
from muniment.model.namespace import Namespace
from muniment.model.sql_logins import SqlLoginRequest
from muniment.settings import Settings
from muniment.tenancy.sql_logins import create_login, drop_login
from muniment.tenancy.tenants import create_tenant


@dataclass(frozen=True, slots=True)
class Attacker:
    """A database with two tenants and a login of each; ``connection`` is the first one's, its defaults lifted."""

    url: str
    login: str
    victim: str
    connection: psycopg.Connection
    superuser: psycopg.Connection

    def conninfo(self, login: str) -> str:
        return driver_conninfo(make_url(self.url).set(username=login))

    def policies(self) -> int:
        statement = "select count(*) from pg_policies where 'muniment_analyst' = any (roles)"
        found = self.superuser.execute(statement).fetchone()
        assert found is not None
        return int(found[0])


async def _set_up(url: str) -> tuple[list[int], list[str]]:
    of_app = make_url(url).set(username="muniment_app").render_as_string(hide_password=False)
    database = Database(of_app, Settings(pool_size=2))
    tenants, logins = [], []
    for name in ("mine", "theirs"):
        tenant = (await create_tenant(database, name)).number
        await intern_space(database, tenant, Namespace(user_id=name))
        tenants.append(tenant)
        logins.append((await create_login(database, url, tenant, SqlLoginRequest(connections=3), seconds=60)).name)
    await database.close()
    return tenants, logins


async def _clear(url: str, tenants: list[int], logins: list[str]) -> None:
    of_app = make_url(url).set(username="muniment_app").render_as_string(hide_password=False)
    database = Database(of_app, Settings(pool_size=2))
    for tenant, login in zip(tenants, logins, strict=True):
        await drop_login(database, url, tenant, login)
    await database.close()


@pytest.fixture(scope="module")
def attacker(fresh_database: Callable[[], AbstractContextManager[str]]) -> Iterator[Attacker]:
    with fresh_database() as url, psycopg.connect(driver_conninfo(url), autocommit=True) as superuser:
        migrate(url)  # a copied database does not inherit its template's grants on the database itself
        tenants, logins = asyncio.run(_set_up(url))
        conninfo = driver_conninfo(make_url(url).set(username=logins[0]))
        with psycopg.connect(conninfo, autocommit=True) as connection:
            for name in ("default_transaction_read_only", "statement_timeout", "idle_in_transaction_session_timeout"):
                connection.execute(SQL("set {} = 0").format(Identifier(name)))
            yield Attacker(url, logins[0], logins[1], connection, superuser)
        asyncio.run(_clear(url, tenants, logins))


@pytest.mark.parametrize(
    "attempt",
    [
        # to define, and so to drop, what others need
        "drop owned by muniment_analyst",
        "drop owned by muniment_analyst cascade",
        "drop owned by current_user",
        "alter default privileges grant select on tables to public",
        "create function pg_temp.f() returns int language sql as 'select 1'",
        "create temporary table t (a int)",
        "create table analytics.t (a int)",
        "create schema mine",
        "create extension dblink",
        "create extension postgres_fdw",
        "create extension file_fdw",
        "create extension pg_stat_statements",
        "create publication p",
        "create materialized view public.v as select 1",
        # to become somebody
        "set role muniment_analyst",
        "set role muniment_app",
        "set role muniment_watchdog",
        "set session authorization muniment_app",
        # to lift what the server enforces
        "set temp_file_limit = -1",
        "set track_activities = off",
        "set event_triggers = off",
        "set session_replication_role = replica",
        "alter role current_user connection limit -1",
        "alter role current_user valid until 'infinity'",
        "alter role current_user set temp_file_limit = -1",
        "alter role current_user createdb",
        "alter role muniment_analyst set statement_timeout = 0",
        "alter database postgres set work_mem = '1GB'",
        "alter system set work_mem = '1GB'",
        # to hold what all share
        "select pg_advisory_lock(7021913358)",
        "select pg_advisory_xact_lock_shared(1, 2)",
        "select pg_try_advisory_lock(1)",
        "select pg_advisory_unlock_all()",
        "select 1 from muniment.record for update",
        "select pg_logical_emit_message(false, 'x', repeat('x', 1000))",
        "select pg_logical_emit_message(true, 'x', '\\x00'::bytea)",
        "select pg_create_logical_replication_slot('x', 'pgoutput')",
        "select pg_create_physical_replication_slot('x')",
        "checkpoint",
        # to store, read or run beside the tables
        "select lo_create(0)",
        "select lo_creat(1)",
        "select lo_from_bytea(0, '\\x00')",
        "select lo_put(1, 0, '\\x00')",
        "select lo_get(1)",
        "select lo_open(1, 131072)",
        "select lo_unlink(1)",
        "select loread(0, 1)",
        "select lowrite(0, '\\x00')",
        "select lo_import('/etc/hostname')",
        "select lo_export(1, '/tmp/x')",
        "copy (select 1) to '/tmp/muniment_attack'",
        "copy (select 1) to program 'cat'",
        "copy muniment.space from '/etc/hostname'",
        "select pg_read_file('postgresql.conf')",
        "select pg_read_binary_file('PG_VERSION')",
        "select pg_ls_dir('.')",
        "select pg_stat_file('PG_VERSION')",
        "select pg_current_logfile()",
        "load 'auto_explain'",
        # to notify, or do many things in one
        "select pg_notify('x', 'y')",
        "do $$ begin loop perform 1; end loop; end $$",
        # to see, end or reset what others do
        "select pg_log_backend_memory_contexts(pg_backend_pid())",
        "select pg_stat_reset()",
        "select * from pg_hba_file_rules",
        "select * from pg_shadow",
        "select * from pg_authid",
        "select * from pg_largeobject",
        "select * from pg_statistic",
        "select * from muniment_auth.sql_login",
        "select wake_channel from muniment_auth.instance",
        "select muniment_auth.end_sessions('x')",
        "select * from muniment_auth.end_overruns(0, 0)",
        "select last_value from muniment_auth.tenant_number",
        # to count what all have together, or to watch who works on what
        "select relname, n_live_tup, n_tup_ins from pg_stat_user_tables",
        "select relname, n_live_tup from pg_stat_all_tables",
        "select indexrelname, idx_scan, idx_tup_read from pg_stat_user_indexes",
        "select heap_blks_read from pg_statio_user_tables",
        "select n_tup_ins from pg_stat_xact_user_tables",
        "select tup_inserted, tup_deleted from pg_stat_database",
        "select * from pg_stat_io",
        "select * from pg_stat_progress_create_index",
        "select * from pg_stat_replication",
        "select relation, classid, objid from pg_locks",
        "select * from pg_lock_status()",
        "select pg_stat_get_live_tuples('muniment.record'::regclass)",
        "select pg_stat_get_tuples_inserted('muniment.record'::regclass)",
        "select pg_stat_get_numscans('muniment.record'::regclass)",
        "select pg_stat_get_db_tuples_inserted(oid) from pg_database",
        "select pg_relation_size('muniment.record')",
        "select pg_total_relation_size('muniment.record')",
        "select pg_database_size(current_database())",
    ],
)
def test_what_a_login_tries_is_refused(attacker: Attacker, attempt: LiteralString) -> None:
    with pytest.raises(errors.InsufficientPrivilege):
        attacker.connection.execute(attempt)


def test_what_is_known_of_values_over_all_tenants_is_in_no_statistics_that_a_login_reads(attacker: Attacker) -> None:
    attacker.superuser.execute("analyze")
    for name in ("pg_stats", "pg_stats_ext", "pg_stats_ext_exprs"):
        of_ours = SQL("select * from {} where schemaname in ('muniment', 'muniment_auth', 'muniment_jobs')")
        rows = attacker.connection.execute(of_ours.format(Identifier(name))).fetchall()
        assert {row[1] for row in rows} <= {"embedding_model"}, name  # which no tenant owns


def test_who_watches_the_server_still_counts(attacker: Attacker) -> None:
    attacker.superuser.execute("set role pg_monitor")
    try:
        for statement in ("select sum(n_live_tup) from pg_stat_user_tables", "select count(*) from pg_locks",
                          "select pg_database_size(current_database())"):  # fmt: skip
            assert attacker.superuser.execute(statement).fetchone() is not None
    finally:
        attacker.superuser.execute("reset role")


def test_dropping_what_the_group_owns_takes_no_policy_from_anybody(attacker: Attacker) -> None:
    """Any member of a role may DROP OWNED BY it, and with it go the policies that name it alone."""
    before = attacker.policies()
    with pytest.raises(errors.InsufficientPrivilege, match="defines and drops nothing"):
        attacker.connection.execute("drop owned by muniment_analyst cascade")
    assert attacker.policies() == before >= len(TENANT_TABLES)


def test_a_set_up_mends_the_policies_where_nothing_could_keep_them(attacker: Attacker) -> None:
    """On a server that allows no event trigger, the next start makes again what a login dropped."""
    before = attacker.policies()
    attacker.superuser.execute("alter event trigger muniment_refuse_definitions disable")
    try:
        attacker.connection.execute("drop owned by muniment_analyst")
        assert attacker.policies() == 0, "if this fails, the event trigger is no longer needed"
        assert attacker.connection.execute("select user_id from muniment.space").fetchall() == [], "it fails closed"
    finally:
        attacker.superuser.execute("alter event trigger muniment_refuse_definitions enable")
    migrate(attacker.url)
    assert attacker.policies() == before
    assert attacker.connection.execute("select user_id from muniment.space").fetchall() == [("mine",)]


def test_vacuuming_and_analyzing_touch_nothing(attacker: Attacker) -> None:
    noticed: list[str] = []
    attacker.connection.add_notice_handler(lambda said: noticed.append(said.message_primary or ""))
    attacker.connection.execute("vacuum muniment.record")
    attacker.connection.execute("analyze muniment.record")
    assert [said.split(",")[0] for said in noticed] == ['permission denied to vacuum "record"',
                                                        'permission denied to analyze "record"']  # fmt: skip


def test_a_login_can_reset_its_own_defaults_but_not_the_size_of_its_files(attacker: Attacker) -> None:
    attacker.connection.execute(SQL("alter role {} reset all").format(Identifier(attacker.login)))
    with psycopg.connect(attacker.conninfo(attacker.login), autocommit=True) as again:
        assert again.execute("show temp_file_limit").fetchone() == ("1GB",)
        assert again.execute("show statement_timeout").fetchone() == ("0",), "the watchdog is for this"
        again.execute("set work_mem = '64kB'")
        with pytest.raises(errors.ConfigurationLimitExceeded):
            again.execute(
                "select count(*) from (select repeat(g::text, 400) from generate_series(1, 1000000) g order by 1)"
            )


def test_a_login_holds_no_more_connections_than_it_may(attacker: Attacker) -> None:
    conninfo = attacker.conninfo(attacker.login)
    with (
        psycopg.connect(conninfo),
        psycopg.connect(conninfo),
        pytest.raises(errors.OperationalError, match="too many connections for role"),
    ):
        psycopg.connect(conninfo)


def test_a_login_ends_and_reads_no_session_of_others(attacker: Attacker) -> None:
    with (
        psycopg.connect(attacker.conninfo(attacker.victim), autocommit=True) as victim,
        psycopg.connect(attacker.conninfo("muniment_app"), autocommit=True) as app,
    ):
        victim.execute("select 'a secret of another tenant'")
        app.execute("select 'a secret of the service'")
        shown = attacker.connection.execute("select pid, query from pg_stat_activity").fetchall()
        assert {pid for pid, _ in shown} >= {victim.info.backend_pid, app.info.backend_pid}
        assert [query for _, query in shown if "a secret" in query] == []
        for function in ("pg_terminate_backend", "pg_cancel_backend"):
            for pid in (victim.info.backend_pid, app.info.backend_pid):
                statement = SQL("select {}({})").format(Identifier(function), Literal(pid))
                with pytest.raises(errors.InsufficientPrivilege):
                    attacker.connection.execute(statement)
        assert victim.execute("select 1").fetchone() == (1,)


def test_no_name_of_a_login_tells_whose_it_is(attacker: Attacker) -> None:
    public_ids = attacker.superuser.execute("select public_id::text from muniment_auth.tenant").fetchall()
    names = attacker.connection.execute("select rolname from pg_roles where rolname like 'muniment_sql%'").fetchall()
    assert {(attacker.login,), (attacker.victim,)} <= set(names)
    for (public_id,) in public_ids:
        assert [name for (name,) in names if public_id.replace("-", "") in name] == []
    described = "select shobj_description(oid, 'pg_authid') from pg_roles where rolname like 'muniment_sql%'"
    assert {text for (text,) in attacker.connection.execute(described)} == {None}


def test_notifications_of_new_jobs_go_where_no_login_listens(attacker: Attacker) -> None:
    with psycopg.connect(attacker.conninfo("muniment_app"), autocommit=True) as app:
        channel = app.execute("select wake_channel from muniment_auth.instance").fetchone()
        assert channel is not None and len(channel[0]) > 40
        attacker.connection.execute("listen muniment_jobs")
        app.execute(SQL("listen {}").format(Identifier(channel[0])))
        attacker.connection.execute("notify muniment_jobs, 'a flood'")
        with app.transaction():
            app.execute("select muniment_auth.open_scope(1, null, 1000)")
            app.execute(
                "select muniment_jobs.enqueue(1, null, gen_random_uuid(), 'merge', '{}', null, 0::smallint, '0')"
            )
        assert [each.channel for each in app.notifies(timeout=0.3)] == [channel[0]]
        own = [each.payload for each in attacker.connection.notifies(timeout=0.3)]
        assert own == ["a flood"], "its own, and nothing of the jobs of others"
        attacker.connection.execute("unlisten *")


def test_psql_reads_and_writes_no_file_of_the_server_and_its_catalog_shows_no_rows_of_others(
    attacker: Attacker,
) -> None:
    commands = [r"\dt muniment.*", r"\d muniment.record", r"\dn+", r"\df muniment_auth.*", r"\d+ analytics.records"]
    commands.append("table muniment.space")
    arguments = [str(binary("psql")), "--no-psqlrc", "--tuples-only", attacker.conninfo(attacker.login)]
    for command in commands:
        arguments += ["--command", command]
    done = subprocess.run(arguments, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "mine" in done.stdout
    assert "theirs" not in done.stdout
