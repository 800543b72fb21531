"""Records written by hand, through the real seal, for tests of the log that need nothing else of an ingest."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import text

from muniment.database.numbers import allocate
from muniment.database.pool import Database, Scope
from muniment.database.spaces import intern_space
from muniment.log.leaves import Spine, commitment, new_salt
from muniment.log.seal import Commit, NewEntry, seal
from muniment.model.identifiers import new_id
from muniment.model.namespace import Namespace

SAID = datetime(2026, 3, 1, 12, tzinfo=UTC)

INSERT_SOURCE = text(
    "insert into muniment.source (tenant_id, source_no, space_id, source_id, source_key, kind)"
    " values (:tenant, :source, :space, :id, :key, 'text')"
)
INSERT_GROUP = text(
    "insert into muniment.record_group (tenant_id, group_no, space_id, group_key, source_no)"
    " values (:tenant, :group, :space, :key, :source)"
)
INSERT_RECORDS = text(
    "insert into muniment.record (tenant_id, record_no, space_id, record_id, kind, modality, source_no,"
    " source_version, group_no, position, speaker, said_at, said_offset, locator, commitment)"
    " select :tenant, r.no, :space, r.id, 'raw', 'document', :source, 1, :group, r.n - 1, 'Maya', :said, 0,"
    " jsonb_build_object('turn', r.n - 1), r.commitment"
    " from unnest(cast(:numbers as bigint[]), cast(:ids as uuid[]), cast(:commitments as bytea[]))"
    " with ordinality as r (no, id, commitment, n)"
)
INSERT_CONTENT = text(
    "insert into muniment.record_content (tenant_id, record_no, space_id, salt, text)"
    " select :tenant, r.no, :space, r.salt, r.content"
    " from unnest(cast(:numbers as bigint[]), cast(:salts as bytea[]), cast(:texts as text[])) as r (no, salt, content)"
)


@dataclass
class Group:
    """Where seeded records go: one source with one version, one group, and numbers for its records."""

    tenant: int
    space: int
    source: int
    group: int
    source_id: UUID
    key: str
    numbers: range


async def new_group(database: Database, tenant: int, key: str, records: int) -> Group:
    """A source and a group of this key, of the namespace project atlas, user maya, for so many records."""
    space = await intern_space(database, tenant, Namespace(project_id="atlas", user_id="maya"))
    source = (await allocate(database, tenant, "source"))[0]
    number = (await allocate(database, tenant, "group"))[0]
    numbers = await allocate(database, tenant, "record", records)
    group = Group(tenant, space, source, number, new_id(), key, numbers)
    async with database.scope(tenant) as scope:
        names = {"tenant": tenant, "space": space, "source": source, "key": key}
        await scope.connection.execute(INSERT_SOURCE, names | {"id": group.source_id})
        await scope.connection.execute(INSERT_GROUP, names | {"group": number})
    return group


async def insert_records(scope: Scope, group: Group, texts: list[str]) -> list[NewEntry]:
    """Inserts records with these texts and returns their entries, not yet sealed."""
    numbers = list(group.numbers)
    ids = [new_id() for _ in texts]
    salts = [new_salt() for _ in texts]
    commitments = [commitment(salt, content, {}, {}) for salt, content in zip(salts, texts, strict=True)]
    common: dict[str, Any] = {"tenant": group.tenant, "space": group.space, "numbers": numbers}
    await scope.connection.execute(
        INSERT_RECORDS,
        common | {"source": group.source, "group": group.group, "said": SAID, "ids": ids, "commitments": commitments},
    )
    await scope.connection.execute(INSERT_CONTENT, common | {"salts": salts, "texts": texts})
    return [
        NewEntry(
            event="record", space=group.space, record_no=number, record_id=record_id,
            spine_digest=_spine(group, position, record_id, bound).digest(), group_no=group.group, position=position,
        )
        for position, (number, record_id, bound) in enumerate(zip(numbers, ids, commitments, strict=True))
    ]  # fmt: skip


def _spine(group: Group, position: int, record_id: UUID, bound: bytes) -> Spine:
    return Spine(
        record_id=record_id, kind="raw", modality="document", project_id="atlas", user_id="maya", agent_id=None,
        source_id=group.source_id, source_version=1, group_key=group.key, position=position, session_id=None,
        speaker="Maya", role=None, said_at=SAID, said_offset=0, event_from=None, event_to=None,
        locator={"turn": position}, trust=1.0, commitment=bound,
    )  # fmt: skip


async def write(database: Database, tenant: int, key: str, texts: list[str]) -> tuple[Commit, list[NewEntry]]:
    """One transaction that seals these texts as records of a new group."""
    group = await new_group(database, tenant, key, len(texts))
    async with database.scope(tenant, seconds=120) as scope:
        entries = await insert_records(scope, group, texts)
        return await seal(scope, entries, group.space), entries
