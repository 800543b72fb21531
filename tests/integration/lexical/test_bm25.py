"""BM25 over postings: golden scores, whose statistics count, and what a search may see."""

import math

import pytest
from lexical_corpus import Corpus

from muniment.database.pool import Database
from muniment.tenancy.tenants import Tenant


def _bm25(weight: float, tf: int, documents: int, total: int, length: int, mean: float) -> float:
    idf = math.log(1 + (total - documents + 0.5) / (documents + 0.5))
    return weight * idf * tf * 2.5 / (tf + 1.5 * (0.25 + 0.75 * length / mean))


async def test_a_score_is_the_sum_over_stems_and_exact_tokens_as_lucene_weighs_them(corpus: Corpus) -> None:
    first, second, _ = await corpus.add("dogs dogs bark", "dog sleeps here again", "a cat")
    mean = (3 + 4 + 2) / 3
    expected = {
        first: _bm25(1, 2, 2, 3, 3, mean) + _bm25(0.5, 2, 1, 3, 3, mean),
        second: _bm25(1, 1, 2, 3, 4, mean),
    }
    found = dict(await corpus.search("dogs", exhaustive=True))
    assert found == pytest.approx(expected, abs=1e-8)
    assert dict(await corpus.search("dogs")) == pytest.approx(expected, abs=1e-8)


async def test_statistics_count_documents_and_length_of_the_visible_spaces_only(corpus: Corpus) -> None:
    await corpus.add("red apple", "green apple pie", space=1)
    await corpus.add("apple apple apple apple", space=2)
    assert await corpus.statistics("", "apple", "pie", "none", spaces=[1]) == {
        "": (2, 5), "apple": (2, 0), "pie": (1, 0), "none": (0, 0),
    }  # fmt: skip
    assert (await corpus.statistics("", "apple", spaces=[1, 2])) == {"": (3, 9), "apple": (3, 0)}
    assert (await corpus.statistics("apple", spaces=[])) == {"apple": (0, 0)}


async def test_another_space_moves_no_score_and_shows_no_record(corpus: Corpus) -> None:
    await corpus.add("the harbour master", "an old harbour", space=1)
    before = await corpus.search("harbour master")
    await corpus.add(*["harbour harbour master"] * 20, space=2)
    assert await corpus.search("harbour master") == before
    assert await corpus.found("harbour", spaces=[]) == []


async def test_a_scope_pinned_to_a_space_finds_nothing_of_another_whatever_it_asks_for(
    database: Database, corpus: Corpus
) -> None:
    await corpus.add("a lighthouse", space=1)
    await corpus.add("a lighthouse", space=2)
    async with database.scope(corpus.tenant, spaces=[2]) as scope:
        for exhaustive in (False, True):
            found = await corpus.search("lighthouse", spaces=[1, 2], exhaustive=exhaustive, scope=scope)
            assert [record for record, _ in found] == [2]


async def test_another_tenant_finds_nothing(corpus: Corpus, other_tenant: Tenant) -> None:
    await corpus.add("a lighthouse")
    assert await Corpus(corpus.database, other_tenant.number).found("lighthouse") == []


async def test_a_closed_record_is_found_only_where_it_still_stood(corpus: Corpus) -> None:
    (old,) = await corpus.add("the meeting is on Monday")
    (new,) = await corpus.add("the meeting is on Tuesday")
    await corpus.close(old)
    assert await corpus.found("meeting") == [new]
    assert await corpus.found("meeting", known_at=3) == [new]
    assert await corpus.found("meeting", known_at=2) == [old, new]
    assert await corpus.found("meeting", known_at=1) == [old]
    assert await corpus.found("meeting", known_at=0) == []


async def test_fields_are_searchable_as_name_and_value(corpus: Corpus) -> None:
    record, _ = await corpus.add("hello", "other", fields=[{"speaker": "Liam Okafor"}, {}])
    assert await corpus.found("okafor") == [record]
    assert await corpus.found("speaker") == [record]


async def test_equal_scores_come_in_the_order_of_the_log(corpus: Corpus) -> None:
    records = await corpus.add(*["same words"] * 5)
    assert await corpus.found("words", limit=3) == records[:3]


async def test_a_record_without_words_counts_as_a_document_of_length_nought(corpus: Corpus) -> None:
    await corpus.add("👍 !!!", "word")
    assert await corpus.statistics("") == {"": (2, 1)}
    assert len(await corpus.found("word")) == 1


_ODD_QUESTIONS = [
    "", "   ", "the of and", "!!! ??? ...", "'; drop table muniment.record; --", "a.*[b]{2}(c|d)\\", "%_\\%",
    "$1 :tenant {}", "\u0600\u202e\u200d", "🎉🎉", "~", "~~~ ~dog", "x" * 5000, "word " * 10_000,
    " ".join(f"term{number}" for number in range(10_000)),
]  # fmt: skip


@pytest.mark.parametrize("question", _ODD_QUESTIONS)
async def test_no_question_is_an_error(corpus: Corpus, question: str) -> None:
    await corpus.add("a word of the dog", "term7 term8 x")
    for exhaustive in (False, True):
        await corpus.search(question, exhaustive=exhaustive)


async def test_a_question_of_stop_words_alone_searches_for_them(corpus: Corpus) -> None:
    record, _ = await corpus.add("to be or not to be", "nothing here")
    assert await corpus.found("to be or not to be") == [record]
