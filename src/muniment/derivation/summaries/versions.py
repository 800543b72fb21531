"""Summaries kept in versions: what changed is closed and written anew, what says the same stays."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from muniment.database.numbers import take_numbers
from muniment.database.pool import Row, Scope
from muniment.database.vectors import vector_text
from muniment.model.identifiers import new_id

Kind = Literal["card", "episode", "profile"]


@dataclass(frozen=True, slots=True)
class Draft:
    """A summary to be. ``records`` are those it quotes or holds; ``phrasings`` other words by which it is found.

    ``part`` is the position of an episode's first turn. ``form`` says how it was made: ``rules:1``, ``model:...``.
    """

    kind: Kind
    title: str
    text: str
    records: Sequence[int]
    form: str
    phrasings: Sequence[str] = ()
    detail: Mapping[str, Any] = field(default_factory=dict)
    first_at: datetime | None = None
    last_at: datetime | None = None
    part: int = 0

    def searched(self) -> str:
        """All words by which it is found."""
        return "\n".join((self.title, self.text, *self.phrasings))

    def says(self) -> tuple[Any, ...]:
        """What makes a version differ from the one before."""
        detail = json.dumps(dict(self.detail), sort_keys=True)
        return self.title, self.text, tuple(self.phrasings), detail, tuple(self.records), self.form


@dataclass(frozen=True, slots=True)
class Place:
    """Where versions stand: the group or the entity that they are of, and the commit from which they count."""

    space: int
    commit: int
    inputs: str
    language: str
    group_no: int | None = None
    entity_key: str = ""


def unchanged(draft: Draft, current: Iterable[Row]) -> int | None:
    """The number of the version that says what the draft does, None where there is none."""
    same = (row["summary_no"] for row in current if (row["kind"], row["part"]) == (draft.kind, draft.part)
            and said_by(row) == draft.says())  # fmt: skip
    return next(same, None)


def said_by(row: Row) -> tuple[Any, ...]:
    """What a stored version says, as ``Draft.says``."""
    detail = json.dumps(row["detail"], sort_keys=True)
    return row["title"], row["text"], tuple(row["phrasings"]), detail, tuple(row["records"]), row["form"]


async def replace_versions(
    scope: Scope,
    place: Place,
    drafts: Sequence[Draft],
    current: Sequence[Row],
    vectors: Mapping[str, Sequence[float]],
    model_no: int | None,
) -> int:
    """Makes the drafts the versions that count, and returns how many are new.

    ``current`` are those that count now of the same group or entity, locked by the caller. ``vectors`` are by
    ``Draft.searched()``; what is not there is left without one.
    """
    same = [(draft, unchanged(draft, current)) for draft in drafts]
    kept = [number for _, number in same if number is not None]
    closed = [row["summary_no"] for row in current if row["summary_no"] not in kept]
    if closed:
        await scope.execute("summaries.close", summaries=closed, commit=place.commit)
    if kept:
        standing = [(draft, number) for draft, number in same if number is not None]
        await scope.execute(
            "summaries.confirm",
            summaries=kept,
            firsts=[draft.first_at for draft, _ in standing],
            lasts=[draft.last_at for draft, _ in standing],
            inputs=place.inputs,
            commit=place.commit,
        )
    fresh = [draft for draft, number in same if number is None]
    numbers = await take_numbers(scope, "summary", len(fresh)) if fresh else ()
    for number, draft in zip(numbers, fresh, strict=True):
        await _insert(scope, place, number, draft)
        vector = vectors.get(draft.searched())
        if vector is not None and model_no is not None:
            await scope.execute(
                "summaries.insert_vector", kind=draft.kind, model=model_no, space=place.space, summary_no=number,
                vector=vector_text(vector),
            )  # fmt: skip
    return len(fresh)


async def _insert(scope: Scope, place: Place, number: int, draft: Draft) -> None:
    await scope.execute(
        "summaries.insert",
        summary_no=number,
        summary_id=new_id(),
        space=place.space,
        kind=draft.kind,
        group_no=place.group_no,
        entity_key=place.entity_key,
        part=draft.part,
        commit=place.commit,
        title=draft.title,
        text=draft.text,
        phrasings=list(draft.phrasings),
        detail=json.dumps(dict(draft.detail)),
        records=list(draft.records),
        first_at=draft.first_at,
        last_at=draft.last_at,
        inputs=place.inputs,
        form=draft.form,
        language=place.language,
    )
