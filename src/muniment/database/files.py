"""Where the SQL and the migrations lie: inside the wheel, or beside ``src`` in a checkout."""

import re
from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent
_NAME = re.compile(r"^-- name: (\w+)\s*$", re.MULTILINE)


def _directory(packaged: str, checkout: str) -> Path:
    inside = _PACKAGE / packaged
    return inside if inside.is_dir() else _PACKAGE.parent.parent / checkout


def sql_directory() -> Path:
    """The directory with ``functions``, ``views``, ``policies``, ``queries`` and ``imports``."""
    return _directory("_sql", "sql")


@cache
def named_statements(kind: str) -> dict[str, str]:
    """The statements of a directory of ``sql``, keyed ``<file>.<name>``; raises ValueError when a name stands twice.

    A file holds statements under ``-- name: <name>`` lines; the comment lines that follow say what a statement is for.
    """
    found: dict[str, str] = {}
    for path in sorted((sql_directory() / kind).glob("*.sql")):
        parts = _NAME.split(path.read_text(encoding="utf-8"))
        for name, body in zip(parts[1::2], parts[2::2], strict=True):
            key = f"{path.stem}.{name}"
            if key in found:
                raise ValueError(f"the query {key} stands twice")
            found[key] = body.strip().rstrip(";")
    return found


def migrations_directory() -> Path:
    """The directory of the Alembic environment."""
    return _directory("_migrations", "migrations")
