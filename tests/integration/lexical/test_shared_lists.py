"""A word that is its own stem stands in one list: what is counted, found and scored is what the raw texts say."""

import math
import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import psycopg
import pytest
from lexical_corpus import Corpus
from sqlalchemy import text

from muniment.database.files import migrations_directory
from muniment.database.queries import query
from muniment.database.setup import driver_conninfo

_TOKENIZE = text("select term, occurrences from muniment.tokenize(:text, :language)")
_ASKED = text("select term, weight from muniment.question_terms(:question, :language)")
_WEIGHED = text("""
    select array_agg(term) as terms, array_agg(weight) as weights, min(mean_length) as mean_length
      from muniment.weigh_terms(cast(:tenant as bigint), cast(:spaces as bigint[]), :question, :language)""")
_NARROWED = text("""
    select record_no, score
      from muniment.score_records(cast(:tenant as bigint), cast(:records as bigint[]), cast(:terms as text[]),
             cast(:weights as float8[]), :mean_length, 1.5, 0.75, 1000)""")
_DESCRIBED = text("""
    select records, count_candidates, count_terms, counts
      from muniment.describe_candidates(cast(:tenant as bigint), '{1,2,3}', cast(:records as bigint[]), '{}', 0, 1000,
             null, cast(:terms as text[]), '{}', 1, null)""")
_COUNTED = text("""
    select d.record_no, t.term, muniment.count_of(t.term, d.hashes, d.counts) as count
      from muniment.lexical_document d, unnest(cast(:terms as text[])) t (term)
     where d.tenant_id = :tenant and muniment.count_of(t.term, d.hashes, d.counts) is not null""")
_OVERLAPS = text("""
    select record_no, overlap
      from muniment.score_times(cast(:tenant as bigint), '{1,2,3}', cast(:records as bigint[]), 1000, :question,
             'english', null, null, 1, false, '{1,1,1,1}', 1000)""")
_OF_LOG = text("""
    select d.record_no
      from muniment.lexical_document d
      left join muniment.documents_of_log(:tenant, (select array_agg(e.record_no) from muniment.lexical_document e
                                                     where e.tenant_id = :tenant)) l on l.record_no = d.record_no
     where d.tenant_id = :tenant
       and (d.hashes, d.counts, d.length::bigint) is distinct from (l.hashes, l.counts, l.length)""")
_MERGE = text("select muniment.merge_postings(cast(:tenant as bigint), :space, :documents)")
_LISTS = """
    select term, record_no, tf
      from (select u.term, u.record_no, u.tf
              from muniment.posting_tail t, muniment.unpack_tail(t.terms, t.ends, t.records, t.counts, t.lengths) u
            union all
            select term, unnest(records), unnest(counts) from muniment.posting_block) p
     order by record_no, term collate "C\""""
_BLOCKS = "select * from muniment.posting_block order by tenant_id, term, space_id, first_record"
_FORWARD = "select * from muniment.lexical_document order by tenant_id, record_no"
_LANGUAGES = {1: "english", 2: "german", 3: "simple"}

# own stems, words that have another, a stop word that is the stem of one that is none (ares), numbers, parts of
# identifiers, words with accents
_WORDS = ["walk", "walks", "walking", "dog", "dogs", "light", "lights", "hand", "hände", "are", "ares", "the", "2023"]
_WORDS += ["WalkDog", "dog_walk", "src/walk.py", "café", "cafe", "run", "ß" * 40, "東京"]


class Texts:
    """What was written, and BM25 over it as the specification says, term by term."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        self.terms: dict[int, Counter[str]] = {}
        self.spaces: dict[int, int] = {}

    async def add(self, space: int, *texts: str) -> None:
        records = await self.corpus.add(*texts, space=space, language=_LANGUAGES[space])
        for record, written in zip(records, texts, strict=True):
            rows = await self.corpus.run(_TOKENIZE, text=written, language=_LANGUAGES[space])
            self.terms[record] = Counter({row.term: row.occurrences for row in rows})
            self.spaces[record] = space

    def documents(self, term: str, spaces: Sequence[int]) -> int:
        return sum(term in terms for record, terms in self.terms.items() if self.spaces[record] in spaces)

    def length(self, record: int) -> int:
        return sum(count for term, count in self.terms[record].items() if not term.startswith("~"))

    async def scores(self, question: str, language: str, spaces: Sequence[int]) -> dict[int, float]:
        visible = [record for record, space in self.spaces.items() if space in spaces]
        mean = max(1, sum(map(self.length, visible))) / max(1, len(visible))
        found: Counter[int] = Counter()
        for term, weight in await self.corpus.run(_ASKED, question=question, language=language):
            documents = self.documents(term, spaces)
            idf = math.log(1 + (len(visible) - documents + 0.5) / (documents + 0.5))
            for record in visible:
                if tf := self.terms[record][term]:
                    norm = 1.5 * (0.25 + 0.75 * self.length(record) / mean)
                    found[record] += weight * idf * tf * 2.5 / (tf + norm)
        return dict(found)


async def _history(corpus: Corpus, rng: random.Random) -> Texts:
    """Writes in three spaces of three languages, some of them packed."""
    texts = Texts(corpus)
    for _ in range(8):
        space = rng.randint(1, 3)
        written = [" ".join(rng.choices(_WORDS, k=rng.randint(0, 9))) for _ in range(rng.choice([1, 2, 20]))]
        await texts.add(space, *written)
        if rng.random() < 0.4:
            await corpus.run(_MERGE, space=space, documents=rng.choice([2, 16]))
    return texts


@pytest.mark.parametrize("seed", range(6))
async def test_documents_counts_and_scores_are_those_of_the_raw_texts(corpus: Corpus, seed: int) -> None:
    rng = random.Random(seed)
    texts = await _history(corpus, rng)
    every = sorted({term for terms in texts.terms.values() for term in terms} | {"~absent", "absent"})
    for spaces in ([1], [2], [3], [1, 2, 3]):
        counted = await corpus.statistics(*every, spaces=spaces)
        assert counted == {term: (texts.documents(term, spaces), 0) for term in every}
    held = {(record, term): count for record, terms in texts.terms.items() for term, count in terms.items()}
    assert {(row.record_no, row.term): row.count for row in await corpus.run(_COUNTED, terms=every)} == held
    (row,) = await corpus.run(_DESCRIBED, records=list(texts.terms), terms=every)
    pairs = zip(row.count_candidates, row.count_terms, row.counts, strict=True)
    assert {(row.records[n - 1], every[place - 1]): count for n, place, count in pairs} == held
    records = list(texts.terms)
    measured = await corpus.run(query("supporting.measure"), records=records, terms=every, model=1, vector=None)
    assert {row.record_no: row.held for row in measured} == {record: len(texts.terms[record]) for record in records}
    assert await corpus.run(_OF_LOG) == []
    for _ in range(20):
        question = " ".join(rng.choices(_WORDS, k=rng.randint(1, 7)))
        language = rng.choice(["english", "german,english"])
        spaces = rng.sample([1, 2, 3], k=rng.randint(1, 3))
        expected = await texts.scores(question, language, spaces)
        for exhaustive in (True, False):
            found = await corpus.search(question, spaces=spaces, language=language, limit=1000, exhaustive=exhaustive)
            assert dict(found) == pytest.approx(expected, abs=2e-9)
        for cap in (1, 9):  # finished by postings or by forward rows
            for record, score in await corpus.search(question, spaces=spaces, language=language, limit=5, cap=cap):
                assert score == pytest.approx(expected[record], abs=2e-9)
        asked = {row.term: row.weight for row in await corpus.run(_ASKED, question=question, language="english")}
        shares = {
            record: sum(weight for term, weight in asked.items() if term in terms) / sum(asked.values())
            for record, terms in texts.terms.items()
        }
        overlaps = await corpus.run(_OVERLAPS, records=records, question=question)
        assert {row.record_no: row.overlap for row in overlaps} == pytest.approx(shares)
        (weighed,) = await corpus.run(_WEIGHED, question=question, language=language, spaces=spaces)
        if weighed.terms:
            among = [record for record, space in texts.spaces.items() if space in spaces]
            found = await corpus.run(_NARROWED, records=among, **weighed._mapping)
            assert {row.record_no: row.score for row in found} == pytest.approx(expected, abs=2e-9)


async def test_a_word_that_is_its_own_stem_is_kept_once_and_beside_other_forms_apart(corpus: Corpus) -> None:
    first, second, third = await corpus.add("dog dog 2023", "dog dogs", "dogs")
    assert [tuple(row) for row in await corpus.run(text(_LISTS))] == [
        ("2023", first, 1), ("=dog", first, 2),
        ("dog", second, 1), ("dogs", second, 1), ("~dog", second, 2),
        ("dogs", third, 1), ("~dog", third, 1),
    ]  # fmt: skip
    assert await corpus.statistics("dog", "dogs", "~dog") == {"dog": (2, 0), "dogs": (2, 0), "~dog": (3, 0)}


async def test_a_store_that_kept_words_and_stems_apart_gets_the_rows_that_a_rebuild_writes(
    corpus: Corpus, admin_url: str
) -> None:
    rng = random.Random(11)
    texts = await _history(corpus, rng)
    questions = [" ".join(rng.choices(_WORDS, k=rng.randint(1, 7))) for _ in range(20)]

    async def found() -> list[Any]:
        return [await corpus.search(question, spaces=[1, 2, 3], limit=1000) for question in questions]

    before = await found()
    for space in (1, 2, 3):
        await corpus.run(text("select muniment.rebuild_lexical(cast(:tenant as bigint), :space)"), space=space)
    with psycopg.connect(driver_conninfo(admin_url), autocommit=True) as connection:
        rebuilt = [connection.execute(statement).fetchall() for statement in (_BLOCKS, _FORWARD)]
        _keep_apart(connection, corpus.tenant, texts)
        assert connection.execute("select count(*) from muniment.posting_block where term like '=%'").fetchone() == (0,)
        assert await found() == before  # lists of the earlier form are read as they are
        connection.execute("set role muniment_owner")  # as a migration runs; row security would hide every row
        with connection.transaction():
            connection.execute((migrations_directory() / "versions" / "0035_shared_lists.sql").read_bytes())
        connection.execute("reset role")
        assert [connection.execute(statement).fetchall() for statement in (_BLOCKS, _FORWARD)] == rebuilt
        forced = connection.execute(
            "select bool_and(relforcerowsecurity) from pg_class where relname in "
            "('lexical_document', 'posting_block', 'posting_tail')"
        ).fetchone()
    assert forced == (True,)
    assert await found() == before


def _keep_apart(connection: psycopg.Connection, tenant: int, texts: Texts) -> None:
    """The postings and forward rows as the schema before wrote them, the last fifth of each space in the tail."""
    connection.execute('create temporary table was (record_no bigint, space_id bigint, term text collate "C", tf int)')
    rows = [(record, texts.spaces[record], term, count)
            for record, terms in texts.terms.items() for term, count in terms.items()]  # fmt: skip
    with connection.cursor() as cursor:
        cursor.executemany("insert into was values (%s, %s, %s, %s)", rows)
    connection.execute("""
        create temporary table had as
        select d.record_no, d.space_id, d.length,
               row_number() over (partition by d.space_id order by d.record_no)
                 > 0.8 * count(*) over (partition by d.space_id) as late
          from muniment.lexical_document d;
        truncate muniment.posting_block, muniment.posting_tail""")
    connection.execute("""
        insert into muniment.posting_block
        select %(tenant)s, w.term, w.space_id, min(w.record_no), count(*), sum(h.length),
               array_agg(w.record_no order by w.record_no), array_agg(w.tf order by w.record_no),
               array_agg(h.length order by w.record_no)
          from was w join had h using (record_no) where not h.late group by w.term, w.space_id
        union all
        select %(tenant)s, '', space_id, 0, count(*), sum(length), '{}', '{}', '{}'
          from had where not late group by space_id
        """, {"tenant": tenant})  # fmt: skip
    connection.execute("""
        insert into muniment.posting_tail
        select %(tenant)s, 1, w.space_id, w.record_no, count(*), count(*) * min(h.length),
               array_agg(w.term order by w.term), array_agg(w.place order by w.term),
               array_agg(w.record_no), array_agg(w.tf order by w.term), array_agg(h.length)
          from (select *, (row_number() over (partition by record_no order by term))::integer as place from was) w
          join had h using (record_no) where h.late group by w.space_id, w.record_no
        union all
        select %(tenant)s, 0, space_id, record_no, 1, length, '{}', '{}', '{}', '{}', '{}' from had where late
        """, {"tenant": tenant})  # fmt: skip
    connection.execute("""
        update muniment.lexical_document d
           set hashes = x.hashes, counts = x.counts
          from (select record_no, array_agg(hash order by hash, term) as hashes,
                       array_agg(tf order by hash, term) as counts
                  from (select *, muniment.term_hash(term) as hash from was) h group by record_no) x
         where d.record_no = x.record_no""")
