"""Predicates by which the views of the schema analytics are asked for little: an index must find it."""

SELECTIVE: dict[str, tuple[str, ...]] = {
    "records": (
        "record_no = 1001",
        "record_no between 1001 and 1010",
        "record_uuid = md5('record1-1001')::uuid",
        "group_no = 101",
        "source_no = 101",
        "session_id = 'session101'",
    ),
    "facts": ("record_no = 1001", "record_no = any ('{1001,1003,1005}')", "subject_key = 'person1'"),
    "evidence": ("record_no = 1002", "basis_no = 1002"),
    "claims": ("claim_uuid = md5('claim1-1001')::uuid", "subject_key = 'person1'"),
    "claim_facts": ("claim_uuid = md5('claim1-1001')::uuid", "record_no = 1001"),
    "groups": ("group_no = 101", "group_key = 'key101'"),
    "sources": ("source_no = 101", "source_uuid = md5('source1-101')::uuid", "source_key = 'key101'"),
    "query_runs": ("query_no = 77", "query_uuid = md5('query1-77')::uuid"),
    "query_hits": ("query_no = 77", "record_no = 1005"),
    "query_steps": ("query_no = 77",),
    "jobs": ("job_uuid = md5('job1-77')::uuid",),
}
"""By view of the seeded store; each gives at least a row."""

WHOLE: dict[str, str] = {
    "model_calls": "answers are told apart by the name of a step",
    "costs": "days are counted from all calls",
    "usage": "days are counted from all that happened",
    "quota_usage": "days are counted from all that was noted",
}
"""Views that read all of the tenant, and why."""
