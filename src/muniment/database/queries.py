"""Named queries: the statements of ``sql/queries/*.sql``, reached as ``query("concept.name")``.

A file holds statements under ``-- name: <name>`` lines; the comment lines that follow say what a statement is
for and which index serves it. Parameters are written ``:name`` (cast them: ``cast(:name as bigint)``).
"""

import re
from functools import cache

from sqlalchemy import TextClause, text

from muniment.database.files import named_statements

_PARAMETER = re.compile(r"(?<![:\w\x5c]):(\w+)(?!:)")  # as SQLAlchemy reads them in a text


@cache
def statements() -> dict[str, str]:
    """All named statements, keyed ``concept.name``; raises ValueError when a name stands twice."""
    return named_statements("queries")


@cache
def query(name: str) -> TextClause:
    """The named statement, ready to execute with its parameters; raises KeyError for an unknown name."""
    return text(statements()[name])


@cache
def driver_query(name: str) -> str:
    """The named statement as the driver takes it, its parameters written ``%(name)s``; raises KeyError.

    It goes past what SQLAlchemy does for a text on every execution, which costs more than many of our statements.
    """
    return _PARAMETER.sub(r"%(\1)s", statements()[name].replace("%", "%%"))
