"""What no longer counts, or is no longer there: lifecycle, erasure, retention."""

from datetime import UTC, datetime
from uuid import UUID

from plan_case import NOW, RECORDS, Case, SeededId, sha256_of

from plan_cases.reasons import NO_TABLE, SET_UP

_RETENTION = "retention looks through all that is old, a job now and then"

CASES: dict[str, Case] = {
    "served.insert": Case({"sentences": ["the ferry leaves at noon"], "records": RECORDS[:1]}),
    "served.make_key": Case(),
    "served.find": Case({"sentences": ["the ferry leaves at noon"], "since": datetime(2025, 12, 31, tzinfo=UTC)}),
    "served.texts": Case(),
    "served.numbers": Case({"record_ids": [SeededId("record", 77)]}),
    "served.of_run": Case({"query_id": SeededId("query", 77)}),
    "served.expire": Case({"moment": NOW}, whole="what is too old may be any of it"),
    "policies.current": Case(),
    "policies.list": Case(),
    "policies.last_commit_before": Case({"moment": NOW}, whole=_RETENTION),
    "policies.old_live": Case({"mark": None, "commit": 5000}, whole=_RETENTION),
    "policies.old_content": Case({"mark": "sensitive_email", "commit": 5000}, whole=_RETENTION),
    "expiry.tenants": Case(elsewhere="reads no table of tenants' rows: one row a tenant of the queue"),
    "expiry.jobs": Case({"before": UUID(int=2**128 - 1), "outcome": "done"}),
    "expiry.query_runs": Case({"before": UUID(int=2**128 - 1)}),
    "expiry.unwritten_erasures": Case(whole="a tenant has few receipts, and all may be waiting"),
    "erasure.records": Case({"record_ids": [SeededId("record", 1001)]}),
    "erasure.sources": Case({"source_ids": [SeededId("source", 101)]}),
    "erasure.of_sources": Case(),
    "erasure.derived": Case(),
    "erasure.state": Case(),
    "erasure.of_runs": Case(),
    "erasure.inputs": Case(elsewhere="test_erased_runs.py erases"),
    "erasure.contents": Case(
        {"erasure": UUID(int=9), "digests": [sha256_of("").hex()] * len(RECORDS)},
        elsewhere="an erase reads all postings of the tenant, and test_erasing.py erases",
    ),
    "erasure.originals": Case({"whole": []}, elsewhere="test_erasing.py erases"),
    "erasure.traces": Case({"words": []}, elsewhere="an erase reads all query runs of the tenant"),
    "erasure.insert": Case({"erasure": UUID(int=9), "reason": "asked", "count": 1}),
    "erasure.purged": Case({"erasure": UUID(int=9)}),
    "erasure.vacuumed": Case({"begun": NOW}),
    "erasure.get": Case({"erasure": UUID(int=9)}),
    "erasure.list": Case(),
    "erasure.of_record": Case(),
    "erasure.ledger": Case({"erasure": UUID(int=9)}),
    "vacuum.size": SET_UP,
    "vacuum.tables": SET_UP,
    "vacuum.unlimited": NO_TABLE,
    "vacuum.mark": NO_TABLE,
    "vacuum.holders": SET_UP,
    "vacuum.forget_statements": SET_UP,
    "vacuum.switch_log": SET_UP,
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
    "lifecycle.reopen": Case({"commit": 1}, whole="undoing computes liveness from the whole log again"),
    "lifecycle.has_content": Case(),
    "lifecycle.source_number": Case(),
    "lifecycle.in_place": Case(),
    "lifecycle.history": Case(),
}  # fmt: skip
