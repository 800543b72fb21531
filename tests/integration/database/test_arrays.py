"""Lists of texts and numbers reach the database as they are."""

from typing import Any

import psycopg
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from muniment.database.arrays import PlainListDumper
from muniment.database.pool import Database
from muniment.database.setup import driver_conninfo

_TEXTS = st.lists(st.none() | st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])), max_size=20)
_NUMBERS = st.lists(st.none() | st.integers(-(2**63), 2**63 - 1), max_size=20)
_MANY = settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture
def connection(admin_url: str) -> Any:
    with psycopg.connect(driver_conninfo(admin_url), autocommit=True) as connection:
        connection.adapters.register_dumper(list, PlainListDumper)
        yield connection


@_MANY
@given(texts=_TEXTS)
@example(texts=["NULL", "", "{}", '"', "\\", '\\"', ",", "\n", "null", " ", "é\u3000"])
def test_texts_come_back_as_they_went(connection: psycopg.Connection, texts: list[str | None]) -> None:
    assert connection.execute("select cast(%s as text[])", (texts,)).fetchone() == (texts,)


@_MANY
@given(numbers=_NUMBERS)
def test_numbers_come_back_as_they_went(connection: psycopg.Connection, numbers: list[int | None]) -> None:
    assert connection.execute("select cast(%s as bigint[])", (numbers,)).fetchone() == (numbers,)


@pytest.mark.parametrize(
    ("values", "kind"),
    [([1.5, None], "double precision[]"), ([True, False], "boolean[]"), ([b"\\x", b""], "bytea[]"),
     ([["a", "b"], ["c", "{"]], "text[]"), ([[1, 2]], "bigint[]")],
)  # fmt: skip
def test_other_lists_go_as_the_driver_sends_them(connection: psycopg.Connection, values: list[Any], kind: str) -> None:
    assert connection.execute(f"select cast(%s as {kind})", (values,)).fetchone() == (values,)


def test_a_text_with_nul_is_refused_and_not_cut(connection: psycopg.Connection) -> None:
    with pytest.raises(psycopg.DataError, match="NUL"):
        connection.execute("select cast(%s as text[])", (["a", "b\0c"],))


async def test_numbers_of_any_size_are_one_statement(database: Database) -> None:
    async with database.scope(1) as scope:
        driver = (await scope.connection.get_raw_connection()).driver_connection
        for number in [1, 10**6, 10**12] * 6:
            await (await driver.execute("select cast(%s as bigint[])", ([number],))).fetchall()
        rows = await scope.connection.exec_driver_sql(
            "select count(*) from pg_prepared_statements where statement like 'select cast(%% as bigint%%'"
        )
        assert rows.scalar() == 1
