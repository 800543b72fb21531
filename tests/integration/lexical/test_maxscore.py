"""The capped search against the plain sum: the same best records, whatever lies in tail, blocks, spaces and history."""

import random

import pytest
from lexical_corpus import Corpus
from sqlalchemy import text

_MERGE = text("select muniment.merge_postings(cast(:tenant as bigint), :space, :documents)")
_WORDS = [f"{stem}{ending}" for stem in ("dog", "walk", "harbour", "light", "paint") for ending in ("", "s", "ing")]
_WORDS += ["src/app.py", "ERR_CONN_RESET", "2023", "Zürich", "東京", "the"]


def _text(rng: random.Random) -> str:
    # a word's place in the list makes it rarer, so that there are frequent and rare terms
    weights = [1 / (1 + place) for place in range(len(_WORDS))]
    return " ".join(rng.choices(_WORDS, weights, k=rng.randint(0, 12)))


async def _history(corpus: Corpus, rng: random.Random) -> None:
    """Writes, closes and merges in a random order, in three spaces."""
    for _ in range(rng.randint(6, 14)):
        space = rng.randint(1, 3)
        records = await corpus.add(*(_text(rng) for _ in range(rng.choice([1, 2, 20]))), space=space)
        if rng.random() < 0.4:
            await corpus.close(*rng.sample(records, k=max(1, len(records) // 3)))
        if rng.random() < 0.4:
            await corpus.run(_MERGE, space=space, documents=rng.choice([2, 16]))


@pytest.mark.parametrize("seed", range(8))
async def test_with_room_for_all_candidates_it_equals_the_plain_sum(corpus: Corpus, seed: int) -> None:
    rng = random.Random(seed)
    await _history(corpus, rng)
    for _ in range(25):
        question = " ".join(rng.choices(_WORDS, k=rng.randint(1, 9)))
        spaces = rng.sample([1, 2, 3, 4], k=rng.randint(1, 4))
        known_at = rng.choice([None, None, rng.randint(0, corpus.commit)])
        limit = rng.choice([1, 2, 5, 40])
        expected = await corpus.search(question, spaces=spaces, known_at=known_at, limit=limit, exhaustive=True)
        found = await corpus.search(question, spaces=spaces, known_at=known_at, limit=limit)
        assert found == expected


@pytest.mark.parametrize("seed", range(4))
async def test_a_small_cap_loses_records_but_gives_each_its_full_score(corpus: Corpus, seed: int) -> None:
    rng = random.Random(100 + seed)
    await _history(corpus, rng)
    lost = 0
    for _ in range(25):
        question = " ".join(rng.choices(_WORDS, k=rng.randint(1, 9)))
        every = dict(await corpus.search(question, spaces=[1, 2, 3], limit=1000, exhaustive=True))
        for cap in (1, 5, 25):
            found = await corpus.search(question, spaces=[1, 2, 3], limit=5, cap=cap)
            assert len(found) >= min(cap, 5, len(every))
            assert all(score == every[record] for record, score in found)
            assert [score for _, score in found] == sorted((score for _, score in found), reverse=True)
            lost += [record for record, _ in found] != list(every)[:5]
    assert lost, "no cap was ever felt: the test shows nothing"


async def test_the_cap_counts_only_records_that_still_stand(corpus: Corpus) -> None:
    closed = await corpus.add(*["rare lantern"] * 30)
    await corpus.add(*["lantern"] * 3, *["filler words"] * 40)
    standing = await corpus.add("rare lantern glass")
    await corpus.close(*closed)
    assert (await corpus.found("rare lantern", cap=2, limit=1)) == standing
    assert len(await corpus.found("rare lantern", cap=4, limit=4)) == 4


async def test_the_cap_counts_only_records_of_the_visible_spaces(corpus: Corpus) -> None:
    await corpus.add(*["rare lantern"] * 30, space=2)
    mine = await corpus.add("lantern", "rare lantern", "lantern glass")
    assert sorted(await corpus.found("rare lantern", cap=3, limit=3)) == mine


async def test_a_record_that_light_terms_alone_lift_to_the_top_is_not_missed(corpus: Corpus) -> None:
    # the rarest term's records score from much to little by their length: the first threshold takes every height
    # around what a record full of the lighter term reaches, and must not end the search below it
    await corpus.add(*(f"rare{number} " + "filler " * 4 * number for number in range(40)))
    await corpus.add("light " * 60, *["light filler"] * 9)
    best = set()
    for number in range(40):
        question = f"rare{number} light"
        expected = await corpus.search(question, limit=1, exhaustive=True)
        assert await corpus.search(question, limit=1) == expected
        best.add(expected[0][0] == 41)
    assert best == {True, False}
