"""Records with nothing but text, written as the service writes them, for tests of the lexical index."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import text

from muniment.database.pool import Database, Scope

_MAKE_SPACE = text("""
    with space as (
      insert into muniment.space (tenant_id, space_id, project_id) values (:tenant, :space, 'space ' || :space)
      on conflict do nothing returning space_id),
    source as (
      insert into muniment.source (tenant_id, source_no, space_id, source_id, source_key, kind)
      select :tenant, space_id, space_id, gen_random_uuid(), 'source', 'text' from space returning space_id),
    version as (
      insert into muniment.source_version
        (tenant_id, source_no, version, space_id, media_type, language, bytes, records, live_from_commit)
      select :tenant, space_id, 1, space_id, 'text/plain', cast(:language as text), 0, 0, 1 from source)
    insert into muniment.record_group (tenant_id, group_no, space_id, group_key, source_no)
    select :tenant, space_id, space_id, 'group', space_id from source""")
_INSERT = text("""
    with given as (
      select t.text, t.fields, (:first + t.number)::bigint as record_no
        from unnest(cast(:texts as text[]), cast(:fields as text[])) with ordinality t(text, fields, number)),
    record as (
      insert into muniment.record
        (tenant_id, record_no, space_id, record_id, kind, modality, source_no, source_version, group_no, position,
         locator, commitment)
      select :tenant, record_no, :space, gen_random_uuid(), 'raw', 'document', :space, 1, :space, record_no,
             '{}', sha256('') from given),
    liveness as (
      insert into muniment.liveness (tenant_id, record_no, space_id, group_no, position, live_from_commit)
      select :tenant, record_no, :space, :space, record_no, :commit from given)
    insert into muniment.record_content (tenant_id, record_no, space_id, salt, text, fields)
    select :tenant, record_no, :space, sha256(''), text, fields::jsonb from given""")
_LAST = text("select coalesce(max(record_no), 0) from muniment.record where tenant_id = :tenant")
_INDEX = text("select muniment.index_records(cast(:tenant as bigint), cast(:records as bigint[]))")
_HEAD = text("update muniment.log_head set commits = :commit where tenant_id = :tenant")
_CLOSE = text("""
    update muniment.liveness set live_to_commit = :commit
     where tenant_id = :tenant and record_no = any(cast(:records as bigint[]))""")
_SEARCH = text("""
    select record_no, score from muniment.search_lexical(
      cast(:tenant as bigint), cast(:spaces as bigint[]), :question, :language, cast(:known_at as bigint),
      cast(:k1 as float8), cast(:b as float8), cast(:limit as integer), cast(:cap as integer))""")
_EXHAUSTIVE = text("""
    select record_no, score from muniment.search_lexical_exhaustive(
      cast(:tenant as bigint), cast(:spaces as bigint[]), :question, :language, cast(:known_at as bigint),
      cast(:k1 as float8), cast(:b as float8), cast(:limit as integer))""")
_STATISTICS = text("""
    select term, documents, total_length from muniment.lexical_statistics(
      cast(:tenant as bigint), cast(:spaces as bigint[]), cast(:terms as text[]))""")


class Corpus:
    """The records of one tenant. ``commit`` counts the writes, like the log's commits."""

    def __init__(self, database: Database, tenant: int) -> None:
        self.database = database
        self.tenant = tenant
        self.commit = 0

    async def run(self, statement: Any, scope: Scope | None = None, **parameters: Any) -> list[Any]:
        """The rows of the statement, in a scope of its own unless one is given."""
        if scope is None:
            async with self.database.scope(self.tenant) as opened:
                return await self.run(statement, opened, **parameters)
        done = await scope.connection.execute(statement, parameters | {"tenant": self.tenant})
        return list(done.all()) if done.returns_rows else []

    async def add(
        self,
        *texts: str,
        space: int = 1,
        fields: Sequence[Mapping[str, str]] | None = None,
        language: str = "english",
        index: bool = True,
    ) -> list[int]:
        """Writes and indexes the texts in one commit; returns their record numbers."""
        self.commit += 1
        async with self.database.scope(self.tenant) as scope:
            await self.run(_HEAD, scope, commit=self.commit)
            await self.run(_MAKE_SPACE, scope, space=space, language=language)
            first: int = (await self.run(_LAST, scope))[0][0]
            records = [first + number for number in range(1, len(texts) + 1)]
            await self.run(
                _INSERT,
                scope,
                space=space,
                first=first,
                texts=list(texts),
                fields=[json.dumps(dict(each)) for each in fields or [{}] * len(texts)],
                commit=self.commit,
            )
            if index:
                await self.run(_INDEX, scope, records=records)
        return records

    async def close(self, *records: int) -> None:
        """Closes the records in a commit of their own."""
        self.commit += 1
        async with self.database.scope(self.tenant) as scope:
            await self.run(_HEAD, scope, commit=self.commit)
            await self.run(_CLOSE, scope, records=list(records), commit=self.commit)

    async def search(
        self, question: str, *, exhaustive: bool = False, spaces: Sequence[int] = (1,), known_at: int | None = None,
        limit: int = 10, cap: int = 1_000_000, language: str = "english", scope: Scope | None = None,
    ) -> list[tuple[int, float]]:  # fmt: skip
        """Record numbers and scores, best first, by ``search_lexical`` or by the plain sum."""
        found = await self.run(
            _EXHAUSTIVE if exhaustive else _SEARCH, scope,
            spaces=list(spaces), question=question, language=language, known_at=known_at, k1=1.5, b=0.75, limit=limit,
            **({} if exhaustive else {"cap": cap}),
        )  # fmt: skip
        return [(row.record_no, row.score) for row in found]

    async def found(self, question: str, **parameters: Any) -> list[int]:
        """The record numbers of ``search``."""
        return [record for record, _ in await self.search(question, **parameters)]

    async def statistics(self, *terms: str, spaces: Sequence[int] = (1,)) -> dict[str, tuple[int, int]]:
        """Documents and total length of each term."""
        rows = await self.run(_STATISTICS, terms=list(terms), spaces=list(spaces))
        return {row.term: (row.documents, row.total_length) for row in rows}
