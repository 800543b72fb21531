"""The lexical index at scale: writing, merging and searching Zipf text in one tenant.

    python tests/benchmarks/lexical_scale.py [--records 100000] [--words 60] [--limit 500] [--cap 1000] [--store DIR]

Prints milliseconds for indexing a batch, for searches of 3, 8 and 12 words before and after the merge, under
row-level security and (as the superuser) without, against the plain sum, and the bytes on disk.
"""

import argparse
import asyncio
import random
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import text

from muniment.bench.scale_corpus import COMMON, VOCABULARY, vocabulary
from muniment.database.pool import Database
from muniment.database.setup import prepare
from muniment.settings import Settings
from muniment.tenancy.tenants import create_tenant

BATCH = 1000

_SOURCE = text("""
    with space as (insert into muniment.space (tenant_id, space_id) values (:tenant, 1)),
    source as (
      insert into muniment.source (tenant_id, source_no, space_id, source_id, source_key, kind)
      values (:tenant, 1, 1, gen_random_uuid(), 'bench', 'text'))
    insert into muniment.record_group (tenant_id, group_no, space_id, group_key, source_no)
    values (:tenant, 1, 1, 'g', 1)""")
_RECORDS = text("""
    with given as materialized (
      select cast(:first as bigint) + r.n as record_no, string_agg((cast(:words as text[]))[w.rank], ' ') as text
        from generate_series(0, cast(:count as integer) - 1) r(n)
       cross join lateral (
             select floor(power(cast(:vocabulary as float8), random() + 0 * r.n))::integer as rank
               from generate_series(1, (cast(:length as integer) * (0.5 + random() + 0 * r.n))::integer) i) w
       group by r.n),
    record as (
      insert into muniment.record
        (tenant_id, record_no, space_id, record_id, kind, modality, source_no, source_version, group_no, position,
         locator, commitment)
      select :tenant, record_no, 1, gen_random_uuid(), 'raw', 'document', 1, 1, 1, record_no, '{}', sha256('')
        from given),
    liveness as (
      insert into muniment.liveness (tenant_id, record_no, space_id, group_no, position, live_from_commit)
      select :tenant, record_no, 1, 1, record_no, 1 + record_no / 1000 from given)
    insert into muniment.record_content (tenant_id, record_no, space_id, salt, text)
    select :tenant, record_no, 1, sha256(''), text from given""")
_INDEX = text("""
    select muniment.index_records(cast(:tenant as bigint),
             (select array_agg(n) from generate_series(cast(:first as bigint), cast(:last as bigint)) n))""")
_MERGE = text("select muniment.merge_postings(cast(:tenant as bigint), 1, cast(:documents as integer))")
_REBUILD = text("select muniment.rebuild_lexical(cast(:tenant as bigint), 1, cast(:documents as integer))")
_VACUUM = [
    text("vacuum (full, analyze) muniment.posting_block"),
    text("vacuum (full, analyze) muniment.posting_tail"),
    text("vacuum (analyze)"),
]
_SEARCH = text("""
    select record_no, score from muniment.search_lexical(
      cast(:tenant as bigint), '{1}', :question, 'english', null, 1.2, 0.75,
      cast(:limit as integer), cast(:cap as integer))""")
_PLAIN = text("""
    select record_no, score from muniment.search_lexical_exhaustive(
      cast(:tenant as bigint), '{1}', :question, 'english', null, 1.2, 0.75,
      cast(:limit as integer))""")
_SIZES = text("""
    select c.relname, pg_table_size(c.oid) as heap, pg_indexes_size(c.oid) as indexes
      from pg_class c
     where c.relnamespace = 'muniment'::regnamespace
       and c.relname in ('posting_tail', 'posting_block', 'lexical_document') order by 1""")
_POSTINGS = text(
    "select coalesce(sum(documents), 0) from muniment.posting_block where tenant_id = :tenant and term <> ''"
)


def questions(words: Sequence[str], length: int, count: int) -> list[str]:
    """Questions whose words are as frequent as in the text, the commonest left out."""
    rng = random.Random(length)
    asked = []
    for _ in range(count):
        chosen: list[str] = []
        while len(chosen) < length:
            rank = int(VOCABULARY ** rng.random())
            if rank > COMMON:
                chosen.append(words[rank - 1])
        asked.append(" ".join(chosen))
    return asked


def spread(times: Sequence[float]) -> str:
    """Median and 95th percentile, in milliseconds."""
    ordered = sorted(1000 * each for each in times)
    return f"p50 {statistics.median(ordered):6.1f}  p95 {ordered[int(0.95 * (len(ordered) - 1))]:6.1f} ms"


async def measure(database: Database, tenant: int, asked: Sequence[str], statement: Any, **parameters: Any) -> Any:
    """The times of the questions, asked in turn in one scope, and what each found."""
    times, found = [], []
    async with database.scope(tenant) as scope:
        for question in [*asked[:5], *asked]:
            started = time.perf_counter()
            rows = await scope.connection.execute(statement, {"tenant": tenant, "question": question} | parameters)
            found.append([row.record_no for row in rows.all()])
            times.append(time.perf_counter() - started)
    return times[5:], found[5:]


async def search_all(database: Database, admin: Database, tenant: int, words: list[str], options: Any) -> None:
    """Prints the search times and how well the capped search agrees with the plain sum."""
    for length in (3, 8, 12):
        asked = questions(words, length, options.questions)
        bounds = {"limit": options.limit, "cap": options.cap}
        times, found = await measure(database, tenant, asked, _SEARCH, **bounds)
        bare, _ = await measure(admin, tenant, asked, _SEARCH, **bounds)
        plain, expected = await measure(database, tenant, asked[:20], _PLAIN, limit=options.limit)
        shares = [
            len(set(got[:10]) & set(want[:10])) / max(1, len(want[:10]))
            for got, want in zip(found, expected, strict=False)
        ]
        print(f"  {length:2} words: {spread(times)} | without RLS {spread(bare)} | plain sum {spread(plain)}"
              f" | overlap@10 {statistics.mean(shares):.3f}", flush=True)  # fmt: skip


async def seed(database: Database, tenant: int, words: list[str], options: Any) -> None:
    """Writes the records, indexing each batch, and prints how long the indexing took."""
    async with database.scope(tenant) as scope:
        await scope.connection.execute(_SOURCE, {"tenant": tenant})
    times = []
    for first in range(1, options.records, BATCH):
        async with database.scope(tenant, seconds=600) as scope:
            await scope.connection.execute(_RECORDS, {
                "tenant": tenant, "first": first, "count": BATCH, "words": words, "vocabulary": VOCABULARY,
                "length": options.words,
            })  # fmt: skip
            started = time.perf_counter()
            await scope.connection.execute(_INDEX, {"tenant": tenant, "first": first, "last": first + BATCH - 1})
            times.append(time.perf_counter() - started)
    print(f"indexing {BATCH} records of about {options.words} words: {spread(times)}", flush=True)


async def vacuum(admin: Database) -> None:
    """Brings the tables to their size and the planner its figures."""
    async with admin.engine.connect() as connection:
        raw = await connection.execution_options(isolation_level="AUTOCOMMIT")
        for statement in _VACUUM:
            await raw.execute(statement)


async def print_sizes(admin: Database, tenant: int, records: int) -> None:
    """Prints what the index takes on disk."""
    async with admin.engine.connect() as connection:
        postings = (await connection.execute(_POSTINGS, {"tenant": tenant})).scalar_one()
        for row in (await connection.execute(_SIZES)).all():
            total = row.heap + row.indexes
            line = f"  {row.relname}: {total / 2**20:.0f} MiB, {total / records:.0f} bytes a record"
            if postings and row.relname == "posting_block":
                line += f", {total / postings:.1f} bytes a posting"
            print(line)


async def run(options: argparse.Namespace, store: Path) -> None:
    """The whole benchmark on the store."""
    settings = Settings(data_dir=store)
    prepared = prepare(settings)
    assert prepared.admin_url is not None
    database, admin = Database(prepared.app_url, settings), Database(prepared.admin_url, settings)
    words = vocabulary()
    try:
        tenant = (await create_tenant(database, "bench")).number
        await seed(database, tenant, words, options)
        await vacuum(admin)
        print("all in the tail")
        await print_sizes(admin, tenant, options.records)
        await search_all(database, admin, tenant, words, options)
        for number, documents in enumerate(options.block_documents):
            started = time.perf_counter()
            async with database.scope(tenant, seconds=600) as scope:
                statement = _REBUILD if number else _MERGE
                await scope.connection.execute(statement, {"tenant": tenant, "documents": documents})
            print(f"packed into blocks of {documents} in {time.perf_counter() - started:.1f} s")
            await vacuum(admin)
            await print_sizes(admin, tenant, options.records)
            await search_all(database, admin, tenant, words, options)
    finally:
        await database.close()
        await admin.close()
        prepared.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--records", type=int, default=100_000)
    parser.add_argument("--words", type=int, default=60)
    parser.add_argument("--limit", type=int, default=500)
    parser.add_argument("--cap", type=int, default=1000)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--block-documents", type=int, nargs="+", default=[256])
    parser.add_argument("--store", type=Path, help="keeps the store here; a temporary directory otherwise")
    options = parser.parse_args()
    if options.store is not None:
        asyncio.run(run(options, options.store))
        return
    with tempfile.TemporaryDirectory() as directory:
        asyncio.run(run(options, Path(directory)))


if __name__ == "__main__":
    main()
