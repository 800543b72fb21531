"""What a named query is planned with: parameters over the rows of plan_seed.sql, and how much it may read."""

import hashlib
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import UUID


@dataclass(frozen=True, slots=True)
class SeededId:
    """The public id of a seeded row, as plan_seed.sql makes it for each of its tenants."""

    kind: str
    key: object

    def of(self, tenant: int) -> UUID:
        name = f"{self.kind}{tenant}-{self.key}"
        return UUID(hashlib.md5(name.encode(), usedforsecurity=False).hexdigest())


def sha256_of(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


@dataclass(frozen=True)
class Case:
    """A query that reads by keys: its parameters beside ``DEFAULTS``, and the rows one scan in it may read.

    ``whole`` is the reason why a query may read all rows of the tenant; ``elsewhere`` why it is not planned here.
    """

    parameters: dict[str, Any] = field(default_factory=dict)
    rows: int = 2000
    whole: str | None = None
    elsewhere: str | None = None

    def values(self, names: set[str], tenant: int) -> dict[str, Any]:
        """The parameters of these names, with the ids of this tenant's rows."""
        return {name: _resolved((DEFAULTS | self.parameters)[name], tenant) for name in names}


def _resolved(value: Any, tenant: int) -> Any:
    if isinstance(value, list):
        return [_resolved(item, tenant) for item in value]
    return value.of(tenant) if isinstance(value, SeededId) else value


NOW = datetime(2026, 1, 1, tzinfo=UTC)
LATER = datetime(2026, 1, 2, tzinfo=UTC)
RECORDS = list(range(1001, 1021))  # groups 101 and 102, in the spaces 2 and 3
FRESH = list(range(50001, 50011))  # written, not sealed
NEW = 900001
TEN = range(10)

DEFAULTS: dict[str, Any] = {
    "kinds": ["raw", "correction"],
    "after": 1000, "agent": None, "b": 0.75, "before": 4000, "block_documents": 1000, "bytes": 100, "cap": 2000,
    "closed": False, "commit": 5001, "count": 10, "counter": "record", "exact": True, "fields": False, "frontier": 64,
    "group_key": "key101",
    "group_no": 101, "hops": 2, "job": SeededId("job", 3), "k1": 1.5, "key": SeededId("key", 2), "kind": "embed",
    "known_at": None, "language": "english", "lease": 60.0, "lease_token": SeededId("lease", 3), "limit": 20,
    "model": 1, "most": 100, "position": 1, "project": "project7", "question": "alpha7 beta7", "query_no": 77,
    "record_id": SeededId("record", 1001), "records": RECORDS, "run_id": SeededId("run", 101), "run_no": 101,
    "runs": [101, 102], "seeds": RECORDS[:5], "session": None, "sha256": sha256_of("101"),
    "source_id": SeededId("source", 101),
    "source_key": "key101", "source_no": 101, "sources": [101, 102], "space": 2, "spaces": [1, 2, 3], "user": "user7",
    "vector": "[1,0,0,0,0,0,0,0]", "version": 2,
}  # fmt: skip
