"""Merging the tail and rebuilding: what is found and counted never changes, whatever happens meanwhile."""

import asyncio
import random
from typing import Any

import pytest
from lexical_corpus import Corpus
from sqlalchemy import text

_MERGE = text("select muniment.merge_postings(cast(:tenant as bigint), :space, :documents)")
_REBUILD = text("select muniment.rebuild_lexical(cast(:tenant as bigint), :space, :documents)")
_TAIL = text("select writes, documents from muniment.tail_sizes(cast(:tenant as bigint)) where space_id = :space")
_POSTINGS = text("""
    select u.term, t.space_id, u.record_no, u.tf, u.length
      from muniment.posting_tail t, muniment.unpack_tail(t.terms, t.ends, t.records, t.counts, t.lengths) u
    union all
    select term, space_id, unnest(records), unnest(counts), unnest(lengths) from muniment.posting_block
     order by 1, 2, 3""")
_BLOCKS = text("select * from muniment.posting_block order by tenant_id, term, space_id, first_record")
_ROWS = text("select count(*) from muniment.posting_tail")
_FORWARD = text("select record_no, length, asks, hashes, counts from muniment.lexical_document order by 1")
_SUMS = text("""
    select count(*) from muniment.posting_block
     where term <> '' and (documents <> cardinality(records) or documents <> cardinality(counts)
        or total_length <> (select sum(l) from unnest(lengths) l) or first_record <> records[1])""")


def _texts(rng: random.Random, count: int) -> list[str]:
    words = ["red", "green", "blue", "dog", "dogs", "running", "src/app.py", "harbour", "v1.2", "Maya's"]
    return [" ".join(rng.choices(words, k=rng.randint(1, 9))) for _ in range(count)]


async def _content(corpus: Corpus) -> tuple[Any, Any]:
    return await corpus.run(_POSTINGS), await corpus.statistics("", "~dog", "red", "src/app.py", spaces=[1, 2])


@pytest.mark.parametrize("seed", range(6))
async def test_any_order_of_writes_and_merges_keeps_every_posting_once(corpus: Corpus, seed: int) -> None:
    rng = random.Random(seed)
    size = rng.choice([1, 3, 8])
    await corpus.add("red dog", space=1)
    await corpus.add("red dog", space=2)
    for _ in range(12):
        space = rng.choice([1, 1, 2])
        if rng.random() < 0.5:
            await corpus.add(*_texts(rng, rng.randint(1, 7)), space=space)
        before = await _content(corpus)
        found = await corpus.search("red dogs", spaces=[1, 2], limit=100)
        await corpus.run(_MERGE, space=space, documents=size)
        assert await _content(corpus) == before
        assert await corpus.search("red dogs", spaces=[1, 2], limit=100) == found
        assert await corpus.run(_SUMS) == [(0,)]


async def test_a_merge_returns_the_rows_it_packed_and_leaves_no_tail(corpus: Corpus) -> None:
    await corpus.add("red dogs", "blue dogs")
    await corpus.add("green", space=2)
    assert await corpus.run(_TAIL, space=1) == [(1, 2)]
    assert await corpus.run(_MERGE, space=1, documents=4) == [(2,)]  # one for the write and one for its lists
    assert await corpus.run(_TAIL, space=1) == []
    assert await corpus.run(_TAIL, space=2) == [(1, 1)]
    assert await corpus.run(_MERGE, space=1, documents=4) == [(0,)]


async def test_blocks_are_filled_before_new_ones_open(corpus: Corpus) -> None:
    for _ in range(10):
        await corpus.add("dog")
        await corpus.run(_MERGE, space=1, documents=4)
    blocks = await corpus.run(_BLOCKS)
    assert [row.documents for row in blocks if row.term == "=dog"] == [4, 4, 2]
    assert [row.documents for row in blocks if row.term == ""] == [10]


async def test_a_rebuild_gives_the_rows_of_a_whole_merge(corpus: Corpus) -> None:
    rng = random.Random(7)
    for _ in range(5):
        await corpus.add(*_texts(rng, 9))
    await corpus.add(*_texts(rng, 5), space=2)
    await corpus.run(_MERGE, space=1, documents=6)
    await corpus.run(_MERGE, space=2, documents=6)
    merged, forward = await corpus.run(_BLOCKS), await corpus.run(_FORWARD)
    assert await corpus.run(_REBUILD, space=1, documents=6) == [(45,)]
    assert (await corpus.run(_BLOCKS), await corpus.run(_FORWARD)) == (merged, forward)
    assert await corpus.run(_ROWS) == [(0,)]


async def test_a_rebuild_recovers_records_that_lost_their_rows(corpus: Corpus) -> None:
    await corpus.add("a lost dog", "a found dog")
    lost = await corpus.add("a hidden dog", index=False)
    assert len(await corpus.found("dog")) == 2
    await corpus.run(_REBUILD, space=1, documents=6)
    assert await corpus.found("hidden dog", limit=1) == lost
    assert len(await corpus.found("dog")) == 3


async def test_two_merges_and_writers_at_once_lose_and_double_nothing(corpus: Corpus) -> None:
    rng = random.Random(3)
    for _ in range(6):
        await corpus.add(*_texts(rng, 4))
    await asyncio.gather(
        *(corpus.run(_MERGE, space=1, documents=5) for _ in range(3)),
        corpus.add("a late dog"),
        corpus.run(_REBUILD, space=1, documents=5),
    )
    await corpus.run(_MERGE, space=1, documents=5)
    content = await corpus.run(_POSTINGS)
    await corpus.run(_REBUILD, space=1, documents=5)
    assert await corpus.run(_POSTINGS) == content
    assert await corpus.statistics("") == {"": (25, (await corpus.statistics(""))[""][1])}


async def test_a_merge_waits_for_the_one_before_it(corpus: Corpus) -> None:
    await corpus.add("dog")
    async with corpus.database.scope(corpus.tenant) as scope:
        await corpus.run(_MERGE, scope, space=1, documents=4)
        second = asyncio.create_task(corpus.run(_MERGE, space=1, documents=4))
        await asyncio.sleep(0.3)
        assert not second.done()
    assert await second == [(0,)]
    assert len(await corpus.found("dog")) == 1


async def test_a_search_during_a_merge_finds_what_it_found_before(corpus: Corpus) -> None:
    await corpus.add("dog", "dog dog")
    before = await corpus.search("dog")
    async with corpus.database.scope(corpus.tenant) as scope:
        await corpus.run(_MERGE, scope, space=1, documents=4)
        assert await corpus.search("dog") == before  # another connection: still the tail
        inside = await corpus.search("dog", scope=scope)  # the merging transaction itself: the blocks
    assert inside == before
    assert await corpus.search("dog") == before


async def test_a_rebuild_beside_an_open_merge_doubles_nothing(corpus: Corpus) -> None:
    await corpus.add("dog", "red dog")
    before = await corpus.run(_POSTINGS)
    async with corpus.database.scope(corpus.tenant) as scope:
        await corpus.run(_MERGE, scope, space=1, documents=4)
        rebuild = asyncio.create_task(corpus.run(_REBUILD, space=1, documents=4))
        await asyncio.sleep(0.3)
        assert not rebuild.done()
    await rebuild
    assert await corpus.run(_POSTINGS) == before
    assert await corpus.statistics("") == {"": (2, 3)}
