"""What ranking is told of its candidates' words: how often each term stands in them, and whether they end by asking."""

import psycopg
import pytest
from lexical_corpus import Corpus
from sqlalchemy import text

from muniment.database.files import migrations_directory
from muniment.database.setup import driver_conninfo

_DESCRIBED = text("""
    select records, count_candidates, count_terms, counts
      from muniment.describe_candidates(
             cast(:tenant as bigint), '{1}', cast(:records as bigint[]), '{}', 0, 100, cast(:counted as bigint[]),
             cast(:terms as text[]), '{}', 1, null)""")
_ASKS = text("select record_no, asks from muniment.lexical_document where tenant_id = :tenant order by 1")
_PACK = text("select muniment.merge_postings(cast(:tenant as bigint), 1, 256)")
TERMS = ["kayak", "river", "the", "absent", "~paddl"]


async def _counts(corpus: Corpus, records: list[int], counted: list[int] | None) -> dict[tuple[int, str], int]:
    (row,) = await corpus.run(_DESCRIBED, records=records, counted=counted, terms=TERMS)
    return {
        (row.records[candidate - 1], TERMS[term - 1]): count
        for candidate, term, count in zip(row.count_candidates, row.count_terms, row.counts, strict=True)
    }


@pytest.mark.parametrize("packed", [False, True])
async def test_counts_are_how_often_each_term_stands_in_each_visible_record(corpus: Corpus, packed: bool) -> None:
    first, second, third, empty, _ = await corpus.add(
        "the kayak, the river", "paddling the river river", "nothing", "", "kayak kayak kayak"
    )
    (other,) = await corpus.add("the kayak in another space", space=2)
    if packed:
        await corpus.run(_PACK)
    assert await _counts(corpus, [first, second, third, empty, other], None) == {
        (first, "kayak"): 1, (first, "river"): 1, (first, "the"): 2,
        (second, "river"): 2, (second, "the"): 1, (second, "~paddl"): 1,
    }  # fmt: skip


async def test_only_the_records_that_are_to_be_counted_are(corpus: Corpus) -> None:
    first, second = await corpus.add("kayak kayak", "kayak river")
    assert await _counts(corpus, [first, second], [second]) == {(second, "kayak"): 1, (second, "river"): 1}
    assert await _counts(corpus, [first, second], []) == {}


async def test_a_record_asks_where_its_text_ends_in_a_question_mark_whatever_its_fields_are(corpus: Corpus) -> None:
    fields = [{"answer": "none"}, {"why": "because?"}, {}, {}, {}]
    await corpus.add("Which river? ", "The Inn.", "何ですか\uff1f", "Why? Because.", "", fields=fields)
    assert [row.asks for row in await corpus.run(_ASKS)] == [True, False, True, False, False]


async def test_a_store_that_was_there_before_is_told_which_of_its_records_ask(corpus: Corpus, admin_url: str) -> None:
    await corpus.add("Which river?", "The Inn.")
    script = migrations_directory() / "versions" / "0004_lexical_asks.sql"
    with psycopg.connect(driver_conninfo(admin_url)) as connection:
        connection.execute("alter table muniment.lexical_document drop column asks")
        connection.execute("set role muniment_owner")  # as a migration runs; row security would hide every row
        connection.execute(script.read_bytes())
        forced = connection.execute(
            "select relforcerowsecurity from pg_class where oid in "
            "('muniment.lexical_document'::regclass, 'muniment.record_content'::regclass)"
        ).fetchall()
    assert forced == [(True,), (True,)]
    assert [row.asks for row in await corpus.run(_ASKS)] == [True, False]


async def test_a_store_that_named_terms_by_words_gets_their_hashes_and_keeps_their_counts(
    corpus: Corpus, admin_url: str
) -> None:
    await corpus.add("the kayak, the river?", "src/app.py and Straße", "")
    script = migrations_directory() / "versions" / "0010_forward_hashes.sql"
    rows = "select record_no, length, asks, cardinality(counts) from muniment.lexical_document order by 1"
    held = """
        select d.record_no, k.term
          from muniment.lexical_document d
          join muniment.record_content c on c.tenant_id = d.tenant_id and c.record_no = d.record_no
         cross join lateral muniment.tokenize(c.text, 'english') k
         where muniment.count_of(k.term, d.hashes, d.counts) is distinct from k.occurrences"""
    with psycopg.connect(driver_conninfo(admin_url)) as connection, connection.transaction(force_rollback=True):
        connection.execute("alter table muniment.lexical_document rename to written")
        connection.execute("alter table muniment.written rename constraint lexical_document_pkey to written_pkey")
        connection.execute("""
            create table muniment.lexical_document (
              tenant_id bigint, record_no bigint, space_id bigint not null, length integer not null,
              terms text[] collate "C" not null, counts smallint[] not null, asks boolean not null default false,
              constraint lexical_document_pkey primary key (tenant_id, record_no))""")
        connection.execute("""
            insert into muniment.lexical_document
            select d.tenant_id, d.record_no, d.space_id, d.length, coalesce(t.terms, '{}'), coalesce(t.counts, '{}'),
                   d.asks
              from muniment.written d
              join muniment.record_content c on c.tenant_id = d.tenant_id and c.record_no = d.record_no
             cross join lateral (select array_agg(k.term order by k.term collate "C") as terms,
                                        array_agg(k.occurrences::smallint order by k.term collate "C") as counts
                                   from muniment.tokenize(c.text, 'english') k) t""")
        expected = connection.execute(rows).fetchall()
        connection.execute("alter table muniment.lexical_document owner to muniment_owner")
        connection.execute("alter table muniment.lexical_document enable row level security, force row level security")
        connection.execute("set local role muniment_owner")
        connection.execute(script.read_bytes())
        connection.execute("reset role")
        assert connection.execute(rows).fetchall() == expected != []
        assert connection.execute(held).fetchall() == []
