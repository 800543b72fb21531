"""Descriptions of images as records of the log: what a model says that an image shows, beside the image.

A description is sealed like every record and searched like the source's own words, but it is a kind of its own, rests
on the records of the image, and closes and is erased with them. No facts are read from it: it is no evidence about
anybody but of what a model said. It stands in a group of its own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from muniment.database.numbers import take_numbers
from muniment.database.pool import Database, Row, Scope
from muniment.log.admission import Said
from muniment.log.drafts import Draft, Place, insert_drafts
from muniment.log.extraction import BUDGET_WINDOW, enqueue_extraction
from muniment.log.merging import enqueue_merge
from muniment.log.resting import resting_on
from muniment.log.seal import NewEntry, seal
from muniment.log.vectors import Embedding, embed_early, embedded_text, store_vectors
from muniment.model.identifiers import SOURCE, public_id
from muniment.model.namespace import Namespace
from muniment.model.policy import MARK as SENSITIVE
from muniment.sources.instructions import MARK as INSTRUCTIONS
from muniment.sources.parsed import Chunk

_BASES: Final = 256
"""Records of an image on which its description rests, at most."""
_BATCH: Final = 1000


class _Overtaken(Exception):
    """The image was closed while its description was written."""


@dataclass(frozen=True, slots=True)
class Described:
    """What a describer made of a group's pending image. ``marks`` is what the policy says of each chunk."""

    group_no: int
    image: Row
    describer: str
    chunks: Sequence[Chunk]
    marks: Sequence[Mapping[str, bool]]


async def write_description(database: Database, tenant: int, found: Described, embedding: Embedding) -> int:
    """Writes a description in the place of any before it, ends the wait for it, and seals, in one transaction.

    Returns how many records it has, 0 where the image is gone or was described meanwhile. Raises ``store.*`` and
    ``quota.*``.
    """
    texts = [embedded_text(chunk.text, chunk.fields) for chunk in found.chunks]
    vectors = await embed_early(embedding, texts, "default", database.settings)
    try:
        return await _write(database, tenant, found, embedding, vectors)
    except _Overtaken:
        return 0


async def _write(
    database: Database, tenant: int, found: Described, embedding: Embedding, vectors: list[list[float]] | None
) -> int:
    async with database.scope(tenant) as scope:
        numbers = await take_numbers(scope, "record", len(found.chunks))
        fresh_group = (await take_numbers(scope, "group"))[0]
    async with database.scope(tenant, seconds=database.settings.write_timeout) as scope:
        evidence = await scope.row("facts.share_group", group_no=found.group_no)
        image = await scope.row("descriptions.image", group_no=found.group_no)
        if evidence is None or image is None or image["record_no"] != found.image["record_no"]:
            return 0
        bases = await scope.rows("descriptions.bases", group_no=found.group_no, limit=_BASES)
        place, position = await _place(scope, evidence, image, fresh_group)
        before = await scope.rows("descriptions.standing", records=[row["record_no"] for row in bases])
        drafts = _drafts(found, numbers, position)
        entries = await insert_drafts(scope, place, drafts, image["language"])
        await _rest(scope, place.space, numbers, bases)
        await store_vectors(scope, place.space, list(numbers), embedding, vectors)
        await scope.execute("messages.advance", group_no=place.group_no, next_position=position + len(drafts))
        await _finish(scope, found, len(drafts))
        await enqueue_merge(scope, place.space, list(numbers), database.settings)
        closes = [_close(row, found.describer) for row in before]
        closes += await resting_on(scope, [row["record_no"] for row in before])
        await seal(scope, [*entries, *closes], place.space)
        if await scope.rows("facts.not_live", records=[row["record_no"] for row in bases]):  # under the head lock
            raise _Overtaken
        await database.quotas.require_fit(scope)
    return len(drafts)


async def note_description(
    database: Database, tenant: int, image: Row, describer: str, state: str, reason: str
) -> None:
    """Notes that an image could not be described (``failed``), or waits (``pending``), and why."""
    async with database.scope(tenant) as scope:
        await scope.execute(
            "extraction.finish", records=[image["record_no"]], states=[state], facts=[0], method="vision",
            extractor=describer, space=image["space_id"], reason=reason,
        )  # fmt: skip


async def ask_for_descriptions(database: Database, tenant: int, describer: str) -> int:
    """Enqueues the description of images that have none, whose failed, or that another ``describer`` described.

    Returns how many that are. In transactions of 1,000 images.
    """
    asked, after = 0, 0
    while True:
        async with database.scope(tenant) as scope:
            rows = await scope.rows("descriptions.undescribed", describer=describer, after=after, limit=_BATCH)
            if not rows:
                return asked
            await scope.execute(
                "extraction.ask_again", method="vision", records=[row["record_no"] for row in rows],
                spaces=[row["space_id"] for row in rows],
            )  # fmt: skip
            for row in rows:
                await enqueue_extraction(scope, "vision", row["space_id"], row["group_no"], 0)
        asked, after = asked + len(rows), rows[-1]["source_no"]


async def spent_on_descriptions(database: Database, tenant: int) -> tuple[int, int]:
    """The tokens that a tenant's images took in the last 24 hours, and in how many calls."""
    async with database.scope(tenant) as scope:
        row = await scope.row("descriptions.spent", since=datetime.now(UTC) - BUDGET_WINDOW)
    assert row is not None
    return row["tokens"], row["calls"]


async def _place(scope: Scope, evidence: Row, image: Row, fresh: int) -> tuple[Place, int]:
    """The group of the descriptions of a version of an image, locked, and its next free position."""
    source, space = public_id(SOURCE, evidence["source_id"]), image["space_id"]
    key = f"{source}:{image['source_version']}:description"
    await scope.execute(
        "messages.insert_group", group_no=fresh, space=space, group_key=key, source_no=image["source_no"],
        session=image["session_id"],
    )  # fmt: skip
    group = await scope.row("messages.lock_group", space=space, group_key=key)
    assert group is not None
    namespace = Namespace(**{name: evidence[name] for name in ("project_id", "user_id", "agent_id")})
    place = Place(
        space, namespace, image["source_no"], evidence["source_id"], image["source_version"], group["group_no"], key
    )
    return place, group["next_position"]


def _drafts(found: Described, numbers: range, position: int) -> list[Draft]:
    image = found.image
    said = None if image["said_at"] is None else Said(image["said_at"], image["said_offset"])
    return [
        Draft(
            record_no=number,
            text=chunk.text,
            modality="image",
            position=position + n,
            locator=chunk.locator,
            fields=chunk.fields,
            metadata=_inherited(image["payload"]) | dict(chunk.metadata) | dict(marks),
            session_id=image["session_id"],
            said=said,
            kind="description",
        )
        for n, (number, chunk, marks) in enumerate(zip(numbers, found.chunks, found.marks, strict=True))
    ]


def _inherited(payload: Mapping[str, Any] | None) -> dict[str, Any]:
    """What the image's own metadata say also of its description, but for marks of its text."""
    return {
        name: value
        for name, value in (payload or {}).items()
        if name != INSTRUCTIONS and not name.startswith(SENSITIVE)
    }


async def _rest(scope: Scope, space: int, numbers: Sequence[int], bases: Sequence[Row]) -> None:
    pairs = [(number, base) for number in numbers for base in bases]
    await scope.execute(
        "facts.insert_evidence",
        space=space,
        records=[number for number, _ in pairs],
        bases=[base["record_no"] for _, base in pairs],
        starts=[0] * len(pairs),
        ends=[base["length"] for _, base in pairs],
    )


async def _finish(scope: Scope, found: Described, records: int) -> None:
    await scope.execute(
        "extraction.finish", records=[found.image["record_no"]], states=["facts"], facts=[records], method="vision",
        extractor=found.describer, space=found.image["space_id"], reason=None,
    )  # fmt: skip


def _close(row: Row, describer: str) -> NewEntry:
    return NewEntry(
        event="close", space=row["space_id"], record_no=row["record_no"], record_id=row["record_id"],
        detail={"described_anew_by": describer},
    )  # fmt: skip
