"""The matrix: each role, each relation, function, sequence and schema, each privilege, and whether it is held.

Expanded from ``policies`` alone, which is written by hand; ``test_matrix.py`` asks the database for each cell.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from policies import (
    DEFINERS,
    FUNCTIONS,
    MATERIALIZED_VIEWS,
    OTHER_TABLES,
    REMOVER,
    ROLES,
    SCHEMAS,
    SEQUENCES,
    TENANT_TABLES,
    VIEWS,
)

OWNER, REPORTER = "muniment_owner", "muniment_reporter"
EVERYBODY = (*ROLES, "public")

ON_RELATIONS = ("select", "insert", "update", "delete", "truncate", "references", "trigger", "maintain")
ON_SEQUENCES = ("select", "update", "usage")
ON_SCHEMAS = ("create", "usage")


@dataclass(frozen=True, slots=True)
class Cell:
    """Whether a role may do something with something of ours."""

    role: str
    kind: str
    name: str
    operation: str
    expected: bool


def cells() -> Iterator[Cell]:
    """Every cell, of each kind: relation, sequence, schema, function."""
    for name, granted in _relations().items():
        owner = REPORTER if name in MATERIALIZED_VIEWS else OWNER
        yield from _cells("relation", name, owner, granted, ON_RELATIONS)
    for name, granted in SEQUENCES.items():
        yield from _cells("sequence", name, OWNER, granted, ON_SEQUENCES)
    for name, granted in SCHEMAS.items():
        yield from _cells("schema", name, OWNER, granted, ON_SCHEMAS)
    for name, callers in FUNCTIONS.items():
        granted = dict.fromkeys(callers, "execute")
        yield from _cells("function", name, DEFINERS.get(name, OWNER), granted, ("execute",))


def _relations() -> dict[str, dict[str, str]]:
    tenants = {
        name: {
            "muniment_app": rule.app,
            "muniment_analyst": rule.analyst,
            "muniment_resolver": rule.resolver,
            "muniment_eraser": rule.eraser,
            "muniment_watchdog": rule.watchdog,
            REPORTER: rule.reporter,
            "muniment_remover": REMOVER,
        }
        for name, rule in TENANT_TABLES.items()
    }
    others = {name: granted for name, (granted, _) in OTHER_TABLES.items()}
    return tenants | others | VIEWS | MATERIALIZED_VIEWS


def _cells(kind: str, name: str, owner: str, granted: dict[str, str], operations: tuple[str, ...]) -> Iterator[Cell]:
    for role in EVERYBODY:
        held = operations if role == owner else granted.get(role, "").split(", ")
        for operation in operations:
            yield Cell(role, kind, name, operation, operation in held)
