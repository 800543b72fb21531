"""Routes, evidence, and the runs that are kept of them."""

from datetime import UTC, datetime
from uuid import UUID

from plan_case import FRESH, LATER, NEW, NOW, RECORDS, Case, SeededId

from plan_cases.reasons import NO_TABLE, ONE_TENANT

CASES: dict[str, Case] = {
    "graph.insert_entities": Case({"entities": ["new"], "spaces": [21], "records": FRESH[:1]}),
    "graph.delete_entities": Case(),
    "graph.delete_similarity": Case(),
    "graph.link": Case({"records": RECORDS[:3]}, rows=8000),
    "graph.walk": Case(),
    "graph.edges": Case({"records": RECORDS[:3]}),
    "modality.describe": Case(
        {"unscored": RECORDS[:3], "speakers": ["speaker1"], "most": 500, "known_at": 5000,
         "modalities": ["conversation"], "of": ["conversation"] * 2, "names": ["speaker", "message"],
         "terms": ["alpha7"], "held": ["alpha7"], "weights": [1.0], "mean_length": 3.0}
    ),
    "profiles.current": Case({"name": "mine"}),
    "profiles.version": Case({"name": "mine", "version": 1}),
    "profiles.list": Case(whole=ONE_TENANT),
    "profiles.insert": Case({"name": "new", "version": 1, "base": "default", "changes": "{}", "digest": "d"}),
    "query_runs.insert": Case(
        {"query_no": NEW, "query_id": UUID(int=2), "mode": "search", "parameters": "{}", "known_at": 1,
         "statistics": "{}", "partial": False, "notes": [], "pinned": "{}", "pending": 10, "most_lacking": 1000,
         "lists": ["{1001}"], "list_scores": ["{0.5}"], "answer": None, "abstain": None, "score": 0.5,
         "started_at": NOW, "duration_ms": 1.0, "stage_names": ["plan"],
         "decisions": [None], "details": ["{}"], "durations": [1.0], "records": RECORDS[:1], "scores": [1.0],
         "routes": ["{}"], "cited": [False]}
    ),
    "query_runs.get": Case({"query_id": SeededId("query", 77)}),
    "query_runs.stages": Case(),
    "query_runs.hits": Case(),
    "query_runs.lists": Case({"stage": 1}),
    "query_runs.record_ids": Case(),
    "query_runs.list": Case({"before": UUID(int=2**128 - 1)}),
    "query_runs.space": Case(),
    "replay.question_terms": NO_TABLE,
    "replay.statistics": Case({"terms": ["alpha7", "beta7"]}),
    "replay.semantic": Case(
        {"known_at": 5000, "lacking": "{[1,3)}"}, whole="a replay measures every vector that was visible"
    ),
    "replay.records": Case({"record_ids": [SeededId("record", 1001)], "terms": ["alpha7"], "known_at": 1}),
    "replay.fits": Case({"filters": ['{"speaker": ["x"]}'], "record": 1001}),
    "replay.cosines": Case(),
    "replay.erased": Case(),
    "retrieval.outline": Case({"speakers": 50, "modalities": ["document"], "profile": "mine"}),
    "retrieval.terms": Case(),
    "retrieval.date_terms": NO_TABLE,
    "retrieval.only_stop_words": NO_TABLE,
    "retrieval.token_terms": NO_TABLE,
    "retrieval.narrow": Case({"filter": '{"group": ["key101"]}', "known_at": 5000}),
    "retrieval.agreement_terms": Case(),
    "retrieval.group_records": Case({"groups": [101, 102], "known_at": 5000}),
    "retrieval.lexical": Case(
        {"terms": ["alpha7", "beta7"], "weights": [1.0, 1.0], "documents": [20, 20], "mean_length": 3.0,
         "known_at": 5000},
        rows=6000,
    ),
    "retrieval.lexical_narrowed": Case({"terms": ["alpha7"], "weights": [1.0], "mean_length": 3.0}),
    "retrieval.semantic_narrowed": Case(),
    "retrieval.graph": Case(),
    "retrieval.describe": Case(
        {"anchors": RECORDS[:3], "reach": 2, "counted": RECORDS[:3], "terms": ["alpha7"],
         "speakers": ["speaker1"]}
    ),
    "retrieval.evidence": Case({"known_at": 5000}),
    "subjects.insert": Case({"subjects": ["new"], "spaces": [21], "records": FRESH[:1]}),
    "subjects.delete": Case(),
    "subjects.contents": Case(),
    "subjects.of": Case({"subjects": ["subject1", "subject2"], "known_at": 5000, "most": 6}),
    "subjects.texts": Case(),
    "supporting.card": Case({"hits": [101, 102], "known_at": 5000, "most": 500}),
    "supporting.episode": Case({"hits": [101, 102], "known_at": 5000, "most": 500}),
    "supporting.profile": Case({"hits": [101, 102], "known_at": 5000, "most": 500}),
    "supporting.evidence": Case({"hits": RECORDS[:3], "known_at": 5000}),
    "supporting.group": Case({"hits": [101, 102], "known_at": 5000}),
    "supporting.measure": Case({"terms": ["alpha7"]}),
    "temporal.insert": Case(
        {"ordinals": [7], "spaces": [21], "froms": [NOW], "tos": [LATER], "grains": ["day"], "expressions": ["today"],
         "records": FRESH[:1]}
    ),
    "temporal.texts": Case(),
    "temporal.delete": Case(),
    "temporal.times": Case(),
    "temporal.search": Case(
        {"text": "alpha7 beta7", "from_at": datetime(2020, 3, 1, tzinfo=UTC), "to_at": datetime(2020, 3, 2, tzinfo=UTC),
         "unit": 86400.0, "asks_when": False, "weights": [0.55, 0.35, 0.1, 0.45], "near": 100, "also": RECORDS,
         "within": None, "known_at": 5000}
    ),
    "vector.insert_embeddings": Case({"spaces": [21], "records": FRESH[:1], "vectors": ["[1,0,0,0,0,0,0,0]"]}),
    "vector.insert_pending": Case({"spaces": [21], "records": FRESH[:1]}),
    "vector.delete_pending": Case(),
    "vector.pending": Case(),
    "vector.texts": Case(),
    "vector.search": Case(rows=8000),
    "vector.cosines": Case(),
}  # fmt: skip
