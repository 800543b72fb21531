"""Writing the log: records, sources, messages, runs, and the commit that seals them."""

from uuid import UUID

from plan_case import FRESH, NEW, NOW, RECORDS, TEN, Case, SeededId, sha256_of

CASES: dict[str, Case] = {
    "idempotency.claim": Case({"key": "new", "request_hash": b"x"}),
    "idempotency.lock": Case({"key": "key7"}),
    "idempotency.place": Case({"key": "key7", "first_item": 3}),
    "idempotency.extend": Case({"key": "key7"}),
    "idempotency.finish": Case({"key": "key7", "response": "{}"}),
    "idempotency.release": Case({"key": "key7"}),
    "messages.insert_group": Case({"group_key": "new", "group_no": NEW}),
    "messages.lock_group": Case({"space": 2}),
    "messages.known": Case(
        {"keys": ["p:1"], "texts": ["t"], "payloads": ["{}"], "speakers": ["s"], "roles": [None], "said_ats": [NOW],
         "said_offsets": [0]}
    ),
    "messages.put_keys": Case({"keys": ["i:new"], "records": RECORDS[:1]}),
    "messages.advance": Case({"next_position": 11}),
    "numbers.allocate": Case(),
    "records.insert": Case(
        {"record_nos": [NEW], "record_ids": [UUID(int=4)], "kinds": ["raw"], "modalities": ["document"],
         "positions": [10],
         "sessions": [None], "speakers": [None], "roles": [None], "said_ats": [None], "said_offsets": [None],
         "locators": ["{}"],
         "commitments": [sha256_of("").hex()], "salts": [sha256_of("").hex()], "texts": ["t"], "fields": ["{}"],
         "payloads": ["{}"],
         "languages": [None],
         "source_version": 1}
    ),
    "records.insert_metadata": Case({"keys": ["k"], "values": ["v"], "records": FRESH[:1]}),
    "records.insert_entities": Case({"entities": ["new"], "records": FRESH[:1]}),
    "records.index": Case({"records": FRESH}),
    "records.tail_size": Case(rows=10000),
    "records.list": Case(),
    "records.list_group": Case({"source_id": None}),
    "records.list_source": Case(),
    "records.neighbours": Case(),
    "records.number": Case(),
    "records.read": Case(),
    "runs.insert": Case(
        {"run_no": NEW, "run_id": UUID(int=5), "kind": "sources", "items": 1, "session": None, "open": False}
    ),
    "runs.grow": Case({"items": 1, "open": True}),
    "runs.finish_item": Case(
        {"item_no": 2, "state": "stored", "source_version": 1, "records": 1, "record_ids": [], "blob_sha256": None,
         "input": "{}", "error_code": None, "error_detail": None, "error_facts": None, "seen_attempts": 1,
         "served": "[]"}
    ),
    "runs.number": Case(),
    "runs.id": Case(),
    "runs.read": Case(),
    "runs.list": Case(),
    "runs.items": Case({"with_ids": True, "first": 0}),
    "runs.failed": Case(),
    "runs.waits_for_vectors": Case(),
    "seal.has_facts": Case({"first": 1001, "last": 1020}),
    "seal.link_names": Case({"threshold": 0.75}),
    "seal.apply_aliases": Case(
        {"decisions": [UUID(int=6)], "records": [1001], "parts": ["object"], "of": [1003], "of_parts": ["object"],
         "rules": ["stated"], "similarities": [None]}
    ),
    "seal.mark_claims": Case(
        {"brought": RECORDS, "closed": RECORDS, "sources": [SeededId("source", 101)], "versions": [1]}
    ),
    "seal.lock_head": Case(),
    "seal.append": Case(
        {"at": NOW, "first_entry": 50000, "entries": 10, "root": sha256_of(""), "peaks": [], "records": FRESH,
         "spaces": [21] * 10, "groups": [5001] * 10, "positions": list(TEN), "events": ["record"] * 10,
         "details": [None] * 10, "leaves": [sha256_of("").hex()] * 10, "levels": [16], "nodes": [0],
         "hashes": [sha256_of("")]}
    ),
    "seal.close_records": Case(),
    "seal.close_versions": Case({"sources": [SeededId("source", 101)], "versions": [1]}),
    "sources.find": Case(),
    "sources.insert": Case({"source_key": "new", "source_no": NEW, "source_id": UUID(int=6), "kind": "text"}),
    "sources.lock": Case(),
    "sources.newest_version": Case(),
    "sources.insert_blob": Case({"sha256": sha256_of("new"), "content": b"new"}),
    "sources.blob": Case(),
    "sources.insert_version": Case(
        {"media_type": "text/plain", "filename": None, "title": None, "bytes": 1, "records": 1, "notes": []}
    ),
    "sources.original": Case({"version": None}),
    "sources.original_of_key": Case({"before": None}),
    "sources.link_parts": Case({"keys": ["new"], "parent": 101}),
    "sources.vanished_parts": Case({"keys": ["new"], "parent": 101}),
    "sources.grow_conversation": Case({"media_type": "text/plain", "bytes": 1, "records": 1}),
    "sources.list": Case(),
    "sources.number": Case(),
    "sources.read": Case(),
    "sources.versions": Case(),
}  # fmt: skip
