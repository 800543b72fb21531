"""Compiling the profiles of entities whose facts have changed."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import md5
from typing import Any, Final

from muniment.database.pool import Row, Scope
from muniment.derivation.profiles.lines import ProfileFact, changes, lines_of, tells_of
from muniment.derivation.summaries.compiling import Compiler
from muniment.derivation.summaries.versions import Draft, Place, replace_versions, unchanged
from muniment.extraction.time.told_days import with_days

FORM: Final = "rules:2"
MOST_FACTS: Final = 1000
"""Facts about an entity that its profile is made of, the latest."""
_BATCH: Final = 64
_TRIES: Final = 5
_LINES_SEARCHED: Final = 60


async def compile_profiles(compiler: Compiler, tenant: int) -> int:
    """Brings the profiles that are due up to what the live facts say; how many versions are new.

    One that changes faster than it can be read waits for the next run.
    """
    versions, after = 0, {"after": 0, "after_object": False}
    while True:
        async with compiler.database.scope(tenant) as scope:
            due = await scope.rows("entity_profiles.due", **after, limit=_BATCH)
        if not due:
            return versions
        for key in dict.fromkeys((row["space_id"], row["entity_key"]) for row in due):
            versions += await _compile(compiler, tenant, *key)
        after = {"after": due[-1]["record_no"], "after_object": due[-1]["as_object"]}


async def profile_draft(scope: Scope, space: int, entity_key: str) -> tuple[Draft | None, int]:
    """The profile that the live facts about an entity make, None where there are none; and their last commit."""
    rows = await scope.rows("entity_profiles.facts", space=space, entity_key=entity_key, most=MOST_FACTS)
    told = [(row, fact) for row, fact in zip(rows, map(_fact, rows), strict=True) if tells_of(fact)]
    rows = [row for row, _ in told]
    lines = [line.stored() for line in lines_of(fact for _, fact in told)]
    if not lines:
        return None, await scope.value("entity_profiles.last_commit", space=space, entity_key=entity_key) or 0
    said = [row["said_at"] for row in rows if row["said_at"] is not None]
    own = [row for row in rows if not row["as_object"]] or rows  # whose own facts spell the name
    draft = Draft(
        kind="profile",
        title=own[-1]["entity"],
        text="\n".join(line["text"] for line in lines[:_LINES_SEARCHED]),
        records=sorted({number for line in lines for number in line["facts"]}),
        form=FORM,
        detail={"lines": lines, "type": own[-1]["entity_type"]},
        first_at=min(said) if said else None,
        last_at=max(said) if said else None,
    )
    return draft, await scope.value("entity_profiles.last_commit", space=space, entity_key=entity_key)


def without_changes(detail: Mapping[str, Any]) -> dict[str, Any]:
    """What a profile says, apart from how that differs from the version before."""
    return {name: value for name, value in detail.items() if name != "changes"}


async def _compile(compiler: Compiler, tenant: int, space: int, entity_key: str) -> int:
    seconds = compiler.database.settings.write_timeout
    for _ in range(_TRIES):
        async with compiler.database.scope(tenant, seconds=seconds) as scope:
            draft, _ = await profile_draft(scope, space, entity_key)
            current = await scope.rows("entity_profiles.current", space=space, entity_key=entity_key)
        fresh = [] if draft is None or _stands(draft, current) else [draft]
        vectors = await compiler.embedded(fresh)
        async with compiler.database.scope(tenant, seconds=seconds) as scope:
            if not await scope.rows("entity_profiles.lock_due", space=space, entity_key=entity_key):
                return 0
            await scope.execute("entity_profiles.hold", records=[] if draft is None else list(draft.records))
            again, commit = await profile_draft(scope, space, entity_key)
            if again != draft:
                continue
            current = await scope.rows("entity_profiles.current", space=space, entity_key=entity_key)
            if draft is not None and not fresh and not _stands(draft, current):
                continue  # it went meanwhile, and has no vector to come back with
            new = await _replace(scope, compiler, space, entity_key, draft, commit, current, vectors)
            await scope.execute("entity_profiles.done", space=space, entity_key=entity_key)
            return new
    return 0


async def _replace(
    scope: Scope, compiler: Compiler, space: int, entity_key: str, draft: Draft | None, commit: int,
    current: Sequence[Row], vectors: Mapping[str, Sequence[float]],
) -> int:  # fmt: skip
    before = current[0]["detail"] if current else {}
    if draft is not None:
        same = _says(draft, current)
        told = before.get("changes", []) if same else changes(before.get("lines", []), draft.detail["lines"])
        draft = replace(draft, detail={**draft.detail, "changes": told})
    inputs = "" if draft is None else md5(repr(draft.records).encode(), usedforsecurity=False).hexdigest()
    place = Place(space, commit, inputs, "english", None, entity_key)
    drafts = [] if draft is None else [draft]
    return await replace_versions(scope, place, drafts, current, vectors, compiler.model_no)


def _says(draft: Draft, current: Sequence[Row]) -> bool:
    """Whether the version that counts says what the draft does."""
    return (
        bool(current)
        and without_changes(current[0]["detail"]) == dict(draft.detail)
        and current[0]["text"] == draft.text
    )


def _stands(draft: Draft, current: Sequence[Row]) -> bool:
    """Whether the draft makes no new version."""
    if not _says(draft, current):
        return False
    told = current[0]["detail"].get("changes", [])
    return unchanged(replace(draft, detail={**draft.detail, "changes": told}), current) is not None


def _fact(row: Row) -> ProfileFact:
    text = row["text"]
    if row["kind"] == "intention":  # its time goes by, and the profile stays
        text = with_days(text, row["event_from"], row["event_to"], row["said_offset"])
    return ProfileFact(
        record_no=row["record_no"], relation=row["relation"], object=row["other"], object_key=row["other_key"],
        object_type=row["other_type"], negated=row["negated"], kind=row["kind"], text=text,
        at=row["event_from"] or row["said_at"], meant=row["meant"], single=row["single"], refined=row["refined"],
        words=row["words"], as_object=row["as_object"],
    )  # fmt: skip
