"""Facts, claims, relations, summaries and profiles."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from plan_case import FRESH, NEW, NOW, RECORDS, Case, SeededId, sha256_of

from plan_cases.reasons import CHECK, CHECKS, COUNTS, ONE_TENANT, REBUILDS

_CLAIMS: dict[str, Any] = {
    "known_at": 5000, "relation": None, "objects": None, "at": None, "clock": NOW, "statuses": ["ACTIVE", "CONTESTED"],
    "after_commit": 100, "after_record": 0, "after_claim": UUID(int=0),
}  # fmt: skip

CASES: dict[str, Case] = {
    "context.facts": Case(
        {"record_ids": [SeededId("record", n) for n in range(1001, 1011)], "as_of": NOW, "at": NOW, "ended": False,
         "most": 25}
    ),
    "context.episodes": Case({"record_ids": [SeededId("record", n) for n in range(1001, 1011)], "most": 4}),
    "context.profiles": Case({"record_ids": [SeededId("record", n) for n in range(1001, 1011)], "most": 4}),
    "extraction.expect": Case({"method": "rules", "space": 21, "records": FRESH[:1]}),
    "extraction.ask_again": Case({"method": "rules", "spaces": [21], "records": FRESH[:1]}),
    "extraction.states": Case({"method": "rules"}),
    "extraction.finish": Case(
        {"method": "rules", "extractor": "rules:1", "states": ["none"] * 20, "facts": [0] * 20, "reason": None}
    ),
    "extraction.texts": Case(),
    "extraction.pending_in_group": Case({"method": "rules"}),
    "extraction.before_in_group": Case(),
    "extraction.waiting": Case({"stretch": 1000}),
    "extraction.count_for_job": Case(
        {"job": SeededId("job", 7), "method": "model", "state": "failed", "reason": "job.dead", "was": "pending",
         "because": None}
    ),
    "extraction.unextracted": Case({"method": "rules", "extractor": "rules:2", "unseen": True}),
    "extraction.counts": Case(),
    "extraction.insert_call": Case(
        {"call_id": UUID(int=9), "extractor": "model:x:1", "records": 1, "facts": 0, "refused": 0, "refusals": "{}",
         "requests": 1,
         "reason": None, "prompt_tokens": 1, "completion_tokens": 1, "estimated": False, "duration_ms": 1.0}
    ),
    "extraction.spent": Case({"since": datetime(2025, 12, 31, tzinfo=UTC)}),
    "descriptions.image": Case(),
    "descriptions.bases": Case(),
    "descriptions.standing": Case(),
    "descriptions.undescribed": Case({"describer": "vision:x:1"}, whole="looks for images among all sources"),
    "descriptions.spent": Case({"since": datetime(2025, 12, 31, tzinfo=UTC)}),
    "facts.share_group": Case(),
    "facts.bases": Case(),
    "facts.types_of_names": Case({"names": ["Maya"]}),
    "facts.held": Case({"names": ["person1"]}),
    "facts.namesakes": Case({"names": ["person1"]}),
    "facts.untyped": Case(),
    "facts.known": Case({"method": "rules"}),
    "facts.insert": Case(
        {"record_nos": [NEW], "record_ids": [UUID(int=8)], "positions": [90], "locators": ["{}"],
         "commitments": [sha256_of("").hex()], "salts": [sha256_of("").hex()], "texts": ["new"],
         "fields": ['{"subject": "a", "subject_type": "person", "relation": "likes", "object": "b", '
                    '"kind": "statement", "object_type": "thing", "negated": "false", "confidence": "0.9", '
                    '"extractor": "rules:1"}'],
         "froms": [None], "tos": [None], "said_ats": [None], "modalities": ["conversation"], "source_version": 1}
    ),
    "facts.insert_evidence": Case({"records": [1001], "bases": [1003], "starts": [0], "ends": [1]}),
    "facts.not_live": Case(),
    "facts.resting": Case(),
    "facts.told_with": Case(),
    "claims.compile": Case({"limit": 2}),
    "claims.list": Case(_CLAIMS),
    "claims.list_subject": Case(_CLAIMS | {"names": ["person1"]}),
    "claims.relation_meant": Case({"name": "lives_in", "known_at": 5000}),
    "claims.names_spelled": Case({"name": "person1"}),
    "claims.head": Case(),
    "claims.pending": Case(),
    "claims.versions": Case({"clock": NOW, "claim_id": SeededId("claim", 1001)}),
    "claims.evidence": Case({"claim_id": SeededId("claim", 1001), "known_at": 5000}),
    "claims.decisions": Case({"claim_id": SeededId("claim", 1001)}),
    "claims.names": Case({"claim_id": SeededId("claim", 1001), "commit": 101}),
    "claims.decision": Case({"decision_id": SeededId("decision", 1001)}),
    "claims.undo_decision": Case(
        {"decision_id": SeededId("decision", 1001), "rule": "later_value", "record": 1001, "by_record": 1003}
    ),
    "claims.undo_alias": Case({"decision_id": SeededId("alias", 1)}),
    "claims.facts_on": Case(),
    "claims.release": Case(),
    "claims.mark_facts": Case(),
    "claims.mark_name": Case({"entity_type": "person", "name": "person1"}),
    "claims.mark_known_keys": Case(whole=REBUILDS),
    "claims.mark_some_facts": Case(),
    "claims.asked": Case(
        {"names": ["person1", "person2", "nobody", "thing7"], "first_names": ["person1"], "known_at": 5000}
    ),
    "claims.search": Case(
        {"spaces": [1, 1], "names": ["person1", "thing7"], "relations": ["likes", "likes"], "valued": [False, True],
         "scores": [1.0, 0.5], "named": ["person2"], "known_at": 5000, "from_at": NOW, "to_at": NOW, "most": 20}
    ),
    "claims.plans": Case({"names": ["person1"], "known_at": 5000, "most": 20}),
    "claims.told": Case({"facts": RECORDS[:3], "known_at": 5000, "most": 8}),
    "claims.stale": Case(whole=COUNTS),
    "relations.list": Case(whole=ONE_TENANT),
    "relations.current": Case({"relation": "relation1"}),
    "relations.close": Case({"relation": "relation1"}),
    "relations.insert": Case(
        {"relation": "new", "single": True, "aliases": [], "inverses": [], "set_by": "person"}
    ),
    "relations.mark": Case({"names": ["relation1"]}),
    "relations.mark_profiles": Case({"names": ["relation1"]}),
    "relations.unsaid": Case({"most": 20}),
    "relations.to_learn": Case({"relations": ["likes_much", "relation1"], "most": 100}),
    "entity_profiles.due": Case({"after_object": False}),
    "entity_profiles.lock_due": Case({"entity_key": "person1"}),
    "entity_profiles.done": Case({"entity_key": "person1"}),
    "entity_profiles.facts": Case({"entity_key": "person1", "most": 1000}),
    "entity_profiles.last_commit": Case({"entity_key": "person1"}),
    "entity_profiles.hold": Case(),
    "entity_profiles.current": Case({"entity_key": "person1"}),
    "entity_profiles.due_all": Case(whole=REBUILDS),
    "entity_profiles.entities": Case({"after_space": 0, "after_key": ""}, whole=CHECKS),
    "summaries.head": Case(),
    "summaries.place": Case({"summary_id": SeededId("summary", 101)}),
    "summaries.list": Case({"kind": "card", "known_at": 5000}),
    "summaries.list_group": Case({"kind": "card", "known_at": 5000, "after": 0}),
    "summaries.list_entity": Case({"kind": "profile", "known_at": 5000, "after": 0, "name": "person1"}),
    "summaries.search": Case(
        {"kind": "card", "terms": ["alpha7", "beta7"], "weights": [1.0, 1.0], "cosine": 0.7, "known_at": 5000,
         "limit": 5, "cap": 500, "exact": 1000}
    ),
    "summaries.begin": Case(),
    "summaries.follow": Case({"commits": 3}),
    "summaries.mark": Case(),
    "summaries.due": Case(),
    "summaries.lock_due": Case(),
    "summaries.lock_group": Case(),
    "summaries.done": Case(),
    "summaries.digest": Case({"most": 5000}),
    "summaries.turns": Case({"most": 5000}),
    "summaries.facts": Case({"most": 5000}),
    "summaries.vectors": Case(),
    "summaries.current": Case(),
    "summaries.delete_current": Case(),
    "summaries.close": Case({"summaries": [101, 102]}),
    "summaries.confirm": Case({"summaries": [101, 102], "firsts": [None, None], "lasts": [NOW, NOW], "inputs": "x"}),
    "summaries.insert": Case(
        {"summary_no": NEW, "summary_id": UUID(int=8), "kind": "card", "entity_key": "", "part": 0, "title": "new",
         "text": "new", "phrasings": ["new"], "detail": "{}", "first_at": None, "last_at": None, "inputs": "x",
         "form": "rules:1"}
    ),
    "summaries.insert_vector": Case({"summary_no": 25, "kind": "card"}),
    "summaries.insert_call": Case(
        {"call_id": UUID(int=9), "kind": "card", "form": "model:x:1", "requests": 1, "refused": 0, "reason": None,
         "prompt_tokens": 1, "completion_tokens": 1, "estimated": False, "duration_ms": 1.0}
    ),
    "summaries.forget_progress": Case(),
    "summaries.undue_groups": CHECK,
    "summaries.behind": Case(),
    "derivation.versions": Case(),
    "derivation.set_version": Case({"name": "claims", "version": "2"}),
}  # fmt: skip
