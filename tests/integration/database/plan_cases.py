"""Every named query with the parameters it is planned with, and how much it may read: test_plans.py goes through it."""

import hashlib
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import UUID


@dataclass(frozen=True, slots=True)
class SeededId:
    """The public id of a seeded row, as plan_seed.sql makes it for each of its tenants."""

    kind: str
    key: object

    def of(self, tenant: int) -> UUID:
        name = f"{self.kind}{tenant}-{self.key}"
        return UUID(hashlib.md5(name.encode(), usedforsecurity=False).hexdigest())


def _sha256(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


@dataclass(frozen=True)
class Case:
    """A query that reads by keys: its parameters beside ``DEFAULTS``, and the rows one scan in it may read.

    ``whole`` is the reason why a query may read all rows of the tenant; ``elsewhere`` why it is not planned here.
    """

    parameters: dict[str, Any] = field(default_factory=dict)
    rows: int = 2000
    whole: str | None = None
    elsewhere: str | None = None

    def values(self, names: set[str], tenant: int) -> dict[str, Any]:
        """The parameters of these names, with the ids of this tenant's rows."""
        return {name: _resolved((DEFAULTS | self.parameters)[name], tenant) for name in names}


def _resolved(value: Any, tenant: int) -> Any:
    if isinstance(value, list):
        return [_resolved(item, tenant) for item in value]
    return value.of(tenant) if isinstance(value, SeededId) else value


_NOW = datetime(2026, 1, 1, tzinfo=UTC)
_LATER = datetime(2026, 1, 2, tzinfo=UTC)
RECORDS = list(range(1001, 1021))  # groups 101 and 102, in the spaces 2 and 3
FRESH = list(range(50001, 50011))  # written, not sealed
NEW = 900001
TEN = range(10)

DEFAULTS: dict[str, Any] = {
    "kinds": ["raw", "correction"],
    "after": 1000, "agent": None, "b": 0.75, "before": 4000, "block_documents": 1000, "bytes": 100, "cap": 2000,
    "closed": False, "commit": 5001, "count": 10, "counter": "record", "exact": True, "fields": False, "frontier": 64,
    "group_key": "key101",
    "group_no": 101, "hops": 2, "job": SeededId("job", 3), "k1": 1.5, "key": SeededId("key", 2), "kind": "embed",
    "known_at": None, "language": "english", "lease": 60.0, "lease_token": SeededId("lease", 3), "limit": 20,
    "model": 1, "most": 100, "position": 1, "project": "project7", "question": "alpha7 beta7", "query_no": 77,
    "record_id": SeededId("record", 1001), "records": RECORDS, "run_id": SeededId("run", 101), "run_no": 101,
    "runs": [101, 102], "seeds": RECORDS[:5], "session": None, "sha256": _sha256("101"),
    "source_id": SeededId("source", 101),
    "source_key": "key101", "source_no": 101, "sources": [101, 102], "space": 2, "spaces": [1, 2, 3], "user": "user7",
    "vector": "[1,0,0,0,0,0,0,0]", "version": 2,
}  # fmt: skip

_CHECKS = "validation reads what it checks"
_REBUILDS = "a rebuild reads what it rebuilds from"
_COUNTS = "a count of the whole tenant, asked for after a rebuild or by validation"
_ONE_TENANT = "all rows of the tenant are the answer"
_NO_TABLE = Case(elsewhere="reads no table of tenants")
_SET_UP = Case(elsewhere="run by the administrator at set-up")
_CHECK = Case(whole=_CHECKS)
_BENCHMARK = Case(elsewhere="run by the administrator who fills or measures a store of the scale benchmark")
_SCALE = (
    "be_replica", "lazily", "make_given", "copy_given", "copy_vectors", "copy_edges", "insert_spaces", "insert_records",
    "index_records", "pack", "shrink_tail", "close_log", "vacuum", "stage_times", "sizes",
    "lexical", "lexical_exhaustive",
)  # fmt: skip

CASES: dict[str, Case] = {
    "extraction.expect": Case({"method": "rules", "space": 21, "records": FRESH[:1]}),
    "extraction.states": Case({"method": "rules"}),
    "extraction.finish": Case(
        {"method": "rules", "extractor": "rules:1", "states": ["none"] * 20, "facts": [0] * 20, "reason": None}
    ),
    "extraction.texts": Case(),
    "extraction.open": Case({"method": "rules", "state": "failed"}),
    "extraction.pending_in_group": Case({"method": "rules"}),
    "extraction.before_in_group": Case(),
    "extraction.reopen": Case({"method": "rules"}),
    "extraction.unextracted": Case({"method": "rules", "extractor": "rules:2"}),
    "extraction.counts": Case(),
    "extraction.insert_call": Case(
        {"call_id": UUID(int=9), "extractor": "model:x:1", "records": 1, "facts": 0, "refused": 0, "requests": 1,
         "reason": None, "prompt_tokens": 1, "completion_tokens": 1, "estimated": False, "duration_ms": 1.0}
    ),
    "extraction.spent": Case({"since": datetime(2025, 12, 31, tzinfo=UTC)}),
    "facts.share_group": Case(),
    "facts.bases": Case(),
    "facts.known": Case({"method": "rules"}),
    "facts.insert": Case(
        {"record_nos": [NEW], "record_ids": [UUID(int=8)], "positions": [90], "locators": ["{}"],
         "commitments": [_sha256("").hex()], "salts": [_sha256("").hex()], "texts": ["new"],
         "fields": ['{"subject": "a", "subject_type": "person", "relation": "likes", "object": "b", '
                    '"kind": "statement", "object_type": "thing", "negated": "false", "confidence": "0.9", '
                    '"extractor": "rules:1"}'],
         "froms": [None], "tos": [None], "said_ats": [None], "modalities": ["conversation"], "source_version": 1}
    ),
    "facts.insert_evidence": Case({"records": [1001], "bases": [1003], "starts": [0], "ends": [1]}),
    "facts.not_live": Case(),
    "facts.resting": Case(),
    "graph.insert_entities": Case({"entities": ["new"], "spaces": [21], "records": FRESH[:1]}),
    "graph.delete_entities": Case(),
    "graph.delete_similarity": Case(),
    "graph.link": Case({"records": RECORDS[:3]}, rows=8000),
    "graph.walk": Case(),
    "graph.edges": Case({"records": RECORDS[:3]}),
    "idempotency.claim": Case({"key": "new", "request_hash": b"x"}),
    "idempotency.lock": Case({"key": "key7"}),
    "idempotency.extend": Case({"key": "key7"}),
    "idempotency.finish": Case({"key": "key7", "response": "{}"}),
    "idempotency.release": Case({"key": "key7"}),
    "jobs.claim": Case({"kinds": ["embed"]}),
    "jobs.claim_one": Case({"kinds": ["embed"]}),
    "jobs.dispatch": Case({"kinds": ["embed"], "window": 20, "again": 60.0}),
    "jobs.recall": Case({"jobs": [SeededId("job", 7)]}),
    "jobs.end_as": Case({"outcome": "cancelled"}),
    "jobs.reopen": Case(),
    "jobs.progress": Case({"done": 1, "total": 2}),
    "jobs.cancel": Case(),
    "jobs.revive": Case(),
    "jobs.read": Case(),
    "jobs.list": Case({"before": UUID(int=2**128 - 1)}),
    "jobs.list_kind": Case({"before": UUID(int=2**128 - 1)}),
    "jobs.list_open": Case({"before": UUID(int=2**128 - 1), "state": "queued", "kind": None}, rows=6000),
    "jobs.list_ended": Case({"before": UUID(int=2**128 - 1), "state": "done", "kind": None}),
    "jobs.extend": Case(),
    "jobs.settle": Case({"dead": False}),
    "jobs.requeue": Case({"delay": 1.0, "attempts": 0}),
    "jobs.reap": Case({"max_attempts": 3}),
    "jobs.arguments": Case(),
    "jobs.finish": Case({"result": "{}"}),
    "jobs.record_error": Case({"error": "broken", "outcome": "dead"}),
    "jobs.merge_postings": Case({"space": 21}, rows=20000),
    "jobs.orphans_wait": Case(rows=6000),
    "keys.insert": Case(
        {"key": UUID(int=1), "prefix": "mun_", "secret_hash": _sha256("x"), "label": "l", "scopes": [],
         "expires_at": None}
    ),
    "keys.resolve": Case(elsewhere="finds the tenant by the hash of a secret; index credential_secret"),
    "keys.touch": Case({"key": SeededId("key", 2)}),
    "keys.list": Case(),
    "keys.revoke": Case({"key": SeededId("key", 2)}),
    "messages.insert_group": Case({"group_key": "new", "group_no": NEW}),
    "messages.lock_group": Case({"space": 2}),
    "messages.known": Case(
        {"keys": ["p:1"], "texts": ["t"], "payloads": ["{}"], "speakers": ["s"], "roles": [None], "said_ats": [_NOW],
         "said_offsets": [0]}
    ),
    "messages.put_keys": Case({"keys": ["i:new"], "records": RECORDS[:1]}),
    "messages.advance": Case({"next_position": 11}),
    "modality.describe": Case(
        {"unscored": RECORDS[:3], "speakers": ["speaker1"], "most": 500, "known_at": 5000,
         "modalities": ["conversation"], "of": ["conversation"] * 2, "names": ["speaker", "message"],
         "terms": ["alpha7"], "held": ["alpha7"], "weights": [1.0], "mean_length": 3.0}
    ),
    "erasure.records": Case({"record_ids": [SeededId("record", 1001)]}),
    "erasure.sources": Case({"source_ids": [SeededId("source", 101)]}),
    "erasure.of_sources": Case(),
    "erasure.derived": Case(),
    "erasure.state": Case(),
    "erasure.contents": Case(
        {"erasure": UUID(int=9), "digests": [_sha256("").hex()] * len(RECORDS)},
        elsewhere="an erase reads all postings of the tenant, and test_erasing.py erases",
    ),
    "erasure.originals": Case({"whole": []}, elsewhere="test_erasing.py erases"),
    "erasure.traces": Case({"words": []}, elsewhere="an erase reads all query runs of the tenant"),
    "erasure.insert": Case({"erasure": UUID(int=9), "reason": "asked", "count": 1}),
    "erasure.purged": Case({"erasure": UUID(int=9)}),
    "erasure.vacuumed": Case({"begun": _NOW}),
    "erasure.get": Case({"erasure": UUID(int=9)}),
    "erasure.list": Case(),
    "erasure.of_record": Case(),
    "erasure.ledger": Case({"erasure": UUID(int=9)}),
    "vacuum.size": _SET_UP,
    "vacuum.tables": _SET_UP,
    "vacuum.unlimited": _NO_TABLE,
    "vacuum.forget_statements": _SET_UP,
    "vacuum.switch_log": _SET_UP,
    "lifecycle.targets": Case({"record_ids": [SeededId("record", 1001), SeededId("record", 1002)]}),
    "lifecycle.lock_sources": Case(),
    "lifecycle.lock_groups": Case({"groups": [101, 102]}),
    "lifecycle.source_records": Case(),
    "lifecycle.source_groups": Case(),
    "lifecycle.current_version": Case(),
    "lifecycle.end_version": Case(),
    "lifecycle.recount": Case(),
    "lifecycle.event_of_record": Case({"record": 1001, "event": "forget"}),
    "lifecycle.event_of_source": Case({"source": "s_1"}),
    "lifecycle.commit_entries": Case({"commit": 50}),
    "lifecycle.commit_at": Case({"commit": 50}),
    "lifecycle.undone": Case({"commit": 50}),
    "lifecycle.reopen": Case(whole="undoing computes liveness from the whole log again"),
    "lifecycle.has_content": Case(),
    "lifecycle.source_number": Case(),
    "lifecycle.in_place": Case(),
    "lifecycle.history": Case(),
    "models.register": Case({"name": "test:plans", "dimensions": 8}),
    "numbers.allocate": Case(),
    "profiles.current": Case({"name": "mine"}),
    "profiles.version": Case({"name": "mine", "version": 1}),
    "profiles.list": Case(whole=_ONE_TENANT),
    "profiles.insert": Case({"name": "new", "version": 1, "base": "default", "changes": "{}", "digest": "d"}),
    "proofs.leaves": Case({"firsts": [256, 40000], "lasts": [512, 40007]}),
    "proofs.nodes": Case({"levels": [8], "firsts": [3], "lasts": [5]}),
    "proofs.head": Case(),
    "proofs.checkpoints": Case(whole=_ONE_TENANT),
    "proofs.newest_checkpoint": Case(),
    "proofs.insert_checkpoint": Case({"entries": 50000, "root": _sha256(""), "note": "note"}),
    "proofs.record_entry": Case(),
    "proofs.spines": Case(),
    "query_runs.insert": Case(
        {"query_no": NEW, "query_id": UUID(int=2), "mode": "search", "parameters": "{}", "known_at": 1,
         "statistics": "{}", "partial": False, "notes": [], "pinned": "{}", "pending": 10, "most_lacking": 1000,
         "lists": ["{1001}"], "list_scores": ["{0.5}"], "answer": None, "abstain": None, "score": 0.5,
         "started_at": _NOW, "duration_ms": 1.0, "stage_names": ["plan"],
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
    "queue.enqueue": Case({"job": UUID(int=3), "arguments": "{}", "dedup": "once", "priority": 0, "delay": 0.0}),
    "rebuild.liveness": Case(whole=_REBUILDS),
    "rebuild.lexical": Case({"space": 21}, whole=_REBUILDS),
    "rebuild.spaces": Case(whole=_ONE_TENANT),
    "rebuild.contents": Case(whole=_COUNTS),
    "rebuild.texts": Case(),
    "rebuild.delete_vectors": Case(),
    "rebuild.sizes": Case(whole=_COUNTS),
    "replay.question_terms": _NO_TABLE,
    "replay.statistics": Case({"terms": ["alpha7", "beta7"]}),
    "replay.semantic": Case(
        {"known_at": 5000, "lacking": "{[1,3)}"}, whole="a replay measures every vector that was visible"
    ),
    "replay.records": Case({"record_ids": [SeededId("record", 1001)], "terms": ["alpha7"]}),
    "replay.fits": Case({"filters": ['{"speaker": ["x"]}'], "record": 1001}),
    "replay.cosines": Case(),
    "replay.erased": Case(),
    "records.insert": Case(
        {"record_nos": [NEW], "record_ids": [UUID(int=4)], "kinds": ["raw"], "modalities": ["document"],
         "positions": [10],
         "sessions": [None], "speakers": [None], "roles": [None], "said_ats": [None], "said_offsets": [None],
         "locators": ["{}"],
         "commitments": [_sha256("").hex()], "salts": [_sha256("").hex()], "texts": ["t"], "fields": ["{}"],
         "payloads": ["{}"],
         "source_version": 1}
    ),
    "records.insert_metadata": Case({"keys": ["k"], "values": ["v"], "records": FRESH[:1]}),
    "records.insert_entities": Case({"entities": ["new"], "records": FRESH[:1]}),
    "records.index": Case({"records": FRESH}),
    "records.tail_size": Case(rows=10000),
    "records.list": Case(),
    "records.list_group": Case({"source_id": None}),
    "records.list_source": Case(),
    "records.number": Case(),
    "records.read": Case(),
    "retrieval.outline": Case({"speakers": 50, "modalities": ["document"], "profile": "mine"}),
    "retrieval.terms": Case(),
    "retrieval.date_terms": _NO_TABLE,
    "retrieval.token_terms": _NO_TABLE,
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
    "runs.insert": Case({"run_no": NEW, "run_id": UUID(int=5), "kind": "sources", "items": 1, "session": None}),
    "runs.finish_item": Case(
        {"item_no": 2, "state": "stored", "source_version": 1, "records": 1, "record_ids": [], "blob_sha256": None,
         "input": "{}", "error_code": None, "error_detail": None, "error_facts": None, "seen_attempts": 1}
    ),
    "runs.number": Case(),
    "runs.id": Case(),
    "runs.read": Case(),
    "runs.list": Case(),
    "runs.items": Case({"with_ids": True}),
    "runs.failed": Case(),
    "runs.waits_for_vectors": Case(),
    "scope.forget_plans": _NO_TABLE,
    "scope.open": _NO_TABLE,
    "scope.snapshot": _NO_TABLE,
    "scope.limit": _NO_TABLE,
    "scope.guard": _NO_TABLE,
    "scope.recover": _NO_TABLE,
    **{f"scale.{name}": _BENCHMARK for name in _SCALE},
    "seal.lock_head": Case(),
    "seal.append": Case(
        {"at": _NOW, "first_entry": 50000, "entries": 10, "root": _sha256(""), "peaks": [], "records": FRESH,
         "spaces": [21] * 10, "groups": [5001] * 10, "positions": list(TEN), "events": ["record"] * 10,
         "details": [None] * 10, "leaves": [_sha256("").hex()] * 10, "levels": [16], "nodes": [0],
         "hashes": [_sha256("")]}
    ),
    "seal.close_records": Case(),
    "seal.close_versions": Case({"sources": [SeededId("source", 101)], "versions": [1]}),
    "setup.lock_setup": _SET_UP,
    "setup.bound_waits": _SET_UP,
    "setup.become_owner": _SET_UP,
    "setup.create_applied": _SET_UP,
    "setup.read_applied": _SET_UP,
    "setup.write_applied": _SET_UP,
    "setup.skip_body_checks": _SET_UP,
    "setup.role_facts": _NO_TABLE,
    "setup.vector_version": _NO_TABLE,
    "setup.schema_state": _NO_TABLE,
    "sources.find": Case(),
    "sources.insert": Case({"source_key": "new", "source_no": NEW, "source_id": UUID(int=6), "kind": "text"}),
    "sources.lock": Case(),
    "sources.newest_version": Case(),
    "sources.insert_blob": Case({"sha256": _sha256("new"), "content": b"new"}),
    "sources.blob": Case(),
    "sources.insert_version": Case(
        {"media_type": "text/plain", "filename": None, "title": None, "bytes": 1, "records": 1}
    ),
    "sources.grow_conversation": Case({"media_type": "text/plain", "bytes": 1, "records": 1}),
    "sources.list": Case(),
    "sources.number": Case(),
    "sources.read": Case(),
    "sources.versions": Case(),
    "spaces.find": Case(),
    "spaces.insert": Case({"project": "new", "user": None, "space": NEW}),
    "spaces.visible": Case({"shared": False}),
    "sql_logins.create_role": _SET_UP,
    "sql_logins.role_defaults": _SET_UP,
    "sql_logins.may_become_app": _SET_UP,
    "sql_logins.let_become_app": _SET_UP,
    "sql_logins.become_app": _SET_UP,
    "sql_logins.map": Case({"login": "new_login"}),
    "subjects.insert": Case({"subjects": ["new"], "spaces": [21], "records": FRESH[:1]}),
    "subjects.delete": Case(),
    "subjects.contents": Case(),
    "subjects.of": Case({"subjects": ["subject1", "subject2"], "known_at": 5000, "most": 6}),
    "subjects.texts": Case(),
    "supporting.evidence": Case({"hits": RECORDS[:3], "known_at": 5000}),
    "supporting.group": Case({"hits": [101, 102], "known_at": 5000}),
    "supporting.measure": Case({"terms": ["alpha7"]}),
    "temporal.insert": Case(
        {"ordinals": [7], "spaces": [21], "froms": [_NOW], "tos": [_LATER], "grains": ["day"], "expressions": ["today"],
         "records": FRESH[:1]}
    ),
    "temporal.texts": Case(),
    "temporal.delete": Case(),
    "temporal.search": Case(
        {"text": "alpha7 beta7", "from_at": datetime(2020, 3, 1, tzinfo=UTC), "to_at": datetime(2020, 3, 2, tzinfo=UTC),
         "unit": 86400.0, "asks_when": False, "weights": [0.55, 0.35, 0.1, 0.45], "near": 100, "also": RECORDS,
         "within": None, "known_at": 5000}
    ),
    "tenants.next_number": _NO_TABLE,
    "tenants.insert": Case(elsewhere="inserts the tenant of the scope, which is there"),
    "tenants.insert_head": Case(elsewhere="inserts the head of the scope's tenant, which is there"),
    "tenants.default_number": _NO_TABLE,
    "tenants.set_default": Case({"number": 1}),
    "tenants.public_id": Case(),
    "validate.sizes": _CHECK,
    "validate.tree_nodes": _CHECK,
    "validate.commits": _CHECK,
    "validate.join_by_hash": _NO_TABLE,
    "validate.last_commit": Case(),
    "validate.entries": Case(),
    "validate.unlogged_records": _CHECK,
    "validate.orphan_contents": _CHECK,
    "validate.evidence": _CHECK,
    "validate.facts": _CHECK,
    "validate.version_order": _CHECK,
    "validate.version_records": _CHECK,
    "validate.version_entries": _CHECK,
    "validate.blobs": _CHECK,
    "validate.message_keys": _CHECK,
    "validate.unkeyed_messages": _CHECK,
    "validate.positions": _CHECK,
    "validate_projections.liveness": _CHECK,
    "validate_projections.documents": Case(),
    "validate_projections.stray_documents": _CHECK,
    "validate_projections.postings": _CHECK,
    "validate_projections.posting_count": _CHECK,
    "validate_projections.statistics": _CHECK,
    "validate_projections.totals": _CHECK,
    "validate_projections.metadata": _CHECK,
    "validate_projections.newest_model": Case(),
    "validate_projections.embeddings": _CHECK,
    "validate_projections.vectors": _CHECK,
    "validate_projections.pending": _CHECK,
    "vector.insert_embeddings": Case({"spaces": [21], "records": FRESH[:1], "vectors": ["[1,0,0,0,0,0,0,0]"]}),
    "vector.insert_pending": Case({"spaces": [21], "records": FRESH[:1]}),
    "vector.delete_pending": Case(),
    "vector.pending": Case(),
    "vector.texts": Case(),
    "vector.search": Case(rows=8000),
    "vector.cosines": Case(),
    "vector_index.wanted": Case(),
    "vector_index.state": _NO_TABLE,
    "vector_index.build_alone": _NO_TABLE,
    "vector_index.lacking": Case(),
    "vector_index.lock_builds": _NO_TABLE,
    "vector_index.create_statement": _NO_TABLE,
    "vector_index.give_memory": _NO_TABLE,
    "vector_index.drop_statement": _NO_TABLE,
    "vector_index.become_owner": Case(elsewhere="run by the owner, who builds an index"),
}  # fmt: skip
