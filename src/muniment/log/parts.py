"""Sources inside sources: how much of them there may be, their keys, and what happens when one is no longer there."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Final

from muniment.database.pool import Database, Row
from muniment.errors import MunimentError
from muniment.log.admission import AdmittedSource, admit_time
from muniment.log.attempts import persist
from muniment.log.lifecycle import retract
from muniment.log.runs import Outcome, Ticket, finish_item
from muniment.model.identifiers import SOURCE, public_id
from muniment.settings import Settings
from muniment.sources.format import Format
from muniment.sources.isolation import unpack_isolated
from muniment.sources.parsed import Origin, Parsed, Part

_MAX_KEY: Final = 256
_DIGEST: Final = 16
_CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f]")


@dataclass(slots=True)
class Nesting:
    """How deep one is inside the source that a run was given, and what may still come out of it."""

    depth: int
    items: int
    bytes: int
    settings: Settings

    @classmethod
    def of(cls, settings: Settings) -> "Nesting":
        return cls(0, settings.max_source_items, settings.max_expanded_bytes, settings)

    def take(self, part: Part) -> None:
        """Counts a part; raises ``source.too_complex`` or ``input.too_large`` where it is one too much."""
        self.items -= 1
        self.bytes -= len(part.data)
        if self.items < 0:
            limit = self.settings.max_source_items
            raise MunimentError(
                "source.too_complex", f"There are more than {limit} sources inside the source.", limit=limit,
                setting="MUNIMENT_MAX_SOURCE_ITEMS",
            )  # fmt: skip
        if self.bytes < 0:
            limit = self.settings.max_expanded_bytes
            raise MunimentError(
                "input.too_large", f"Unpacked, the source has more than {limit} bytes.", limit=limit,
                setting="MUNIMENT_MAX_EXPANDED_BYTES",
            )  # fmt: skip

    def require_depth(self) -> None:
        """Raises ``source.too_complex`` where nothing deeper may be read."""
        limit = self.settings.max_source_depth
        if self.depth > limit:
            raise MunimentError(
                "source.too_complex", f"The source is inside more than {limit} others.", limit=limit,
                setting="MUNIMENT_MAX_SOURCE_DEPTH",
            )  # fmt: skip


def part_key(around: str, key: str) -> str:
    """``around!/key``; where that is too long for a key, or has control characters, its beginning and its digest."""
    whole = f"{around}!/{key}"
    shown = _CONTROLS.sub("?", whole.encode(errors="replace").decode())
    if shown == whole and len(whole) <= _MAX_KEY:
        return whole
    digest = sha256(whole.encode(errors="surrogatepass")).hexdigest()[:_DIGEST]
    return f"{shown[: _MAX_KEY - _DIGEST - 1]}~{digest}"


def parts_of(source: AdmittedSource, chosen: Format, parsed: Parsed, settings: Settings) -> Iterator[Part]:
    """The parts of a source that was read, those last that are unpacked one by one. Blocks between them."""
    yield from parsed.parts
    if chosen.unpack is None:
        return
    origin = Origin(
        source.kind, source.source_key, source.filename, chosen.media_types[0], source.title, parsed.language, settings
    )
    if chosen.isolated:
        yield from unpack_isolated(chosen, source.data, origin)
    else:
        yield from chosen.unpack(source.data, origin)


def admitted_part(around: AdmittedSource, part: Part, key: str, settings: Settings) -> AdmittedSource:
    """A part as a source; what its source says of time, language and metadata holds for it too."""
    said = around.said
    with suppress(MunimentError):  # a time that cannot be is nobody's mistake
        said = admit_time(part.at, settings) or said
    filename = part.filename and _CONTROLS.sub("?", part.filename.encode(errors="replace").decode())[:_MAX_KEY]
    return replace(
        around, kind="file", data=part.data, filename=filename, media_type=part.media_type, source_key=key,
        title=part.title, said=said, around=part.place,
    )  # fmt: skip


class PartsOfARun:
    """The parts that one run finds, as items of it."""

    def __init__(self, database: Database, tenant: int, space: int) -> None:
        self._database = database
        self._tenant = tenant
        self._space = space

    async def new_item(self, run_no: int) -> Ticket:
        """The right to finish an item that the run did not begin with."""

        async def attempt() -> int:
            async with self._database.scope(self._tenant, spaces=[self._space]) as scope:
                items: int = await scope.value("runs.grow", run_no=run_no, items=1, open=None)
                return items

        return Ticket(run_no, await persist(attempt) - 1)

    async def link(self, source_key: str, keys: Sequence[str]) -> None:
        """Says that sources are inside another; nothing where that one is not stored."""

        async def attempt() -> None:
            async with self._database.scope(self._tenant, spaces=[self._space]) as scope:
                row = await scope.row("sources.find", space=self._space, source_key=source_key)
                if row is not None:
                    parent = row["source_no"]
                    await scope.execute("sources.link_parts", space=self._space, parent=parent, keys=list(keys))

        await persist(attempt)

    async def settle(self, source_key: str, keys: Sequence[str], run_no: int) -> None:
        """Says what is inside a source that was just stored, and archives what no longer is.

        What was inside before and has another key now is retracted, with all that is inside it, and becomes an item of
        the run.
        """

        if keys:
            await self.link(source_key, keys)

        async def attempt() -> Sequence[Row]:
            async with self._database.scope(self._tenant, spaces=[self._space]) as scope:
                row = await scope.row("sources.find", space=self._space, source_key=source_key)
                if row is None:
                    return []
                return await scope.rows("sources.vanished_parts", parent=row["source_no"], keys=list(keys))

        for gone in await persist(attempt):
            await self._archive(gone, source_key, run_no)

    async def _archive(self, gone: Row, source_key: str, run_no: int) -> None:
        source_id = public_id(SOURCE, gone["source_id"])
        try:
            await persist(lambda: retract(self._database, self._tenant, source_id, "no longer inside its source"))
        except MunimentError as error:
            if error.code != "record.not_live":  # nothing of it counted any more
                raise
        ticket = await self.new_item(run_no)
        outcome = Outcome(
            "archived", gone["source_key"], gone["source_no"], source_version=gone["version"],
            input={"kind": "file", "inside": source_key},
        )  # fmt: skip

        async def attempt() -> None:
            async with self._database.scope(self._tenant, spaces=[self._space]) as scope:
                await finish_item(scope, self._space, ticket, outcome)

        await persist(attempt)
        await self.settle(gone["source_key"], [], run_no)
