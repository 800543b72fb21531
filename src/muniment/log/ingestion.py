"""One source of a run, from its admission to its end: stored, unchanged or failed, and none of the others touched."""

import asyncio
import json
import re
from dataclasses import replace
from datetime import datetime
from pathlib import PurePath
from typing import Any, Final
from uuid import UUID

from muniment.database.pool import Database, Row, Scope
from muniment.errors import MunimentError
from muniment.log.admission import AdmittedSource, admit_source, content_hash, raw_content, url_key
from muniment.log.attempts import persist
from muniment.log.conversations import join_conversations
from muniment.log.documents import (
    Document,
    current_hash,
    read_document,
    store_document,
    store_failure,
    store_unchanged,
)
from muniment.log.parts import Nesting, PartsOfARun, admitted_part, part_key, parts_of
from muniment.log.reading import one_by_one
from muniment.log.recognition import without_served
from muniment.log.runs import AlreadyFinished, Outcome, Ticket
from muniment.log.screening import Screen
from muniment.log.vectors import Embedding, Wait
from muniment.model.identifiers import RUN, new_id, public_id
from muniment.model.namespace import Namespace
from muniment.model.source import SourceInput
from muniment.sources.parsed import Part
from muniment.sources.registry import Choice, choose_format, objection

_OF_A_PART: Final = frozenset({"inside", "around"})  # of what is kept for a retry, what no caller gives


class SourceIngestion:
    """The sources of one run of one space."""

    def __init__(
        self, database: Database, tenant: int, space: int, namespace: Namespace, embedding: Embedding, wait: Wait,
        screen: Screen | None = None,
    ) -> None:  # fmt: skip
        self._database = database
        self._tenant = tenant
        self._space = space
        self._namespace = namespace
        self._embedding = embedding
        self._wait = wait
        self._screen = screen
        self._parts = PartsOfARun(database, tenant, space)

    async def make_room(self, scope: Scope, run_no: int, items: int, more: bool) -> int:
        """Makes room for more items in a run, after which yet ``more`` may follow; the number of the first of them.

        Raises ``run.not_found`` for one of messages or of another space, and ``quota.*`` where nothing more fits.
        """
        rows = await scope.rows("runs.read", runs=[run_no])
        if not rows or rows[0]["space_id"] != self._space or rows[0]["kind"] != "sources":
            raise MunimentError("run.not_found", "there is no run of sources of this id in this namespace")
        await self._database.quotas.require_room(self._tenant, scope)
        now: int = await scope.value("runs.grow", run_no=run_no, items=items, open=more)
        return now - items

    async def open_run(self, run_no: int, items: int, more: bool) -> str:
        """The public id of the run, which is made unless it is there already; ``more`` may follow in other requests."""

        async def attempt() -> UUID:
            async with self._database.scope(self._tenant, spaces=[self._space]) as scope:
                await scope.execute(
                    "runs.insert",
                    run_no=run_no,
                    space=self._space,
                    run_id=new_id(),
                    kind="sources",
                    items=items,
                    session=self._namespace.session_id,
                    open=more,
                )
                found: UUID = await scope.value("runs.id", run_no=run_no)
                return found

        return public_id(RUN, await persist(attempt))

    async def finished_items(self, run_no: int) -> set[int]:
        """Which items of a run have an end already."""
        async with self._database.scope(self._tenant, spaces=[self._space]) as scope:
            return {row["item_no"] for row in await scope.rows("runs.items", runs=[run_no], with_ids=False, first=0)}

    async def ingest(
        self, source: SourceInput, ticket: Ticket, refusal: MunimentError | None = None, upload: bytes | None = None
    ) -> None:
        """Ingests one source, screened but for the bytes of a path; whatever is wrong becomes the end of its item.

        With a ``refusal`` that is its end, and nothing of it is kept but its name. ``upload`` are its bytes, where they
        came beside it, not screened.

        Raises ``store.*`` only where not even that could be written.
        """
        if refusal is not None:
            await self._fail(ticket, source.source_key, {"kind": source.kind}, refusal, None)
            return
        kept, whole = _kept_input(source, self._namespace)
        settings = self._database.settings
        admitted: AdmittedSource | None = None
        try:
            admitted = await asyncio.to_thread(admit_source, source, settings, upload)
            if self._screen is not None and (source.path or source.kind == "url" or upload is not None):
                read, admitted = admitted, None
                admitted = await asyncio.to_thread(self._screen.admitted, read)
            await self._store(admitted, ticket, kept, Nesting.of(settings))
        except AlreadyFinished:
            return
        except MunimentError as error:
            data = None
            if self._screen is not None:  # only what was screened and could be read is kept
                kept, whole = ({"kind": source.kind}, False) if error.code == "policy.refused" else (kept, whole)
                data = None if admitted is None or not whole or _unread(error) else admitted.data
            elif whole:
                data = admitted.data if admitted else upload
                data = await asyncio.to_thread(raw_content, source, settings) if data is None else data
            key = admitted.source_key if admitted else source.called
            if key is None and "url" in kept:  # kept, so it holds no credentials
                key = url_key(kept["url"])
            await self._fail(ticket, key, kept, error, data)

    def can_retry(self, item: Row) -> bool:
        """Whether enough of a failed item's input was kept: its bytes, or where to find them."""
        return item["blob_sha256"] is not None or any(item["input"].get(name) for name in ("path", "url"))

    async def retry(self, item: Row, ticket: Ticket) -> None:
        """Ingests a failed item again from what was kept of it. Raises as ``ingest`` does."""
        kept = dict(item["input"])
        data: bytes | None = None
        try:
            source = SourceInput.model_validate({name: value for name, value in kept.items() if name not in _OF_A_PART})
            if item["blob_sha256"] is not None:
                async with self._database.scope(self._tenant, spaces=[self._space]) as scope:
                    data = await scope.value("sources.blob", space=self._space, sha256=item["blob_sha256"])
            admitted = await asyncio.to_thread(admit_source, source, self._database.settings, data)
            admitted = replace(admitted, around=kept.get("around", {}))
            if self._screen is not None:
                admitted = await asyncio.to_thread(self._screen.admitted, admitted)
            await self._store(admitted, ticket, kept, Nesting.of(self._database.settings))
            if "inside" in kept:
                await self._parts.link(kept["inside"], [admitted.source_key])
        except AlreadyFinished:
            return
        except MunimentError as error:
            if error.code == "policy.refused":
                kept, data = {"kind": kept["kind"]}, None
            await self._fail(ticket, item["source_key"], kept, error, data)

    async def _store(
        self, admitted: AdmittedSource, ticket: Ticket, kept: dict[str, Any], nesting: Nesting,
        choice: Choice | None = None,
    ) -> None:  # fmt: skip
        """Stores a source, what is inside it first: one that is stored and unchanged is whole."""
        database, tenant, space = self._database, self._tenant, self._space
        sha256 = await asyncio.to_thread(content_hash, admitted.data)

        async def unchanged() -> Outcome | None:
            if await current_hash(database, tenant, space, admitted.source_key) != sha256:
                return None
            return await store_unchanged(database, tenant, space, admitted, sha256, ticket, kept)

        if await persist(unchanged) is not None:
            return
        async with database.traffic.write(tenant):
            document = await read_document(
                admitted, self._embedding, self._wait, database.settings, self._screen, choice
            )
        keys = document.parsed.contains
        if document.nested:
            keys = await self._store_parts(admitted, document, ticket.run_no, nesting)
        async with database.traffic.write(tenant):
            document = await join_conversations(
                database, tenant, self._namespace, document, self._embedding, self._wait
            )
        if await current_hash(database, tenant, space, admitted.source_key) is None:  # versions are kept whole
            document = await without_served(database, tenant, self._namespace, document)
            if document.served and not document.parsed.chunks:
                outcome = Outcome("unchanged", admitted.source_key, input=kept, served=document.served)
                await persist(lambda: store_failure(database, tenant, space, ticket, outcome, None))
                return
        async with database.traffic.write(tenant):
            stored = await persist(
                lambda: store_document(
                    database, tenant, space, self._namespace, document, ticket, self._embedding, kept
                )
            )
        if keys is not None or (stored.source_version or 0) > 1:
            await self._parts.settle(admitted.source_key, keys or [], ticket.run_no)

    async def _store_parts(
        self, around: AdmittedSource, document: Document, run_no: int, nesting: Nesting
    ) -> list[str]:
        """Stores what is inside a source, each part alone; the keys of all that is a source.

        Raises ``policy.refused`` at the end where the tenant's policy took something out of a part, or refused it: the
        source's own bytes hold it all the same.
        """
        settings = self._database.settings
        keys: dict[str, None] = {}
        withheld = False
        async with one_by_one(parts_of(around, document.format, document.parsed, settings), settings) as parts:
            async for part in parts:
                nesting.take(part)
                key = part_key(around.source_key, part.key)
                if key in keys:
                    continue
                choice = await asyncio.to_thread(choose_format, part.data, part.media_type, part.filename)
                if part.error is None and objection(part.data, choice.format, part.filename) is not None:
                    continue
                keys[key] = None
                withheld |= await self._ingest_part(around, part, key, run_no, nesting, choice)
        if withheld:
            detail = "The policy masks or refuses something inside: the parts are there, the whole is not kept."
            raise MunimentError("policy.refused", detail)
        return list(keys)

    async def _ingest_part(
        self, around: AdmittedSource, part: Part, key: str, run_no: int, nesting: Nesting, choice: Choice
    ) -> bool:
        """Stores a part; whether the policy took anything out of it, or refused it."""
        ticket = await self._parts.new_item(run_no)
        admitted = admitted_part(around, part, key, self._database.settings)
        kept: dict[str, Any] = {"kind": "file", "filename": admitted.filename, "source_key": key}
        kept |= {"media_type": admitted.media_type, "language": admitted.language, "inside": around.source_key}
        kept |= {"metadata": admitted.metadata, "session_id": admitted.session_id, "commit": admitted.commit}
        kept |= {"title": admitted.title, "around": dict(admitted.around) or None}
        kept = {name: value for name, value in kept.items() if value is not None}
        nesting.depth += 1
        try:
            nesting.require_depth()
            if part.error is not None:
                raise part.error
            if self._screen is not None:
                admitted = await asyncio.to_thread(self._screen.admitted, admitted)
            # bytes in which something was masked may be of another format
            await self._store(admitted, ticket, kept, nesting, choice if admitted.data is part.data else None)
        except AlreadyFinished:
            pass
        except MunimentError as error:
            data: bytes | None = admitted.data
            if part.error is not None or (self._screen is not None and _unread(error)):
                data = None
            if error.code == "policy.refused":
                kept = {"kind": "file"}
            await self._fail(ticket, key, kept, error, data)
            if error.code == "policy.refused":
                return True
        finally:
            nesting.depth -= 1
        return admitted.data != part.data

    async def _fail(
        self, ticket: Ticket, key: str | None, kept: dict[str, Any], error: MunimentError, data: bytes | None
    ) -> None:
        if error.code.startswith("quota."):
            data = None  # what does not fit is not kept either: the caller still has it
        outcome = Outcome("failed", key, input=kept, error=error)
        try:
            await persist(lambda: store_failure(self._database, self._tenant, self._space, ticket, outcome, data))
        except AlreadyFinished:
            return


def _unread(error: MunimentError) -> bool:
    """Whether a source's bytes could not be read, so that nobody can say what they hold."""
    return error.code.startswith(("input.", "source.", "policy."))


def _kept_input(source: SourceInput, namespace: Namespace) -> tuple[dict[str, Any], bool]:
    """What a retry needs beside the bytes, and whether that is all of it: what jsonb cannot hold, and an address that
    holds credentials, are left out."""
    if "@" in re.split(r"[/?#]", (source.url or "").partition("//")[2], maxsplit=1)[0]:
        return {"kind": source.kind}, False
    kept = source.model_dump(exclude={"text", "content_base64"}, exclude_none=True)
    if namespace.session_id is not None:
        kept.setdefault("session_id", namespace.session_id)
    try:
        written = json.dumps(kept, ensure_ascii=False, allow_nan=False, default=_plain)
        written.encode()
    except ValueError:
        return {"kind": source.kind}, False
    if "\\u0000" in written:
        return {"kind": source.kind}, False
    return json.loads(written), True


def _plain(value: datetime | PurePath) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)
