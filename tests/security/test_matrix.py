"""The matrix, cell by cell, and what views and functions give to whom the rows do not belong."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

import psycopg
import pytest
from matrix import Cell, cells
from policies import FUNCTIONS, TENANT_TABLES, VIEWS
from psycopg.sql import SQL, Composed, Identifier, Literal
from rows import columns, identifier, insertion, login, one_row_a_tenant, row
from sqlalchemy import make_url

from muniment.database.migrate import migrate
from muniment.database.setup import driver_conninfo

MINE, THEIRS, LATER, NOBODYS = 700201, 700202, 700203, 700204
READER, STRANGER = login(MINE, 1), "matrix_outsider"
ASK = {
    "relation": "select has_table_privilege(%s, %s, %s)",
    "sequence": "select has_sequence_privilege(%s, %s, %s)",
    "schema": "select has_schema_privilege(%s, %s, %s)",
    "function": "select has_function_privilege(%s, to_regproc(%s)::oid, %s)",
}
ANALYSTS = [name for name, callers in FUNCTIONS.items() if "muniment_analyst" in callers]
OF_THE_SERVICE = [name for name, callers in FUNCTIONS.items() if "muniment_app" in callers]


class World:
    """Two rows of each of two tenants in every table, for a login of the first, one of nobody, and the service."""

    def __init__(self, url: str, superuser: psycopg.Connection) -> None:
        self.superuser = superuser
        self._url = url
        self._shapes = {table: columns(superuser, table) for table in TENANT_TABLES}
        self._single = {table for table in TENANT_TABLES if one_row_a_tenant(superuser, table)}

    def connect(self, user: str) -> psycopg.Connection:
        of_user = make_url(self._url).set(username=user)
        return psycopg.connect(driver_conninfo(of_user), autocommit=True)

    def add(self, tenant: int) -> None:
        """The tenant's rows in all tables."""
        for table in TENANT_TABLES:
            for key in (1,) if table in self._single else (1, 2):
                self.superuser.execute(insertion(table, row(table, self._shapes[table], tenant, key, key)))

    def remove(self, tenant: int) -> None:
        """Takes them away again."""
        for table in TENANT_TABLES:
            statement = SQL("delete from {} where tenant_id = {}")
            self.superuser.execute(statement.format(identifier(table), Literal(tenant)))

    def content(self, tenant: int) -> list[tuple[Any, ...]]:
        """All rows of the tenant, each with the version of its tuple: any write to them shows."""
        found = []
        for table in TENANT_TABLES:
            statement = SQL("select {}, t.xmin::text, t::text from {} t where tenant_id = {} order by t::text")
            given = statement.format(Literal(table), identifier(table), Literal(tenant))
            found += self.superuser.execute(given).fetchall()
        return found


@pytest.fixture(scope="module")
def world(fresh_database: Callable[[], AbstractContextManager[str]]) -> Iterator[World]:
    with fresh_database() as url, psycopg.connect(driver_conninfo(url), autocommit=True) as superuser:
        migrate(url)  # a copied database does not inherit its template's grants on the database itself
        for user in (READER, STRANGER):
            superuser.execute(SQL("create role {} login in role muniment_analyst").format(Identifier(user)))
        superuser.execute("set session_replication_role = replica")  # no foreign keys: each table for itself
        for model in (101, 102):
            statement = "insert into muniment.embedding_model (model_no, name, dimensions) overriding system value"
            superuser.execute(statement + " values (%s, %s, 3)", (model, f"model {model}"))
        made = World(url, superuser)
        made.add(MINE)
        made.add(THEIRS)
        yield made
        for user in (READER, STRANGER):
            superuser.execute(SQL("drop role {}").format(Identifier(user)))


def test_each_cell_of_the_matrix_is_what_is_written(world: World) -> None:
    wrong: list[Cell] = []
    counted: Counter[str] = Counter()
    for cell in cells():
        counted[cell.kind] += 1
        found = world.superuser.execute(ASK[cell.kind].encode(), (cell.role, cell.name, cell.operation)).fetchone()
        if found != (cell.expected,):
            wrong.append(cell)
    assert wrong == []
    assert counted.total() > 8000, counted


# views -----------------------------------------------------------------------------------------------


def _view(connection: psycopg.Connection, view: str) -> list[tuple[Any, ...]]:
    return sorted(connection.execute(SQL("select v::text from {} v").format(identifier(view))).fetchall())


@pytest.mark.parametrize("view", [name for name, granted in VIEWS.items() if "muniment_analyst" in granted])
def test_a_view_shows_a_login_nothing_that_another_tenant_adds(world: World, view: str) -> None:
    with world.connect(READER) as reader, world.connect(STRANGER) as stranger:
        before, strange = _view(reader, view), _view(stranger, view)
        everything = len(_view(world.superuser, view))
        world.add(LATER)
        try:
            assert _view(reader, view) == before
            assert _view(stranger, view) == strange
            if view not in _BY_DAY:
                assert len(_view(world.superuser, view)) > everything or view in _OF_NOBODY
        finally:
            world.remove(LATER)
    assert strange == [] or view in _OF_NOBODY


_OF_NOBODY = {"muniment.relation_default"}  # constants
_BY_DAY = {"analytics.usage", "analytics.quota_usage", "analytics.costs"}  # the tenants' days are the same days


# functions -------------------------------------------------------------------------------------------

_PARAMETERS = """
    select coalesce(array_agg(a.name order by a.place), '{}'), coalesce(array_agg(format_type(a.kind, null) order by a.place), '{}')
      from pg_proc p
     cross join unnest(p.proargnames, coalesce(p.proallargtypes, p.proargtypes::oid[])) with ordinality a (name, kind, place)
     where p.oid = to_regproc(%s) and a.place <= p.pronargs"""  # noqa: E501

_ARGUMENTS = {
    "bigint": "1", "bigint[]": "{1,2}", "integer": "10", "integer[]": "{1,2}", "smallint": "1", "smallint[]": "{1}",
    "text": "word 1", "text[]": "{word 1}", "name": "word", "boolean": "true", "boolean[]": "{true}", "real": "0.5",
    "double precision": "0.5", "double precision[]": "{0.5,0.5}", "real[]": "{0.5}", "jsonb": "{}", "jsonb[]": "{}",
    "uuid": "00000000-0000-7000-8000-000000000001", "uuid[]": "{00000000-0000-7000-8000-000000000001}",
    "bytea": "\\x01", "bytea[]": "{}", "interval": "1 second", "halfvec": "[1,0,0]", "vector": "[1,0,0]",
    "timestamp with time zone": "2026-01-01T00:10:00Z", "timestamp with time zone[]": "{2026-01-01T00:10:00Z}",
    "date": "2026-01-01", "numeric": "1", "tstzrange": "empty", "tstzmultirange": "{}", "regclass": "muniment.record",
    "numeric[]": "{1}", "oid": "1", "tsvector": "", "tsquery": "", "regconfig": "english", "regdictionary": "simple",
}  # fmt: skip


_BY_THE_NUMBER = {
    "muniment_auth.open_pinned_scope": "opens the scope of the tenant that it is given, as open_scope does",
    "muniment.claim_lock": "hashes the number",
}


def _call(world: World, function: str, tenant: int) -> Composed | None:
    """The call with this tenant's number and rows' keys that exist; None for a function that takes no tenant."""
    found = world.superuser.execute(_PARAMETERS, (function,)).fetchone()
    assert found is not None
    names, kinds = found
    if "_tenant" not in names:
        return None
    values = []
    for name, kind in zip(names, kinds, strict=True):
        given = str(tenant) if name == "_tenant" else _ARGUMENTS.get(kind)
        values.append(SQL("{}::{}").format(Literal(given), SQL(kind.replace("halfvec", "public.halfvec"))))
    return SQL("select f::text from {}({}) f").format(identifier(function), SQL(", ").join(values))


def _outcome(connection: psycopg.Connection, call: Composed, tenant: int) -> object:
    """What the call gives, or how it fails; whose number it was is taken out of the words."""
    with connection.transaction(force_rollback=True):
        if connection.info.user == "muniment_app":
            connection.execute("select muniment_auth.open_scope(%s::bigint, null, 10000)", (MINE,))
        try:
            with connection.transaction():
                return sorted(connection.execute(call).fetchall(), key=str)
        except psycopg.Error as error:
            words = f"{error.sqlstate} {error.diag.message_primary} {error.diag.message_detail}"
            return words.replace(str(tenant), "the tenant")


@pytest.mark.parametrize(
    ("user", "function"),
    [(READER, each) for each in ANALYSTS] + [("muniment_app", each) for each in OF_THE_SERVICE],
)
def test_a_function_gives_of_another_tenant_what_it_gives_of_nobody(
    world: World, calling: dict[str, psycopg.Connection], user: str, function: str
) -> None:
    theirs, nobodys = _call(world, function, THEIRS), _call(world, function, NOBODYS)
    if theirs is None or nobodys is None or function in _BY_THE_NUMBER:
        return  # of no tenant, or of the scope's
    assert _outcome(calling[user], theirs, THEIRS) == _outcome(calling[user], nobodys, NOBODYS)


def test_some_of_these_calls_give_something_of_ones_own(world: World, calling: dict[str, psycopg.Connection]) -> None:
    """Otherwise the calls above would be empty whatever the functions did."""
    telling = 0
    for function in OF_THE_SERVICE:
        mine, nobodys = _call(world, function, MINE), _call(world, function, NOBODYS)
        if mine is not None and nobodys is not None:
            own = _outcome(calling["muniment_app"], mine, MINE)
            telling += own != _outcome(calling["muniment_app"], nobodys, NOBODYS)
    assert telling >= 15


@pytest.fixture(scope="module")
def calling(world: World) -> Iterator[dict[str, psycopg.Connection]]:
    """Connections that call; whatever they called, the other tenant's rows are at the end what they were."""
    before = world.content(THEIRS)
    with world.connect(READER) as reader, world.connect("muniment_app") as app:
        yield {READER: reader, "muniment_app": app}
    assert world.content(THEIRS) == before
