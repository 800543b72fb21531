"""The roles, the schemas they may use, and the clauses of the policies that hold them."""

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
