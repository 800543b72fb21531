"""Rows for any tenant table, made from the catalog: a new table is seeded without a line of its own, or fails."""

import re
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg.sql import SQL, Composed, Identifier, Literal

_COLUMNS = """
    select a.attname, format_type(a.atttypid, null), a.attnotnull, a.attnum::integer, a.attidentity <> '',
           (select string_agg(pg_get_constraintdef(k.oid), ' ') from pg_constraint k
             where k.conrelid = a.attrelid and k.contype = 'c' and k.conkey = array[a.attnum]),
           exists (
             select from pg_constraint k
              where k.conrelid = a.attrelid and k.contype = 'f' and a.attnum = any (k.conkey))
      from pg_attribute a
     where a.attrelid = %s::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     order by a.attnum"""

_ONE_OF = re.compile(r"ARRAY\[(.*?)\]")
_SINGLE = """
    select k.conkey = array[a.attnum] from pg_constraint k
      join pg_attribute a on a.attrelid = k.conrelid and a.attname = 'tenant_id'
     where k.conrelid = %s::regclass and k.contype = 'p'"""


@dataclass(frozen=True, slots=True)
class Column:
    """A column as the catalog has it; ``choices`` are the values that its CHECK allows, where it lists them.

    A column that refers to another table counts as required.
    """

    name: str
    kind: str
    required: bool
    number: int
    choices: tuple[str, ...]


def columns(connection: psycopg.Connection, table: str) -> list[Column]:
    """The columns of the table that an insert may name."""
    found = []
    for name, kind, required, number, identity, check, refers in connection.execute(_COLUMNS, (table,)).fetchall():
        listed = _ONE_OF.search(check or "") if kind == "text" else None
        choices = re.findall(r"'([^']+)'", listed.group(1)) if listed else ()
        if not identity:
            found.append(Column(name, kind, required or refers, number, tuple(choices)))
    return found


def one_row_a_tenant(connection: psycopg.Connection, table: str) -> bool:
    """Whether tenant_id alone is the primary key."""
    return connection.execute(_SINGLE, (table,)).fetchone() == (True,)


def _value(column: Column, table: str, key: int) -> Any:
    if column.choices:
        return column.choices[(key - 1) % len(column.choices)]
    numbers = {"bigint": key, "integer": 100 * key + column.number, "smallint": 8}
    values: dict[str, Any] = numbers | {
        "text": f"word {key}",
        "uuid": f"00000000-0000-7000-8000-{key:012x}",
        "bytea": bytes([key]) * 32,
        "jsonb": "{}",
        "boolean": False,
        "real": 0.5,
        "double precision": 0.5,
        "date": f"2026-01-{1 + key % 28:02}",
        # later columns are later times: an interval ends after it begins
        "timestamp with time zone": f"2026-01-01T00:{column.number:02}:00Z",
        "text[]": ["memory:read"],
        "bigint[]": [key],
        "integer[]": [key],
        "smallint[]": [1],
        "real[]": [0.5],
        "double precision[]": [0.5],
        "boolean[]": [True],
        "bytea[]": [],
        "uuid[]": [],
        "halfvec": "[1,0,0]",
    }
    if column.kind not in values:
        raise AssertionError(f"tests/security/rows.py has no value for {table}.{column.name} of type {column.kind}")
    return values[column.kind]


def login(tenant: int, key: int) -> str:
    """A PostgreSQL login: one name in the whole cluster, so not the same for two tenants."""
    return f"matrix_{tenant}_{key}"


def row(table: str, of: list[Column], tenant: int, space: int, key: int) -> dict[str, Any]:
    """A row of the tenant in the space. Rows of one ``key`` have the same keys, whosever they are.

    Numbers of records, sources, groups and the like (every bigint) are the key itself, so that a row's references
    point to the rows of the same tenant and key.
    """
    made: dict[str, Any] = {}
    for column in of:
        if column.name == "tenant_id":
            made["tenant_id"] = tenant
        elif column.name == "space_id":
            made["space_id"] = space
        elif column.kind == "name":
            made[column.name] = login(tenant, key)
        elif column.required or column.kind == "text":
            made[column.name] = _value(column, table, key)
    return made


def insertion(table: str, values: dict[str, Any]) -> Composed:
    """The statement that inserts these values."""
    return SQL("insert into {} ({}) values ({})").format(
        identifier(table),
        SQL(", ").join(Identifier(name) for name in values),
        SQL(", ").join(Literal(value) for value in values.values()),
    )


def identifier(table: str) -> Identifier:
    """``schema.table`` as an identifier."""
    return Identifier(*table.split("."))
