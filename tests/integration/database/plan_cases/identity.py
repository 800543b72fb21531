"""Who may come in, and what each may use."""

from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

from plan_case import NEW, NOW, Case, SeededId, sha256_of

from plan_cases.reasons import NO_TABLE, ONE_TENANT, SET_UP

_NO_TENANT = Case(elsewhere="reads a table that has a few rows of the whole installation")
_MEMBER: dict[str, Any] = {"member": SeededId("member", 7)}
_CLIENT: dict[str, Any] = {"client": SeededId("client", 7)}
_GRANT: dict[str, Any] = {"grant": SeededId("grant", 7)}

CASES: dict[str, Case] = {
    "quotas.read": Case(),
    "quotas.put": Case(
        {"requests_per_minute": 60, "concurrent_searches": 2, "model_tokens_per_day": 0, "records": None, "bytes": None}
    ),
    "quotas.held": Case(),
    "quotas.take_requests": Case({"limit": 60, "share": 1}),
    "quotas.hold_searches": Case({"holder": UUID(int=5), "slots": 1, "limit": 2, "lease": 15.0, "under_way": 1}),
    "quotas.searching": Case({"holder": UUID(int=5)}),
    "quotas.requests": Case({"limit": 60}),
    "quotas.model_tokens": Case({"since": datetime(2025, 12, 31, tzinfo=UTC), "day": date(2025, 12, 31)}),
    "usage.note": Case(
        {"days": [date(2025, 12, 31)], "requests": [1], "refused": [0], "searches": [1], "prompt_tokens": [0],
         "completion_tokens": [0]}
    ),
    "usage.add_up": Case(),
    "usage.count_all": Case(whole="an import counts all that it brought"),
    "usage.days": Case({"since": datetime(2025, 12, 31, tzinfo=UTC), "day": date(2025, 12, 31)}),
    "members.insert": Case(
        {"member": UUID(int=1), "email": "new@example.org", "password_hash": None, "scopes": [], "pin_project": None,
         "pin_user": None, "pin_agent": None}
    ),
    "members.list": Case(whole=ONE_TENANT),
    "members.get": Case(_MEMBER),
    "members.of_email": Case({"email": "member7@example.org"}),
    "members.failed": Case(_MEMBER),
    "members.signed_in": Case(_MEMBER | {"password_hash": None}),
    "members.set_password": Case(_MEMBER | {"password_hash": "x"}),
    "members.set_state": Case(_MEMBER | {"state": "suspended"}),
    "members.delete": Case(_MEMBER),
    "members.end_sessions": Case(_MEMBER),
    "members.end_grants": Case(_MEMBER),
    "members.open_session": Case(_MEMBER | {"session_hash": sha256_of("new"), "seconds": 60.0}),
    "members.of_session": Case({"session_hash": sha256_of("session7")}),
    "members.close_session": Case({"session_hash": sha256_of("session7")}),
    "members.close_old_sessions": Case(_MEMBER),
    "clients.insert": Case(
        {"client": UUID(int=1), "secret_hash": None, "name": "n", "redirect_uris": [], "grant_types": [], "scopes": [],
         "auth_method": "none", "pin_project": None, "pin_user": None, "pin_agent": None}
    ),
    "issuers.insert": Case(
        {"issuer": UUID(int=1), "url": "https://new.example", "scopes": [], "scope_claim": "scope", "user_claim": None,
         "pin_project": None, "pin_user": None, "pin_agent": None}
    ),
    "issuers.list": Case(whole=ONE_TENANT),
    "issuers.of_url": Case({"url": "https://idp7.example"}),
    "issuers.delete": Case({"issuer": SeededId("issuer", 7)}),
    "clients.list": Case(whole=ONE_TENANT),
    "clients.resolve": Case(elsewhere="finds the tenant by a client's id; index oauth_client_found"),
    "clients.set_secret": Case(_CLIENT | {"secret_hash": sha256_of("new")}),
    "clients.revoke": Case(_CLIENT),
    "oauth.insert_grant": Case(
        _CLIENT
        | {"grant": UUID(int=1), "member": SeededId("member", 7), "scopes": [], "resource": "r", "pin_project": None,
           "pin_user": None, "pin_agent": None, "seconds": 60.0}
    ),
    "oauth.tidy": Case(),
    "oauth.tidy_devices": Case(_CLIENT),
    "oauth.resolve_grant": Case(elsewhere="finds the tenant by a grant's id; index oauth_grant_found"),
    "oauth.revoke_grant": Case(_GRANT),
    "oauth.insert_code": Case(
        _GRANT | {"code_hash": sha256_of("new"), "redirect_uri": None, "challenge": "c", "seconds": 60.0}
    ),
    "oauth.use_code": Case(_CLIENT | {"code_hash": sha256_of("code7")}),
    "oauth.grant_of_used_code": Case({"code_hash": sha256_of("code7")}),
    "oauth.insert_refresh": Case(_GRANT | {"token_hash": sha256_of("new"), "seconds": 60.0}),
    "oauth.extend_grant": Case(_GRANT | {"seconds": 60.0}),
    "oauth.refresh": Case({"token_hash": sha256_of("refresh7")}),
    "oauth.use_refresh": Case({"token_hash": sha256_of("refresh7")}),
    "oauth.insert_device": Case(
        _CLIENT
        | {"device_hash": sha256_of("new"), "user_hash": sha256_of("new"), "scopes": [], "resource": "r",
           "seconds": 60.0}
    ),
    "oauth.device": Case({"device_hash": sha256_of("device7")}),
    "oauth.grant": Case(_GRANT),
    "oauth.use_device": Case({"device_hash": sha256_of("device7")}),
    "oauth.resolve_user_code": Case(elsewhere="finds the tenant by what people type; index oauth_device_found"),
    "oauth.waiting_device": Case(_CLIENT | {"user_hash": sha256_of("user7")}),
    "oauth.decide_device": Case({"device_hash": sha256_of("device7"), "state": "denied", "grant": None}),
    "oauth.signing_keys": _NO_TENANT,
    "oauth.lock_signing_keys": NO_TABLE,
    "oauth.insert_signing_key": _NO_TENANT,
    "oauth.retire_signing_keys": _NO_TENANT,
    "oauth.delete_signing_keys": _NO_TENANT,
    "audit.advance": Case(),
    "audit.append": Case(
        {"entry_no": NEW, "at": NOW, "actor": "cli", "action": "erase", "target": None, "detail": "{}",
         "previous": sha256_of("x"), "digest": sha256_of("y")}
    ),
    "audit.list": Case({"before": 2**62}),
    "audit.walk": Case({"after": 0}),
    "audit.told": Case(
        {"action": "tenant.exported", "detail": '{"entries": 1}'}, whole="once, when the tenant is deleted"
    ),
    "audit.head": Case(),
    "keys.insert": Case(
        {"key": UUID(int=1), "prefix": "mun_", "secret_hash": sha256_of("x"), "label": "l", "scopes": [],
         "expires_at": None, "pin_project": None, "pin_user": None, "pin_agent": None}
    ),
    "keys.get": Case({"key": SeededId("key", 2)}),
    "keys.rotate": Case(
        {"key": SeededId("key", 2), "prefix": "mun_", "secret_hash": sha256_of("y"), "grace": 1.0}
    ),
    "keys.resolve": Case(elsewhere="finds the tenant by the hash of a secret; index credential_secret"),
    "keys.touch": Case({"key": SeededId("key", 2)}),
    "keys.list": Case(),
    "keys.revoke": Case({"key": SeededId("key", 2)}),
    "scope.forget_plans": NO_TABLE,
    "scope.open": NO_TABLE,
    "scope.open_pinned": Case(elsewhere="a function, whose only query is that of spaces.visible"),
    "scope.snapshot": NO_TABLE,
    "scope.limit": NO_TABLE,
    "scope.ping": NO_TABLE,
    "scope.guard": NO_TABLE,
    "scope.recover": NO_TABLE,
    "spaces.find": Case(),
    "spaces.insert": Case({"project": "new", "user": None, "space": NEW}),
    "spaces.visible": Case({"shared": False}),
    "sql_logins.create_role": SET_UP,
    "sql_logins.role_defaults": SET_UP,
    "sql_logins.may_become_app": SET_UP,
    "sql_logins.let_become_app": SET_UP,
    "sql_logins.become_app": SET_UP,
    "sql_logins.become_administrator": SET_UP,
    "sql_logins.memberships": SET_UP,
    "sql_logins.set_password": SET_UP,
    "sql_logins.drop_role": SET_UP,
    "sql_logins.gaps": NO_TABLE,
    "sql_logins.map": Case({"login": "new_login", "label": "new", "connections": 2, "valid_until": None}),
    "sql_logins.count": Case(whole=ONE_TENANT),
    "sql_logins.list": Case(whole=ONE_TENANT),
    "sql_logins.rotate": Case(elsewhere="finds a login by its name, of which the server has one"),
    "sql_logins.unmap": Case(elsewhere="finds a login by its name, of which the server has one"),
    "sql_logins.end_sessions": Case(elsewhere="reads sessions; test_watchdog.py ends them"),
    "sql_logins.end_overruns": Case(elsewhere="reads sessions; test_watchdog.py ends them"),
    "tenants.next_number": NO_TABLE,
    "tenants.insert": Case(elsewhere="inserts the tenant of the scope, which is there"),
    "tenants.insert_head": Case(elsewhere="inserts the head of the scope's tenant, which is there"),
    "tenants.default_number": NO_TABLE,
    "tenants.set_default": Case({"number": 1}),
    "tenants.public_id": Case(),
    "tenants.about": Case(),
    "tenants.set_state": Case({"state": "suspended"}),
    "tenants.all": Case(elsewhere="for who administers the installation: one row a tenant"),
    **{
        f"deletion.{name}": Case(elsewhere="of receipts, one row a deleted tenant")
        for name in ("begin", "count", "deleted", "vacuumed", "get", "all", "unfinished")
    },
    "deletion.lock": NO_TABLE,
    "deletion.lock_tenant": Case(),
    "deletion.condemn": Case(elsewhere="gives the scope's tenant up, which nothing takes back"),
    "deletion.tables": NO_TABLE,
    "deletion.rows_left": Case(whole="counts what a tenant that is being removed has left"),
    "deletion.remove_rows": Case(elsewhere="deletes by the prefix of a primary key, in a function of its own role"),
    "deletion.remove_tenant": Case(elsewhere="deletes one row, in a function of its own role"),
    "deletion.forget_jobs": Case(elsewhere="by the queue's index, in a function of its own role"),
}  # fmt: skip
