"""What ranking is told of its candidates' words: how often each term stands in them, and whether they end by asking."""

import psycopg
import pytest
from lexical_corpus import Corpus
from sqlalchemy import text

from muniment.database.files import migrations_directory
from muniment.database.setup import driver_conninfo

_COUNT = text("""
    select record_no, place, count from muniment.count_terms(
      cast(:tenant as bigint), cast(:spaces as bigint[]), cast(:records as bigint[]), cast(:terms as text[]),
      cast(:documents as bigint[])) order by 1, 2""")
_FORWARD = text("""
    select d.record_no, q.place, w.count
      from muniment.lexical_document d, unnest(d.terms, d.counts) w (term, count),
           unnest(cast(:terms as text[])) with ordinality q (term, place)
     where d.tenant_id = :tenant and d.record_no = any (cast(:records as bigint[])) and w.term = q.term
     order by 1, 2""")
_ASKS = text("select record_no, asks from muniment.lexical_document where tenant_id = :tenant order by 1")
_PACK = text("select muniment.merge_postings(cast(:tenant as bigint), 1, 256)")
TERMS = ["kayak", "river", "the", "absent", "~paddl"]


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("documents", [[1, 1, 1, 1, 1], [10**6] * 5, [1, 10**6, 1, 10**6, 1]])
async def test_counts_are_the_forward_rows_whichever_way_they_are_taken(
    corpus: Corpus, packed: bool, documents: list[int]
) -> None:
    records = await corpus.add("the kayak, the river", "paddling the river river", "nothing", "", "kayak kayak kayak")
    other = await corpus.add("the kayak in another space", space=2)
    if packed:
        await corpus.run(_PACK)
    asked = {"spaces": [1], "records": records[:4], "terms": TERMS, "documents": documents}
    found = [tuple(row) for row in await corpus.run(_COUNT, **asked)]
    assert found == [tuple(row) for row in await corpus.run(_FORWARD, records=records[:4], terms=TERMS)]
    assert (records[0], 3, 2) in found and (records[1], 2, 2) in found
    assert not {record for record, _, _ in found} & {*other, records[4]}


async def test_a_term_that_no_visible_document_holds_is_not_looked_for(corpus: Corpus) -> None:
    records = await corpus.add("kayak")
    asked = {"spaces": [1], "records": records, "terms": ["kayak"], "documents": [0]}
    assert await corpus.run(_COUNT, **asked) == []


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
