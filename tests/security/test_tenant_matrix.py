"""Every table read and written as somebody to whom the rows do not belong: nothing is seen, nothing is changed."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

import psycopg
import pytest
from policies import FUNCTIONS, OTHER_TABLES, TENANT_TABLES, VIEWS
from psycopg import errors
from psycopg.sql import SQL, Composable, Composed, Identifier, Literal
from rows import Column, columns, identifier, insertion, login, one_row_a_tenant, row
from sqlalchemy import make_url

from muniment.database.migrate import migrate
from muniment.database.setup import driver_conninfo

MINE, THEIRS = 101, 102
SPACES = (1, 2)
READER, STRANGER = login(MINE, 1), "matrix_stranger"

tables = pytest.mark.parametrize("table", TENANT_TABLES)
pinned_tables = pytest.mark.parametrize("table", [name for name, rule in TENANT_TABLES.items() if rule.pinned])
Scope = tuple[str | None, str | None]

_REFERENCED = """
    select distinct n.nspname || '.' || c.relname from pg_constraint k
      join pg_class c on c.oid = k.confrelid join pg_namespace n on n.oid = c.relnamespace
     where k.conrelid = %s::regclass and k.contype = 'f' and k.confrelid <> k.conrelid"""

SCOPES: dict[str, Scope] = {
    "mine": (str(MINE), "*"),
    "pinned": (str(MINE), "{1}"),
    "pinned to nothing": (str(MINE), "{}"),
    "spaces never set": (str(MINE), None),
    "no tenant": ("", "*"),
    "never opened": (None, None),
    "only spaces": (None, "*"),
    "nobody's": ("0", "*"),
}


@dataclass(slots=True)
class World:
    """A database with two rows of two tenants in each table: one in each of two spaces, with equal keys."""

    superuser: psycopg.Connection
    app: psycopg.Connection
    reader: psycopg.Connection
    stranger: psycopg.Connection
    columns: dict[str, list[Column]]
    spaces: dict[str, tuple[int, ...]]

    def row(self, table: str, tenant: int, key: int, space: int | None = None) -> dict[str, Any]:
        """The tenant's row of the table with this key."""
        return row(table, self.columns[table], tenant, space or key, key)

    def content(self, table: str, tenant: int) -> list[tuple[Any, ...]]:
        """The tenant's rows, each with the version of its tuple: any write to them shows."""
        statement = SQL("select t.xmin::text, t::text from {} t where tenant_id = {} order by t::text")
        return self.superuser.execute(statement.format(identifier(table), Literal(tenant))).fetchall()

    @contextmanager
    def without(self, table: str, tenant: int, key: int) -> Iterator[None]:
        """While open, the tenant has no row of this key in the table."""
        condition = SQL("tenant_id = {}").format(Literal(tenant))
        if self.spaces[table] == SPACES:
            condition += SQL(" and {} = {}").format(*self.mark(table, key))
        self.superuser.execute(SQL("delete from {} where ").format(identifier(table)) + condition)
        try:
            yield
        finally:
            self.superuser.execute(insertion(table, self.row(table, tenant, key)))

    def mark(self, table: str, key: int) -> tuple[Identifier, Literal]:
        """A column that tells the rows of a tenant apart, and its value in the row of this key."""
        values = self.row(table, MINE, key)
        other = self.row(table, MINE, 3 - key)
        name = next(name for name in values if values[name] != other[name])
        return Identifier(name), Literal(values[name])

    @contextmanager
    def scope(self, scope: Scope) -> Iterator[psycopg.Connection]:
        """A transaction of the service role in this scope, rolled back at its end."""
        with self.app.transaction(force_rollback=True):
            for name, value in zip(("muniment.tenant_id", "muniment.spaces"), scope, strict=True):
                if value is not None:
                    self.app.execute("select set_config(%s, %s, true)", (name, value))
            yield self.app


@pytest.fixture(scope="module")
def world(fresh_database: Callable[[], AbstractContextManager[str]]) -> Iterator[World]:
    with (
        fresh_database() as url,
        psycopg.connect(driver_conninfo(url), autocommit=True) as superuser,
        ExitStack() as stack,
    ):
        migrate(url)  # a copied database does not inherit its template's grants on the database itself
        for user in (READER, STRANGER):
            superuser.execute(SQL("create role {} login in role muniment_analyst").format(Identifier(user)))
            stack.callback(superuser.execute, SQL("drop role {}").format(Identifier(user)))
        shapes = {table: columns(superuser, table) for table in TENANT_TABLES}
        single = {table for table in TENANT_TABLES if one_row_a_tenant(superuser, table)}
        spaces = {table: SPACES[:1] if table in single else SPACES for table in TENANT_TABLES}
        superuser.execute("set session_replication_role = replica")  # no foreign keys: each table for itself
        users = []
        for user in ("muniment_app", READER, STRANGER):
            of_user = make_url(url).set(username=user).render_as_string(hide_password=False)
            users.append(stack.enter_context(psycopg.connect(driver_conninfo(of_user), autocommit=True)))
        made = World(superuser, *users, shapes, spaces)
        for key in SPACES:  # the registry that embeddings refer to
            model = made.row("muniment.embedding", MINE, key)["model_no"]
            statement = "insert into muniment.embedding_model (model_no, name, dimensions) overriding system value"
            superuser.execute(statement + " values (%s, %s, 3)", (model, f"model {key}"))
        for table in TENANT_TABLES:
            for tenant in (MINE, THEIRS):
                for key in spaces[table]:
                    superuser.execute(insertion(table, made.row(table, tenant, key)))
        yield made


def _seen(connection: psycopg.Connection, table: str) -> list[tuple[int, ...]]:
    """(tenant,) or (tenant, space) of each row that the connection sees."""
    spaced = TENANT_TABLES[table].no_space is None
    statement = SQL(
        "select tenant_id, space_id from {} order by 1, 2" if spaced else "select tenant_id from {} order by 1"
    )
    return connection.execute(statement.format(identifier(table))).fetchall()


def _attempt(connection: psycopg.Connection, statement: Composed) -> int | str:
    """How many rows the statement touched, or the message with which it was refused."""
    try:
        with connection.transaction():
            return connection.execute(statement).rowcount
    except psycopg.Error as refusal:
        return f"{refusal.sqlstate} {refusal.diag.message_primary} {refusal.diag.message_detail}"


def _touching(operation: str, table: str, where: Composable) -> Composed:
    if operation == "update":
        return SQL("update {} set tenant_id = tenant_id where {}").format(identifier(table), where)
    return SQL("delete from {} where {}").format(identifier(table), where)


# muniment_app ----------------------------------------------------------------------------------------


@tables
@pytest.mark.parametrize("name", SCOPES)
def test_a_scope_sees_its_own_rows_and_no_others(world: World, table: str, name: str) -> None:
    rule, keys = TENANT_TABLES[table], world.spaces[table]
    seen = {"mine": keys, "pinned": keys[:1] if rule.pinned else keys}
    unbound = () if rule.pinned else keys  # without the space clause, the tenant alone decides
    seen |= {"pinned to nothing": unbound, "spaces never set": unbound}
    with world.scope(SCOPES[name]) as app:
        rows = _seen(app, table)
    assert [tenant for tenant, *_ in rows] == [MINE] * len(seen.get(name, ()))
    if rule.pinned:
        assert [space for _, space in rows] == list(seen.get(name, ()))


@tables
@pytest.mark.parametrize("name", SCOPES)
@pytest.mark.parametrize("operation", ["update", "delete"])
def test_no_scope_changes_rows_of_another_tenant(world: World, table: str, name: str, operation: str) -> None:
    with world.scope(SCOPES[name]) as app:
        done = _attempt(app, _touching(operation, table, SQL("tenant_id = {}").format(Literal(THEIRS))))
    allowed = TENANT_TABLES[table].app_may(operation)
    assert done == 0 if allowed else str(done).startswith("42501 permission denied")


@tables
@pytest.mark.parametrize("operation", ["update", "delete"])
def test_a_statement_without_a_condition_stays_within_the_tenant(world: World, table: str, operation: str) -> None:
    theirs = world.content(table, THEIRS)
    with world.scope(SCOPES["mine"]) as app:
        done = _attempt(app, _touching(operation, table, SQL("true")))
    if not TENANT_TABLES[table].app_may(operation):
        assert str(done).startswith("42501 permission denied")
    else:
        # rows of the tenant's own that others of its rows rest on may refuse to go
        assert done == len(world.spaces[table]) or str(done).startswith("23503")
    assert world.content(table, THEIRS) == theirs


@tables
@pytest.mark.parametrize("name", SCOPES)
def test_a_row_for_another_tenant_is_refused_whether_it_exists_or_not(world: World, table: str, name: str) -> None:
    existing, absent = world.row(table, THEIRS, 1), world.row(table, THEIRS, 9)
    policy = f'42501 new row violates row-level security policy for table "{table.split(".")[1]}" None'
    with world.scope(SCOPES[name]) as app:
        assert _attempt(app, insertion(table, existing)) == policy
        assert _attempt(app, insertion(table, absent)) == policy
        assert _attempt(app, insertion(table, existing) + SQL(" on conflict do nothing")) == policy


@tables
def test_a_row_cannot_be_handed_to_another_tenant(world: World, table: str) -> None:
    statement = SQL("update {} set tenant_id = {}").format(identifier(table), Literal(THEIRS))
    with world.scope(SCOPES["mine"]) as app:
        done = str(_attempt(app, statement))
    if TENANT_TABLES[table].app_may("update"):
        assert done.startswith("42501 new row violates row-level security")
    else:
        assert done.startswith("42501 permission denied")


@tables
def test_keys_that_another_tenant_uses_are_free(world: World, table: str) -> None:
    """A unique violation would tell that the other tenant has the key."""
    key = world.spaces[table][-1]
    with world.without(table, MINE, key), world.scope(SCOPES["mine"]) as app:
        assert _attempt(app, insertion(table, world.row(table, MINE, key))) == 1


@tables
def test_a_reference_fails_alike_whether_another_tenant_has_its_target_or_not(world: World, table: str) -> None:
    referenced = world.superuser.execute(_REFERENCED, (table,)).fetchall()
    statement = insertion(table, world.row(table, MINE, 2))
    for (parent,) in referenced:
        if world.spaces.get(parent) != SPACES:
            continue  # the tenant itself, which the policy has checked, or no table of tenants
        with world.without(table, MINE, 2), world.without(parent, MINE, 2), world.scope(SCOPES["mine"]) as app:
            theirs_exists = _attempt(app, statement)
            with world.without(parent, THEIRS, 2):
                nobody_has_it = _attempt(app, statement)
        assert str(theirs_exists).startswith("23503"), parent
        assert theirs_exists == nobody_has_it


# a scope pinned to one space -------------------------------------------------------------------------


@pinned_tables
@pytest.mark.parametrize("operation", ["update", "delete"])
def test_a_pinned_scope_changes_no_rows_of_other_spaces(world: World, table: str, operation: str) -> None:
    if not TENANT_TABLES[table].app_may(operation):
        return
    with world.scope(SCOPES["pinned"]) as app:
        assert _attempt(app, _touching(operation, table, SQL("space_id = 2"))) == 0


@pinned_tables
def test_a_pinned_scope_adds_and_moves_no_rows_to_other_spaces(world: World, table: str) -> None:
    with world.scope(SCOPES["pinned"]) as app:
        refusal = _attempt(app, insertion(table, world.row(table, MINE, 9, space=2)))
        assert str(refusal).startswith("42501 new row violates row-level security")
        if TENANT_TABLES[table].app_may("update"):
            moved = _attempt(app, SQL("update {} set space_id = 2").format(identifier(table)))
            assert str(moved).startswith("42501 new row violates row-level security")


# the session around a scope --------------------------------------------------------------------------


def test_a_scope_ends_with_its_transaction(world: World) -> None:
    with world.app.transaction():
        world.app.execute("select muniment_auth.open_scope(%s::bigint, null, 1000)", (MINE,))
        assert len(_seen(world.app, "muniment.record")) == 2
    assert _seen(world.app, "muniment.record") == []
    assert world.app.execute("select current_setting('muniment.tenant_id')").fetchone() == ("",)


def test_a_scope_that_is_not_a_number_is_an_error(world: World) -> None:
    with world.scope(("101 or true", "*")) as app, pytest.raises(errors.InvalidTextRepresentation):
        _seen(app, "muniment.record")


def test_the_service_makes_nothing_in_the_database(world: World) -> None:
    for statement in (
        "create temporary table stolen (a int)",
        "create table public.stolen (a int)",
        "create table muniment.stolen (a int)",
        "create schema stolen",
        "alter table muniment.record disable row level security",
        "drop policy app on muniment.record",
        "set role muniment_owner",
        "set role muniment_resolver",
        "set session_replication_role = replica",
        "copy muniment.record to program 'cat'",
        "truncate muniment.posting_tail",
    ):
        with pytest.raises(errors.InsufficientPrivilege):
            world.app.execute(statement)


# an SQL login of the analysts ------------------------------------------------------------------------


@tables
def test_an_analyst_reads_its_tenants_rows_where_granted_and_no_others(world: World, table: str) -> None:
    if TENANT_TABLES[table].analyst:
        assert [tenant for tenant, *_ in _seen(world.reader, table)] == [MINE] * len(world.spaces[table])
        assert _seen(world.stranger, table) == [], "a login that reads no tenant"
    else:
        with pytest.raises(errors.InsufficientPrivilege, match="permission denied"):
            _seen(world.reader, table)


@tables
def test_an_analyst_writes_nothing(world: World, table: str) -> None:
    attempts = [insertion(table, world.row(table, MINE, 9))]
    attempts += [_touching(operation, table, SQL("true")) for operation in ("update", "delete")]
    attempts += [SQL("truncate {}").format(identifier(table)), SQL("lock table {}").format(identifier(table))]
    attempts += [SQL("select 1 from {} for update").format(identifier(table))]
    for statement in attempts:
        assert str(_attempt(world.reader, statement)).startswith("42501 permission denied"), statement.as_string()


@pytest.mark.parametrize(
    "attempt",
    [
        f"set muniment.tenant_id = '{THEIRS}'",
        f"select muniment_auth.open_scope({THEIRS}, null, 1000)",
        f"select set_config('muniment.tenant_id', '{THEIRS}', false), set_config('muniment.spaces', '*', false)",
        "set row_security = off",
        "set role muniment_app",
        "set role muniment_owner",
        f"set role {login(THEIRS, 1)}",
        f"set session authorization {login(THEIRS, 1)}",
        "set role muniment_analyst",
        "set search_path = pg_temp, muniment",
    ],
)
def test_an_analyst_sets_its_way_to_no_other_tenant(world: World, attempt: str) -> None:
    with world.reader.transaction(force_rollback=True):
        try:
            with world.reader.transaction():
                world.reader.execute(attempt)  # type: ignore[call-overload]
        except errors.Error as refusal:
            assert refusal.sqlstate in ("42501", "22023"), attempt
        try:
            tenants = {tenant for tenant, *_ in _seen(world.reader, "muniment.record")}
        except errors.InsufficientPrivilege:
            return  # row_security = off: refused rather than filtered
        assert tenants == {MINE}


def test_a_suspended_tenants_analyst_reads_nothing(world: World) -> None:
    statement = "update muniment_auth.tenant set state = %s where tenant_id = %s"
    before = world.superuser.execute("select state from muniment_auth.tenant where tenant_id = %s", (MINE,)).fetchone()
    world.superuser.execute(statement, ("suspended", MINE))
    try:
        assert _seen(world.reader, "muniment.record") == []
    finally:
        world.superuser.execute(statement, (before[0] if before else "active", MINE))


@pytest.mark.parametrize("table", [*OTHER_TABLES, *VIEWS])
def test_an_analyst_reads_what_has_no_tenant_only_where_granted(world: World, table: str) -> None:
    granted = (VIEWS.get(table) or OTHER_TABLES[table][0]).get("muniment_analyst", "")
    done = _attempt(world.reader, SQL("select 1 from {}").format(identifier(table)))
    assert isinstance(done, int) == ("select" in granted)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_an_analyst_calls_only_the_functions_granted_to_it(world: World, function: str) -> None:
    statement = SQL("select has_function_privilege({}, to_regproc({})::oid, 'execute')")
    found = world.superuser.execute(statement.format(Literal(READER), Literal(function))).fetchone()
    assert found == ("muniment_analyst" in FUNCTIONS[function],)


@pytest.mark.parametrize(
    "attempt",
    [
        "create temporary table stolen (a int)",
        "create table public.stolen (a int)",
        "create table analytics.stolen (a int)",
        "create function public.peek(text) returns boolean language sql cost 0.0001 as 'select true'",
        "create function pg_temp.peek(text) returns boolean language sql cost 0.0001 as 'select true'",
        "select * from muniment_auth.resolve_credential('\\x00')",
        "select muniment_jobs.reap_jobs(1)",
        "select nextval('muniment_auth.tenant_number')",
        "select pg_catalog.lo_create(0)",
        "select pg_catalog.lo_from_bytea(0, 'x')",
        "select pg_catalog.pg_advisory_lock(7021913358)",
        "select pg_catalog.pg_try_advisory_xact_lock_shared(1)",
        "select pg_catalog.pg_read_file('PG_VERSION')",
        "select pg_catalog.pg_ls_dir('.')",
        "copy (select 1) to program 'cat'",
        "select * from pg_catalog.pg_authid",
        "select * from pg_catalog.pg_statistic",
    ],
)
def test_an_analyst_makes_nothing_and_calls_nothing_that_is_not_its_own(world: World, attempt: str) -> None:
    with pytest.raises(errors.InsufficientPrivilege):
        world.reader.execute(attempt)  # type: ignore[call-overload]


def test_an_analyst_learns_no_column_statistics(world: World) -> None:
    world.superuser.execute("analyze muniment.record_content")
    assert world.reader.execute("select * from pg_stats where schemaname = 'muniment'").fetchall() == []
