"""Fingerprints of what was served: written when it is served, looked up when something comes in."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID

from muniment.database.pool import Row, Scope
from muniment.model.namespace import Namespace
from muniment.model.served import telling

_SLICE = 2000  # sentences in one statement


async def note_served(scope: Scope, served: Sequence[tuple[int, str]]) -> None:
    """Notes texts with the numbers of the records that they came from, in the transaction that serves them."""
    pairs = {(sentence, record) for record, text in served for sentence in telling(text)}
    if not pairs:
        return
    several = sorted(pairs)
    columns = {"sentences": [each for each, _ in several], "records": [each for _, each in several]}
    if not await scope.value("served.insert", **columns):
        await scope.execute("served.make_key")
        await scope.value("served.insert", **columns)


async def note_served_lines(scope: Scope, served: Sequence[tuple[Sequence[UUID], str]]) -> None:
    """The same by the public ids of the records, for texts of several lines, any of which may come back alone."""
    ids = sorted({identity for several, _ in served for identity in several})
    rows = await scope.rows("served.numbers", record_ids=ids) if ids else []
    numbers = {row["record_id"]: row["record_no"] for row in rows}
    await note_served(
        scope,
        [
            (numbers[identity], part)
            for several, text in served
            for identity in several
            if identity in numbers
            for part in dict.fromkeys((text, *text.splitlines()))
        ],
    )


async def find_served(
    scope: Scope, namespace: Namespace, sentences: Sequence[str], days: float
) -> Mapping[str, Sequence[Row]]:
    """The records from which sentences were served in so many days, by sentence, where a namespace may know of it."""
    found: dict[str, list[Row]] = {}
    since = datetime.now(UTC) - timedelta(days=days)
    for start in range(0, len(sentences), _SLICE):
        part = sentences[start : start + _SLICE]
        rows = await scope.rows(
            "served.find", sentences=list(part), since=since, project=namespace.project_id, user=namespace.user_id
        )
        for row in rows:
            found.setdefault(part[row["n"] - 1], []).append(row)
    return found
