"""What the roles may do with each table, and which keys do not begin with the tenant."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class TenantTable:
    """What the roles may do with a table of tenants' rows.

    ``app`` and ``analyst`` are privileges in words. ``unspaced`` is the reason why a scope that is pinned to spaces
    sees the rows of the whole tenant; None where the policy has the space clause. ``no_space`` is the reason why the
    table has no column space_id at all. ``event`` is the kind of rows that a pinned scope sees, of the whole tenant.
    """

    app: str
    analyst: Literal["select", ""]
    unspaced: str | None = None
    no_space: str | None = None
    resolver: Literal["select", ""] = ""
    eraser: str = ""
    watchdog: Literal["select", ""] = ""
    reporter: Literal["select", ""] = ""
    event: str | None = None

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
    "muniment.log_entry": TenantTable("select, insert", "select", event="policy"),
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
