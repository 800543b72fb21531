"""Who may read each view, and use each sequence."""

VIEWS: dict[str, dict[str, str]] = {
    "muniment.edge": {"muniment_app": "select", "muniment_analyst": "select"},
    "muniment.fact_side": {"muniment_app": "select", "muniment_analyst": "select", "muniment_eraser": "select"},
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
