"""API keys: one resolves to its tenant while it is live, and to nothing else ever."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import create_engine, event, text

from muniment.database.pool import Database, Scope
from muniment.database.queries import driver_query
from muniment.errors import MunimentError
from muniment.settings import Settings
from muniment.tenancy import keys
from muniment.tenancy.keys import create_key, list_keys, resolve_key, revoke_key, rotate_key
from muniment.tenancy.principal import SCOPES, pin_of
from muniment.tenancy.tenants import Tenant


def _administer(url: str, statement: str) -> list[tuple[object, ...]]:
    engine = create_engine(url)
    try:
        with engine.begin() as connection:
            result = connection.execute(text(statement))
            return [tuple(row) for row in result] if result.returns_rows else []
    finally:
        engine.dispose()


@pytest.fixture(autouse=True)
async def settled(database: Database) -> AsyncIterator[None]:
    """The uses of keys are noted before the pool closes."""
    yield
    await keys.settle_uses(database)


@pytest.fixture
def statements(database: Database, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every statement that the pool and its scopes send, as it is sent."""
    sent: list[str] = []
    event.listen(
        database.engine.sync_engine, "before_cursor_execute", lambda _c, _cursor, statement, *_: sent.append(statement)
    )
    execute = Scope.execute

    async def noted(scope: Scope, name: str, /, **parameters: Any) -> Any:
        sent.append(driver_query(name))
        return await execute(scope, name, **parameters)

    monkeypatch.setattr(Scope, "execute", noted)
    return sent


async def test_a_new_key_resolves_to_its_tenant_and_scopes(database: Database, tenant: Tenant) -> None:
    made = await create_key(database, tenant.number, "laptop", ["memory:write", "memory:read"])
    assert made.secret.startswith("mun_" + made.key.prefix)
    principal = await resolve_key(database, made.secret)
    assert (principal.tenant, principal.tenant_public_id) == (tenant.number, tenant.public_id)
    assert principal.key_id == made.key.id
    assert principal.scopes == {"memory:read", "memory:write"}


async def test_the_secret_is_stored_nowhere_and_shown_nowhere_again(
    database: Database, tenant: Tenant, admin_url: str
) -> None:
    made = await create_key(database, tenant.number, "laptop", ["tenant:admin"])
    stored = _administer(admin_url, "select cast(c as text) from muniment_auth.credential c")
    hidden = made.secret.removeprefix("mun_" + made.key.prefix)
    assert len(stored) == 1
    assert hidden not in str(stored)
    assert hidden not in repr(made) + repr(await list_keys(database, tenant.number))


async def test_unknown_malformed_revoked_and_expired_secrets_fail_alike(
    database: Database, tenant: Tenant, admin_url: str
) -> None:
    revoked = await create_key(database, tenant.number, "revoked", ["memory:read"])
    await resolve_key(database, revoked.secret)
    await revoke_key(database, tenant.number, revoked.key.id)
    expired = await create_key(
        database, tenant.number, "expired", ["memory:read"], datetime.now(UTC) + timedelta(hours=1)
    )
    _administer(
        admin_url,
        "update muniment_auth.credential set expires_at = now() - interval '1 second' where expires_at is not null",
    )
    failures = set()
    for secret in (revoked.secret, expired.secret, "mun_" + "A" * 43, "", "\udcff'; select 1", "x" * 100_000):
        with pytest.raises(MunimentError) as caught:
            await resolve_key(database, secret)
        failures.add((caught.value.code, caught.value.detail, str(caught.value.facts)))
    assert failures == {("auth.invalid", "the API key is unknown, revoked or expired", "{}")}


async def test_a_key_is_looked_up_once_while_it_is_fresh_and_again_when_it_is_not(
    database: Database, tenant: Tenant, statements: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await create_key(database, tenant.number, "laptop", ["memory:read"])
    for _ in range(5):
        await resolve_key(database, made.secret)
    assert sum("resolve_credential" in statement for statement in statements) == 1
    monkeypatch.setattr(keys, "CACHE_SECONDS", 0.0)
    await resolve_key(database, made.secret)
    assert sum("resolve_credential" in statement for statement in statements) == 2


async def test_another_process_notices_a_revocation_when_its_memory_of_the_key_is_stale(
    database: Database, tenant: Tenant, app_url: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await create_key(database, tenant.number, "laptop", ["memory:read"])
    elsewhere = Database(app_url, settings)
    try:
        await resolve_key(elsewhere, made.secret)
        await revoke_key(database, tenant.number, made.key.id)
        monkeypatch.setattr(keys, "CACHE_SECONDS", 0.0)
        with pytest.raises(MunimentError, match="unknown, revoked or expired"):
            await resolve_key(elsewhere, made.secret)
    finally:
        await keys.settle_uses(elsewhere)
        await elsewhere.close()


async def test_guesses_do_not_fill_the_memory_and_keys_fill_it_only_so_far(
    database: Database, tenant: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keys, "_CACHED_KEYS", 2)
    for guess in range(5):
        with pytest.raises(MunimentError):
            await resolve_key(database, f"mun_{guess}")
    assert len(keys._ring(database)._known) == 0
    for label in "abc":
        await resolve_key(database, (await create_key(database, tenant.number, label, ["memory:read"])).secret)
    assert len(keys._ring(database)._known) == 2
    assert len(keys._ring(database)._touched) == 2


async def test_the_last_use_is_noted_beside_the_request_and_at_most_once_a_minute(
    database: Database, tenant: Tenant, statements: list[str]
) -> None:
    made = await create_key(database, tenant.number, "laptop", ["memory:read"])
    for _ in range(3):
        await resolve_key(database, made.secret)
        await keys.settle_uses(database)
    assert sum("set last_used_at" in statement for statement in statements) == 1
    first = (await list_keys(database, tenant.number))[0].last_used_at
    assert first is not None
    keys._ring(database)._touched.clear()  # as another process would see it
    await resolve_key(database, made.secret)
    await keys.settle_uses(database)
    assert (await list_keys(database, tenant.number))[0].last_used_at == first


async def test_a_tenant_can_neither_see_nor_revoke_the_key_of_another(
    database: Database, tenant: Tenant, other_tenant: Tenant
) -> None:
    made = await create_key(database, tenant.number, "laptop", ["memory:read"])
    assert await list_keys(database, other_tenant.number) == []
    with pytest.raises(MunimentError) as caught:
        await revoke_key(database, other_tenant.number, made.key.id)
    assert caught.value.code == "auth.key_not_found"
    assert (await resolve_key(database, made.secret)).tenant == tenant.number


async def test_revoking_twice_keeps_the_first_time_and_a_strange_id_is_not_found(
    database: Database, tenant: Tenant
) -> None:
    made = await create_key(database, tenant.number, "laptop", ["memory:read"])
    await revoke_key(database, tenant.number, made.key.id)
    first = (await list_keys(database, tenant.number))[0].revoked_at
    await revoke_key(database, tenant.number, made.key.id)
    assert (await list_keys(database, tenant.number))[0].revoked_at == first is not None
    for strange in ("k_" + "0" * 32, "d_" + "0" * 32, "nonsense"):
        with pytest.raises(MunimentError) as caught:
            await revoke_key(database, tenant.number, strange)
        assert caught.value.code == "auth.key_not_found"


async def test_no_scope_holds_a_second(database: Database, tenant: Tenant) -> None:
    admin = await resolve_key(database, (await create_key(database, tenant.number, "a", ["tenant:admin"])).secret)
    writer = await resolve_key(database, (await create_key(database, tenant.number, "w", ["memory:write"])).secret)
    assert [scope for scope in SCOPES if admin.allows(scope)] == ["tenant:admin"]
    assert [scope for scope in SCOPES if writer.allows(scope)] == ["memory:write"]
    with pytest.raises(MunimentError) as caught:
        writer.require("memory:read")
    assert (caught.value.code, caught.value.facts) == ("auth.scope_missing", {"scope": "memory:read"})


@pytest.mark.parametrize(
    ("label", "scopes", "expires_at", "code"),
    [
        ("laptop", [], None, "input.invalid"),
        ("laptop", ["memory:everything"], None, "input.invalid"),
        (" ", ["tenant:admin"], None, "input.invalid"),
        ("a\x00b", ["tenant:admin"], None, "input.invalid"),
        ("laptop", ["tenant:admin"], datetime(2030, 1, 1), "input.time_without_zone"),
        ("laptop", ["tenant:admin"], datetime(2020, 1, 1, tzinfo=UTC), "input.time_invalid"),
    ],
)
async def test_a_key_that_could_not_work_as_asked_is_refused(
    database: Database, tenant: Tenant, label: str, scopes: list[str], expires_at: datetime | None, code: str
) -> None:
    with pytest.raises(MunimentError) as caught:
        await create_key(database, tenant.number, label, scopes, expires_at)
    assert caught.value.code == code
    assert await list_keys(database, tenant.number) == []


async def test_the_last_secret_works_until_its_grace_ends(database: Database, tenant: Tenant) -> None:
    first = await create_key(database, tenant.number, "laptop", ["memory:read"])
    second = await rotate_key(database, tenant.number, first.key.id, grace=60)
    assert {(await resolve_key(database, each.secret)).key_id for each in (first, second)} == {first.key.id}
    assert second.key.previous_until is not None
    third = await rotate_key(database, tenant.number, first.key.id, grace=0)
    await resolve_key(database, third.secret)
    for old in (first, second):
        keys._ring(database).forget(keys._digest(old.secret))
        with pytest.raises(MunimentError) as caught:
            await resolve_key(database, old.secret)
        assert caught.value.code == "auth.invalid"


async def test_a_revoked_key_loses_both_secrets_and_cannot_be_rotated(
    database: Database, tenant: Tenant, other_tenant: Tenant
) -> None:
    first = await create_key(database, tenant.number, "laptop", ["memory:read"])
    second = await rotate_key(database, tenant.number, first.key.id)
    for each in (first, second):
        await resolve_key(database, each.secret)
    with pytest.raises(MunimentError) as caught:
        await rotate_key(database, other_tenant.number, first.key.id)
    assert caught.value.code == "auth.key_not_found"
    await revoke_key(database, tenant.number, first.key.id)
    for each in (first, second):
        with pytest.raises(MunimentError) as caught:
            await resolve_key(database, each.secret)
        assert caught.value.code == "auth.invalid"
    with pytest.raises(MunimentError) as caught:
        await rotate_key(database, tenant.number, first.key.id)
    assert caught.value.code == "auth.key_ended"


async def test_a_grace_longer_than_the_setting_is_refused(database: Database, tenant: Tenant) -> None:
    made = await create_key(database, tenant.number, "laptop", ["memory:read"])
    with pytest.raises(MunimentError) as caught:
        await rotate_key(database, tenant.number, made.key.id, grace=database.settings.key_grace + 1)
    assert caught.value.facts["setting"] == "MUNIMENT_KEY_GRACE"


async def test_a_pinned_key_holds_nothing_that_is_about_the_whole_tenant(database: Database, tenant: Tenant) -> None:
    pin = pin_of(None, "maya", None)
    made = await create_key(database, tenant.number, "maya", ["memory:read"], pin=pin)
    assert (await resolve_key(database, made.secret)).pin == pin
    assert [key.pin for key in await list_keys(database, tenant.number)] == [pin]
    for scope in ("tenant:admin", "ops:read"):
        with pytest.raises(MunimentError) as caught:
            await create_key(database, tenant.number, "maya", ["memory:read", scope], pin=pin)
        assert caught.value.code == "input.invalid"
