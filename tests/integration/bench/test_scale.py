"""The scale benchmark on a small store of its own: what it fills, reports, and reuses."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from muniment.bench.scale import Scale, figures, run_scale
from muniment.bench.scale_corpus import batches, question_vectors, questions, vocabulary
from muniment.bench.scale_measure import ScaleOptions
from muniment.errors import MunimentError
from muniment.settings import Settings


async def test_a_store_is_filled_once_and_then_only_measured(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "store", vector_exact_limit=300)
    done: list[int] = []

    def advance(count: int = 1, of: int | None = None) -> None:
        done.append(count)

    out = tmp_path / "scale.json"
    report: dict[str, Any] = await run_scale(settings, Scale(400, 1, 0), 5, out, advance, cold=False)
    assert sum(done) == 400 and out.is_file()
    assert report["bm25_overlap_at_10"] == 1.0
    assert report["ann_recall_at_100"] > 0.9  # by the index, which so small a store needs no more than a large one
    assert report["warm"]["p95_ms"] >= report["warm"]["p50_ms"] > 0
    assert {"plan", "lexical", "semantic", "rank"} <= set(report["stages"])
    assert report["disk"]["bytes_per_record"] > 1000
    assert "embedding_hnsw_1_1" in report["disk"]["of_these"]
    assert ("records", "400") in figures(report)
    done.clear()
    options = ScaleOptions("reference", ("semantic",), repeat=2)
    words = await run_scale(settings, Scale(400, 1, 0), 5, None, advance, cold=False, options=options)
    assert "semantic" in report["stages"] and "semantic" not in words["stages"]
    assert (words["profile"], words["without"], words["repeat"]) == ("reference", ["semantic"], 2)
    again = await run_scale(settings, Scale(400, 1, 0), 5, None, advance, cold=True, busy=True)
    busy = again["busy"]
    assert busy["capacity_per_second"] > 0 and busy["written_per_second"] > 0
    assert busy["alone"]["partial"] == busy["while_writing"]["partial"] == 0
    assert busy["ratio"] == round(busy["while_writing"]["p95_ms"] / again["warm"]["p95_ms"], 2)
    assert any("at a time" in what for what, _ in figures(again))
    assert done == [] and again["cold"]["questions"] == 5
    with pytest.raises(MunimentError, match="another scale"):
        await run_scale(settings, Scale(500, 1, 0), 5, None, advance)


def test_records_follow_from_the_seed_and_their_neighbours_lie_before_them() -> None:
    words = vocabulary()
    (first,), (same,), (other,) = (list(batches(words, 500, seed)) for seed in (1, 1, 2))
    assert first.texts == same.texts and first.texts != other.texts
    assert np.array_equal(first.vectors, same.vectors)
    assert 40 < np.mean([len(text.split()) for text in first.texts]) < 80
    assert first.edges and all(neighbour < record for record, neighbour, _ in first.edges)
    assert np.allclose(np.linalg.norm(first.vectors, axis=1), 1.0, atol=1e-5)


def test_questions_have_three_to_twelve_words_and_vectors_near_the_records() -> None:
    words = vocabulary()
    asked = questions(words, 200, 5)
    assert {len(question.split()) for question in asked} == set(range(3, 13))
    (batch,) = batches(words, 2000, 5)
    nearest = (question_vectors(2000, 20, 5) @ batch.vectors.T).max(axis=1)
    assert nearest.min() > 0.6


async def test_users_spaces_and_small_tenants_are_asked_where_there_are_any(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "store")
    report = await run_scale(settings, Scale(200, 5, 1), 4, None, lambda *_: None, cold=False)
    assert {"plan", "lexical", "semantic", "rank"} <= set(report["stages"])
    assert report["bm25_overlap_at_10"] == report["ann_recall_at_100"] == 1.0
