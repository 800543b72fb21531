"""Where the SQL and the migrations lie: inside the wheel, or beside ``src`` in a checkout."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent


def _directory(packaged: str, checkout: str) -> Path:
    inside = _PACKAGE / packaged
    return inside if inside.is_dir() else _PACKAGE.parent.parent / checkout


def sql_directory() -> Path:
    """The directory with ``functions``, ``views``, ``policies`` and ``queries``."""
    return _directory("_sql", "sql")


def migrations_directory() -> Path:
    """The directory of the Alembic environment."""
    return _directory("_migrations", "migrations")
