"""Who may do what, written down by hand: the matrix that the catalog and the tenant tests are held against.

Nothing here is derived from ``sql/``. A new table, view, sequence, function, role or schema needs a line here, with a
reason wherever it differs from the rule; without one the wall tests fail.
"""

from dataclasses import dataclass
from typing import Literal

OURS = ("muniment", "muniment_auth", "muniment_jobs", "analytics", "ops")

TENANT_CLAUSE = "(tenant_id = ( SELECT muniment_auth.scope_tenant() AS scope_tenant))"
SPACE_CLAUSE = (
    "(( SELECT muniment_auth.scope_whole() AS scope_whole) "
    "OR (space_id IN ( SELECT muniment_auth.scope_spaces() AS scope_spaces)))"
)
CONDEMNED_CLAUSE = "(tenant_id = ( SELECT muniment_auth.condemned_tenant() AS condemned_tenant))"
REMOVER = "select, delete"
"""What muniment_remover holds on every table of tenants, of those alone that were given up."""
LOGIN_CLAUSE = "(tenant_id = ( SELECT muniment_auth.login_tenant() AS login_tenant))"


@dataclass(frozen=True, slots=True)
class TenantTable:
    """What the roles may do with a table of tenants' rows.

    ``app`` and ``analyst`` are privileges in words. ``unspaced`` is the reason why a scope that is pinned to spaces
    sees the rows of the whole tenant; None where the policy has the space clause. ``no_space`` is the reason why the
    table has no column space_id at all.
    """

    app: str
    analyst: Literal["select", ""]
    unspaced: str | None = None
    no_space: str | None = None
    resolver: Literal["select", ""] = ""
    eraser: str = ""
    watchdog: Literal["select", ""] = ""
    reporter: Literal["select", ""] = ""

    @property
    def pinned(self) -> bool:
        """Whether the policy has the space clause."""
        return self.unspaced is None and self.no_space is None

    def app_may(self, operation: str) -> bool:
        """Whether muniment_app holds the privilege on its own tenant's rows."""
        return operation in self.app.split(", ")


_ABOUT_TENANT = "it is about the tenant as a whole"
_ONE_TREE = "a tenant has one history tree, of hashes and counts; proofs need all of it"

TENANT_TABLES: dict[str, TenantTable] = {
    "muniment_auth.tenant": TenantTable(
        "select, insert, update", "", no_space=_ABOUT_TENANT, resolver="select", reporter="select"
    ),
    "muniment_auth.credential": TenantTable("select, insert, update", "", no_space=_ABOUT_TENANT, resolver="select"),
    "muniment_auth.member": TenantTable(
        "select, insert, update, delete", "", no_space=_ABOUT_TENANT, resolver="select"
    ),
    "muniment_auth.oauth_client": TenantTable("select, insert, update", "", no_space=_ABOUT_TENANT, resolver="select"),
    "muniment_auth.oauth_grant": TenantTable(
        "select, insert, update, delete", "", no_space=_ABOUT_TENANT, resolver="select"
    ),
    "muniment_auth.oauth_code": TenantTable("select, insert, update", "", no_space=_ABOUT_TENANT),
    "muniment_auth.oauth_refresh": TenantTable("select, insert, update", "", no_space=_ABOUT_TENANT),
    "muniment_auth.oauth_device": TenantTable(
        "select, insert, update, delete", "", no_space=_ABOUT_TENANT, resolver="select"
    ),
    "muniment_auth.external_issuer": TenantTable("select, insert, delete", "", no_space=_ABOUT_TENANT),
    "muniment_auth.session": TenantTable("select, insert, delete", "", no_space=_ABOUT_TENANT),
    "muniment_auth.audit_head": TenantTable("select, insert, update", "", no_space=_ABOUT_TENANT),
    "muniment_auth.audit_entry": TenantTable("select, insert", "", no_space=_ABOUT_TENANT),
    "muniment_auth.sql_login": TenantTable(
        "select, insert, update, delete", "", no_space=_ABOUT_TENANT, resolver="select", watchdog="select"
    ),
    "muniment.counter": TenantTable("select, insert, update", "", no_space=_ABOUT_TENANT),
    "muniment.space": TenantTable("select, insert", "select", reporter="select"),
    "muniment.blob": TenantTable("select, insert", "select", eraser="select, delete"),
    "muniment.source": TenantTable("select, insert, update", "select", eraser="select, update", reporter="select"),
    "muniment.source_version": TenantTable(
        "select, insert, update", "select", eraser="select, update", reporter="select"
    ),
    "muniment.record_group": TenantTable(
        "select, insert, update", "select", eraser="select, update", reporter="select"
    ),
    "muniment.ingestion_run": TenantTable("select, insert, update", "select"),
    "muniment.ingestion_item": TenantTable("select, insert, update", "select", eraser="select, update"),
    "muniment.idempotency": TenantTable("select, insert, update, delete", "", eraser="select, delete"),
    "muniment.record": TenantTable("select, insert", "select", eraser="select, update", reporter="select"),
    "muniment.record_content": TenantTable("select, insert", "select", eraser="select, delete"),
    "muniment.message_key": TenantTable("select, insert, update", ""),
    "muniment.record_metadata": TenantTable("select, insert, delete", "select"),
    "muniment.evidence": TenantTable("select, insert", "select", eraser="select"),
    "muniment.log_head": TenantTable("select, insert, update", "select", no_space=_ONE_TREE, reporter="select"),
    "muniment.log_commit": TenantTable("select, insert", "select", unspaced=_ONE_TREE, reporter="select"),
    "muniment.log_entry": TenantTable("select, insert", "select"),
    "muniment.tree_node": TenantTable("select, insert", "select", no_space=_ONE_TREE),
    "muniment.checkpoint": TenantTable("select, insert", "select", no_space=_ONE_TREE),
    "muniment.erasure": TenantTable("select, insert, update", "select", no_space=_ABOUT_TENANT, reporter="select"),
    "muniment.tombstone": TenantTable("select, insert", "select", eraser="select, insert"),
    "muniment.liveness": TenantTable("select, insert, update, delete", "select", reporter="select"),
    "muniment.lexical_document": TenantTable("select, insert, delete", "select", eraser="select"),
    "muniment.posting_tail": TenantTable("select, insert, delete", "select", eraser="select"),
    "muniment.posting_block": TenantTable(
        "select, insert, update, delete", "select", eraser="select, insert, update, delete"
    ),
    "muniment.embedding": TenantTable("select, insert, delete", "select"),
    "muniment.embedding_pending": TenantTable("select, insert, delete", "select", reporter="select"),
    "muniment.record_entity": TenantTable("select, insert, delete", "select"),
    "muniment.record_subject": TenantTable("select, insert, delete", "select"),
    "muniment.record_time": TenantTable("select, insert, delete", "select"),
    "muniment.fact": TenantTable("select, insert", "select", eraser="select"),
    "muniment.extraction": TenantTable("select, insert, update", "select"),
    "muniment.extraction_call": TenantTable("select, insert", "select", reporter="select"),
    "muniment.similarity": TenantTable("select, insert, delete", "select"),
    "muniment.similarity_linked": TenantTable("select, insert, delete", "select"),
    "muniment.relation": TenantTable("select, insert, update", "select", no_space=_ABOUT_TENANT),
    "muniment.entity": TenantTable("select, insert, update, delete", "select"),
    "muniment.entity_gram": TenantTable("select, insert, update, delete", "select"),
    "muniment.entity_alias": TenantTable("select, insert, update", "select"),
    "muniment.claim_dirty": TenantTable("select, insert, delete", ""),
    "muniment.claim": TenantTable("select, insert, update, delete", "select", reporter="select"),
    "muniment.claim_evidence": TenantTable("select, insert, update, delete", "select"),
    "muniment.claim_decision": TenantTable("select, insert, update, delete", "select"),
    "muniment.claim_undo": TenantTable("select, insert", "select"),
    "muniment.derivation": TenantTable("select, insert, update", "", no_space=_ABOUT_TENANT),
    "muniment.summary_progress": TenantTable("select, insert, update", "", no_space=_ABOUT_TENANT),
    "muniment.summary_due": TenantTable("select, insert, update, delete", "", eraser="select, insert, update"),
    "muniment.summary": TenantTable("select, insert, update, delete", "select", eraser="select, delete"),
    "muniment.profile_due": TenantTable("select, insert, update, delete", "", eraser="select, insert"),
    "muniment.summary_posting": TenantTable("select, insert", ""),
    "muniment.summary_vector": TenantTable("select, insert", ""),
    "muniment.summary_call": TenantTable("select, insert", "select", reporter="select"),
    "muniment.retrieval_profile": TenantTable("select, insert", "select", no_space=_ABOUT_TENANT),
    "muniment.query_run": TenantTable(
        "select, insert, update, delete", "select", eraser="select, update", reporter="select"
    ),
    "muniment.query_stage": TenantTable("select, insert", "select", eraser="select, update"),
    "muniment.query_hit": TenantTable("select, insert, update", "select", eraser="select"),
    "muniment.served_key": TenantTable("select, insert", "", no_space=_ABOUT_TENANT),
    "muniment.served": TenantTable("select, insert, update, delete", "", eraser="select, delete"),
    "muniment.quota": TenantTable("select, insert, update", "select", no_space=_ABOUT_TENANT),
    "muniment.ration": TenantTable("select, insert, update", "", no_space=_ABOUT_TENANT),
    "muniment.search_lease": TenantTable("select, insert, delete", "", no_space=_ABOUT_TENANT),
    "muniment.usage_day": TenantTable("select, insert, update", "select", no_space=_ABOUT_TENANT),
    "muniment.usage_entry": TenantTable(
        "select, insert, update, delete", "select", no_space=_ABOUT_TENANT, eraser="insert"
    ),
    "muniment.job": TenantTable("select, insert, update, delete", "select", eraser="select, update"),
}

# tables that hold nothing of a tenant: role -> privileges, and why there is no tenant_id
OTHER_TABLES: dict[str, tuple[dict[str, str], str]] = {
    "muniment_auth.instance": (
        {"muniment_app": "select, update", "muniment_dispatcher": "select"},
        "one row about the installation",
    ),
    "muniment_auth.signing_key": (
        {"muniment_app": "select, insert, update, delete"},
        "keys of the installation, which sign the tokens of all tenants",
    ),
    "muniment_auth.tenant_deletion": (
        {"muniment_app": "select, insert, update"},
        "receipts of deleted tenants, who are gone: ids, digests and counts",
    ),
    "muniment.alembic_version": ({"muniment_app": "select"}, "the schema's version"),
    "muniment.applied_files": ({"muniment_app": "select"}, "the schema's checksum"),
    "muniment.embedding_model": (
        {"muniment_app": "select, insert", "muniment_analyst": "select"},
        "a registry of public model names",
    ),
    "muniment_jobs.queue": (
        {
            "muniment_app": "select, insert",
            "muniment_dispatcher": "select, update, delete",
            "muniment_reporter": "select",
        },
        "ids, kinds and leases, claimed across tenants; what a job is about lies in muniment.job",
    ),
    "muniment_jobs.turn": (
        {"muniment_dispatcher": "select, insert, update, delete"},
        "when a tenant's jobs were last served, compared across tenants",
    ),
}

VIEWS: dict[str, dict[str, str]] = {
    "muniment.edge": {"muniment_app": "select", "muniment_analyst": "select"},
    "muniment.relation_default": {"muniment_app": "select", "muniment_analyst": "select"},
    **{
        f"analytics.{name}": {"muniment_analyst": "select"}
        for name in (
            "claim_facts",
            "claims",
            "costs",
            "evidence",
            "facts",
            "groups",
            "jobs",
            "model_calls",
            "query_hits",
            "query_runs",
            "query_steps",
            "quota_usage",
            "records",
            "sources",
            "usage",
        )
    },
}

# computed across tenants, of counts and times alone, and owned by muniment_reporter
MATERIALIZED_VIEWS: dict[str, dict[str, str]] = {
    f"ops.{name}": {"muniment_ops": "select"} for name in ("tenants", "usage", "claims", "groups", "freshness")
}

SEQUENCES: dict[str, dict[str, str]] = {
    "muniment_auth.tenant_number": {"muniment_app": "usage"},
    "muniment.embedding_model_model_no_seq": {},
    "muniment.usage_entry_entry_id_seq": {},
}

SCHEMAS: dict[str, dict[str, str]] = {
    "muniment": {
        "muniment_app": "usage",
        "muniment_analyst": "usage",
        "muniment_eraser": "create, usage",
        "muniment_reporter": "usage",
        "muniment_remover": "usage",
    },
    "muniment_auth": {
        "muniment_app": "usage",
        "muniment_analyst": "usage",
        "muniment_resolver": "create, usage",
        "muniment_watchdog": "create, usage",
        "muniment_eraser": "usage",
        "muniment_dispatcher": "usage",
        "muniment_reporter": "usage",
        "muniment_remover": "create, usage",
    },
    "muniment_jobs": {
        "muniment_app": "usage",
        "muniment_dispatcher": "create, usage",
        "muniment_reporter": "usage",
    },
    "analytics": {"muniment_analyst": "usage"},
    "ops": {"muniment_ops": "usage", "muniment_app": "usage", "muniment_reporter": "create, usage"},
}

# Unique keys, foreign keys and indexes that do not start with tenant_id, and why that tells nobody anything.
KEYS_WITHOUT_TENANT: dict[str, str] = {
    "muniment_auth.sql_login_login_key": "a PostgreSQL login is one name in the whole cluster, listed in pg_roles",
    "muniment_auth.oauth_client_found": "resolve_client looks a client up before it knows the tenant",
    "muniment_auth.oauth_grant_found": "resolve_grant looks a token's grant up before it knows the tenant",
    "muniment_auth.oauth_device_found": "resolve_user_code looks a typed code up before it knows the tenant",
    "muniment_auth.credential_previous": "the same for the secret before a rotation",
    "muniment_auth.credential_secret": "resolve_credential looks a secret's hash up before it knows the tenant",
    "muniment.summary_vector_model_no_fkey": "points to the registry of models, which has no tenant",
    "muniment.embedding_model_no_fkey": "points to the registry of models, which has no tenant",
}

# Functions that run as their owner: what crosses tenants. Everything else is security invoker.
DEFINERS: dict[str, str] = {
    "muniment_auth.resolve_credential": "muniment_resolver",
    "muniment_auth.tenants": "muniment_resolver",
    "muniment_auth.resolve_client": "muniment_resolver",
    "muniment_auth.resolve_grant": "muniment_resolver",
    "muniment_auth.resolve_user_code": "muniment_resolver",
    "muniment_auth.login_tenant": "muniment_resolver",
    "muniment_auth.remove_rows": "muniment_remover",
    "muniment_auth.remove_tenant": "muniment_remover",
    "muniment_auth.end_overruns": "muniment_watchdog",
    "muniment_auth.end_sessions": "muniment_watchdog",
    "ops.refresh": "muniment_reporter",
    "muniment_jobs.claim_jobs": "muniment_dispatcher",
    "muniment.erase_postings": "muniment_eraser",
    "muniment.erase_contents": "muniment_eraser",
    "muniment.erase_originals": "muniment_eraser",
    "muniment.erase_traces": "muniment_eraser",
    "muniment.erase_inputs": "muniment_eraser",
    "muniment.erase_unused": "muniment_eraser",
    "muniment_jobs.claim_job": "muniment_dispatcher",
    "muniment_jobs.dispatch_jobs": "muniment_dispatcher",
    "muniment_jobs.recall_jobs": "muniment_dispatcher",
    "muniment_jobs.cancel_job": "muniment_dispatcher",
    "muniment_jobs.revive_job": "muniment_dispatcher",
    "muniment_jobs.served_tenants": "muniment_dispatcher",
    "muniment_jobs.extend_lease": "muniment_dispatcher",
    "muniment_jobs.settle_job": "muniment_dispatcher",
    "muniment_jobs.forget_tenant": "muniment_dispatcher",
    "muniment_jobs.requeue_job": "muniment_dispatcher",
    "muniment_jobs.reap_jobs": "muniment_dispatcher",
}

# What muniment.search calls, and so whoever may call that: functions that read under their caller's policies.
_SEARCH = ("muniment_app", "muniment_analyst")

_CUTTING = (*_SEARCH, "muniment_eraser")  # what cuts texts into words, which an erase looks for elsewhere

# Every function and who may call it.
FUNCTIONS: dict[str, tuple[str, ...]] = {
    "muniment_auth.open_scope": ("muniment_app",),
    "muniment_auth.open_pinned_scope": ("muniment_app",),
    "muniment_auth.scope_tenant": ("muniment_app", "muniment_dispatcher", "muniment_remover", "muniment_eraser"),
    "muniment_auth.scope_whole": ("muniment_app",),
    "muniment_auth.scope_spaces": ("muniment_app",),
    "muniment.take_requests": ("muniment_app",),
    "muniment.hold_searches": ("muniment_app",),
    "muniment_auth.resolve_credential": ("muniment_app",),
    "muniment_auth.tenants": ("muniment_app",),
    "muniment_auth.resolve_client": ("muniment_app",),
    "muniment_auth.resolve_grant": ("muniment_app",),
    "muniment_auth.resolve_user_code": ("muniment_app",),
    "muniment_auth.login_tenant": ("muniment_analyst",),
    "muniment_auth.tenant_tables": ("muniment_app", "muniment_remover"),
    "muniment_auth.rows_left": ("muniment_app",),
    "muniment_auth.condemned_tenant": ("muniment_app", "muniment_remover"),
    "muniment_auth.remove_rows": ("muniment_app",),
    "muniment_auth.remove_tenant": ("muniment_app",),
    "muniment_jobs.forget_tenant": ("muniment_app",),
    "muniment.archive_tables": ("muniment_app",),
    "muniment.archive_columns": ("muniment_app",),
    "muniment.open_archive": ("muniment_app",),
    "muniment.restore_rows": ("muniment_app",),
    "muniment_auth.end_overruns": ("muniment_app",),
    "muniment_auth.end_sessions": ("muniment_app",),
    "muniment_auth.refuse_definitions": ("muniment_app",),
    "ops.refresh": ("muniment_app",),
    "muniment_jobs.enqueue": ("muniment_app",),
    "muniment_jobs.claim_jobs": ("muniment_app",),
    "muniment_jobs.claim_job": ("muniment_app",),
    "muniment_jobs.dispatch_jobs": ("muniment_app",),
    "muniment_jobs.recall_jobs": ("muniment_app",),
    "muniment_jobs.cancel_job": ("muniment_app",),
    "muniment_jobs.revive_job": ("muniment_app",),
    "muniment_jobs.served_tenants": ("muniment_app",),
    "muniment_jobs.waiting_tenants": ("muniment_dispatcher", "muniment_app"),
    "muniment_jobs.next_job": ("muniment_dispatcher", "muniment_app"),
    "muniment_jobs.note_turns": ("muniment_dispatcher", "muniment_app"),
    "muniment_jobs.extend_lease": ("muniment_app",),
    "muniment_jobs.settle_job": ("muniment_app",),
    "muniment_jobs.requeue_job": ("muniment_app",),
    "muniment_jobs.reap_jobs": ("muniment_app",),
    "muniment.erase_postings": (),
    "muniment.erase_contents": ("muniment_app",),
    "muniment.erase_originals": ("muniment_app",),
    "muniment.erase_traces": ("muniment_app",),
    "muniment.erase_inputs": ("muniment_app",),
    "muniment.erase_unused": (),
    "muniment.has_word": ("muniment_app", "muniment_eraser"),
    "muniment.texts_of": ("muniment_app", "muniment_eraser"),
    "muniment.mark_summaries": ("muniment_app",),
    "muniment.summary_inputs": ("muniment_app",),
    "muniment.summary_digest": ("muniment_app",),
    "muniment.search_summaries": ("muniment_app",),
    "muniment.add_postings": _SEARCH,
    "muniment.drop_closed": _SEARCH,
    "muniment.finish_by_documents": _SEARCH,
    "muniment.finish_by_postings": _SEARCH,
    "muniment.cosines": _SEARCH,
    "muniment.aliases_on": ("muniment_app",),
    "muniment.apply_aliases": ("muniment_app",),
    "muniment.apply_claims": ("muniment_app",),
    "muniment.check_claims": ("muniment_app",),
    "muniment.claim_changes": ("muniment_app",),
    "muniment.claim_definition": ("muniment_app",),
    "muniment.claim_keys": ("muniment_app",),
    "muniment.claim_lock": ("muniment_app",),
    "muniment.compile_claims": ("muniment_app",),
    "muniment.derived_id": ("muniment_app",),
    "muniment.entity_names": ("muniment_app",),
    "muniment.entity_root": ("muniment_app",),
    "muniment.fact_with_name": ("muniment_app",),
    "muniment.facts_losing_names": ("muniment_app",),
    "muniment.facts_of_key": ("muniment_app",),
    "muniment.keep_names": ("muniment_app",),
    "muniment.link_names": ("muniment_app",),
    "muniment.mark_commit": ("muniment_app",),
    "muniment.mark_facts": ("muniment_app",),
    "muniment.mark_facts_as": ("muniment_app",),
    "muniment.mark_name": ("muniment_app",),
    "muniment.mark_relations": ("muniment_app",),
    "muniment.name_key": ("muniment_app",),
    "muniment.name_letters": ("muniment_app",),
    "muniment.names_meant": ("muniment_app",),
    "muniment.names_of_facts": ("muniment_app",),
    "muniment.names_told": ("muniment_app",),
    "muniment.recompile_key": ("muniment_app",),
    "muniment.relation_called": ("muniment_app",),
    "muniment.relation_names": ("muniment_app",),
    "muniment.relations_asked": ("muniment_app",),
    "muniment.relations_to_learn": ("muniment_app",),
    "muniment.release_claims": ("muniment_app",),
    "muniment.same_first_name": ("muniment_app",),
    "muniment.search_claims": ("muniment_app",),
    "muniment.single_by_name": ("muniment_app",),
    "muniment.describe_candidates": _SEARCH,
    "muniment.count_held_terms": ("muniment_app",),
    "muniment.describe_fields": ("muniment_app",),
    "muniment.documents_of_log": ("muniment_app",),
    "muniment.index_records": ("muniment_app",),
    "muniment.index_texts": ("muniment_app",),
    "muniment.indexed_text": ("muniment_app", "muniment_eraser"),
    "muniment.lexical_statistics": _SEARCH,
    "muniment.link_record": ("muniment_app",),
    "muniment.link_similar": ("muniment_app",),
    "muniment.link_to_record": ("muniment_app",),
    "muniment.liveness_of_log": ("muniment_app",),
    "muniment.lock_postings": ("muniment_app",),
    "muniment.merge_postings": ("muniment_app",),
    "muniment.filter_texts": _SEARCH,
    "muniment.matching_records": _SEARCH,
    "muniment.metadata_fits": _SEARCH,
    "muniment.narrow_records": _SEARCH,
    "muniment.near_times": _SEARCH,
    "muniment.other_marks": _CUTTING,
    "muniment.spaceless_letters": _CUTTING,
    "muniment.spaceless_marks": _CUTTING,
    "muniment.question_terms": _SEARCH,
    "muniment.question_languages": _SEARCH,
    "muniment.question_words": _SEARCH,
    "muniment.read_question": _SEARCH,
    "muniment.languages": _SEARCH,
    "muniment.fold_marks": _CUTTING,
    "muniment.stem_of": _CUTTING,
    "muniment.rebuild_lexical": ("muniment_app",),
    "muniment.rebuild_liveness": ("muniment_app",),
    "muniment.score_records": _SEARCH,
    "muniment.score_times": _SEARCH,
    "muniment.search_lexical": _SEARCH,
    "muniment.search_lexical_terms": _SEARCH,
    "muniment.search_lexical_exhaustive": ("muniment_app",),
    "muniment.search_times": _SEARCH,
    "muniment.search_vector": _SEARCH,
    "muniment.search_vector_again": ("muniment_app",),
    "muniment.search_vector_index": _SEARCH,
    "muniment.search_vector_scan": _SEARCH,
    "muniment.speakers": _SEARCH,
    "muniment.stem_dictionary": _CUTTING,
    "muniment.step_graph": _SEARCH,
    "muniment.tail_postings": _SEARCH,
    "muniment.tail_sizes": ("muniment_app",),
    "muniment.term_hash": _SEARCH,
    "muniment.time_proximity": _SEARCH,
    "muniment.tokenize": _CUTTING,
    "muniment.tokenize_chunks": _CUTTING,
    "muniment.unpack_tail": _SEARCH,
    "muniment.walk_graph": _SEARCH,
    "muniment.weigh_terms": _SEARCH,
    "muniment.admit_search": _SEARCH,
    "muniment.admit_window": _SEARCH,
    "muniment.date_terms": _SEARCH,
    "muniment.filter_given": _SEARCH,
    "muniment.find_by_routes": _SEARCH,
    "muniment.first_of_each_text": _SEARCH,
    "muniment.in_first_person": _SEARCH,
    "muniment.metadata_condition": _SEARCH,
    "muniment.model_of": _SEARCH,
    "muniment.score_coverage": _SEARCH,
    "muniment.search_default": _SEARCH,
    "muniment.speakers_named": _SEARCH,
    "muniment.when_cues": _SEARCH,
    "muniment.search": ("muniment_analyst",),
}

# Every role: whether it may log in. None is a superuser, passes over row-level security, or makes roles or databases.
ROLES: dict[str, bool] = {
    "muniment_owner": False,
    "muniment_app": True,
    "muniment_analyst": False,
    "muniment_ops": False,
    "muniment_resolver": False,
    "muniment_dispatcher": False,
    "muniment_eraser": False,
    "muniment_watchdog": False,
    "muniment_reporter": False,
    "muniment_remover": False,
}
