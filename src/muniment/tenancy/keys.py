"""API keys: random secrets that are shown once, stored as SHA-256, and belong to one tenant.

The secret is 256 random bits, so a plain SHA-256 is as hard to reverse as the secret is to guess; a slow password
hash would only slow each request. A resolved key is remembered in the process for ``CACHE_SECONDS``: a key that is
revoked or expires stops within that time in every process, and at once in the one that revoked it.
"""

import asyncio
import hashlib
import secrets
import time
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import Final, Literal, TypeVar
from weakref import WeakKeyDictionary

from muniment.audit.chain import record_act
from muniment.database.pinning import Pin
from muniment.database.pool import Database, Row
from muniment.database.queries import query
from muniment.database.spaces import intern_space
from muniment.errors import MunimentError
from muniment.model.identifiers import KEY, new_id, parse_id, public_id
from muniment.tenancy.principal import Principal, admit_scopes, pin_of

CACHE_SECONDS: Final = 5.0

_SECRET_PREFIX: Final = "mun_"
_SECRET_BYTES: Final = 32
_SHOWN: Final = 8  # characters of the secret that lists show, so that people can tell keys apart
_CACHED_KEYS: Final = 4096
_TOUCH_SECONDS: Final = 60.0


@dataclass(frozen=True, slots=True)
class Key:
    """An API key as lists show it: never its secret, only the first characters of it.

    ``pin`` is the namespace beyond which it sees nothing. Until ``previous_until`` its last secret works too.
    """

    id: str
    prefix: str
    label: str
    scopes: tuple[str, ...]
    created_at: datetime
    expires_at: datetime | None = None
    revoked_at: datetime | None = None
    last_used_at: datetime | None = None
    pin: Pin | None = None
    previous_until: datetime | None = None

    @property
    def state(self) -> Literal["usable", "revoked", "expired"]:
        """Whether it opens anything now."""
        if self.revoked_at is not None:
            return "revoked"
        expired = self.expires_at is not None and self.expires_at <= datetime.now(UTC)
        return "expired" if expired else "usable"


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key just made, or with a new secret, with that secret, which cannot be had again."""

    key: Key
    secret: str = field(repr=False)


async def create_key(
    database: Database, tenant: int, label: str, scopes: Iterable[str], expires_at: datetime | None = None,
    *, pin: Pin | None = None,
) -> NewKey:  # fmt: skip
    """Makes a key of the tenant; raises ``input.invalid``, ``input.time_without_zone`` or ``input.time_invalid``."""
    wanted = admit_scopes(scopes, pin)
    _check_expiry(expires_at)
    label = label.strip()
    if not 1 <= len(label) <= 256 or not label.isprintable():
        raise MunimentError("input.invalid", "a key needs a label of 1 to 256 printable characters", field="label")
    secret, shown = _new_secret()
    if pin is not None:
        await intern_space(database, tenant, pin.namespace)  # what the key asks is noted there, whatever it finds
    key = new_id()
    async with database.scope(tenant) as scope:
        created_at = await scope.value(
            "keys.insert",
            key=key,
            prefix=shown,
            secret_hash=_digest(secret),
            label=label,
            scopes=list(wanted),
            expires_at=expires_at,
            pin_project=None if pin is None else pin.project_id,
            pin_user=None if pin is None else pin.user_id,
            pin_agent=None if pin is None else pin.agent_id,
        )
        pinned = {} if pin is None else {"pin": asdict(pin)}
        await record_act(scope, "key.create", public_id(KEY, key), label=label, scopes=list(wanted), **pinned)
    return NewKey(Key(public_id(KEY, key), shown, label, wanted, created_at, expires_at, pin=pin), secret)


async def rotate_key(database: Database, tenant: int, key_id: str, *, grace: float | None = None) -> NewKey:
    """Gives a key a new secret; the one that it had works for ``grace`` seconds more, default ``settings.key_grace``.

    One that it had before that stops. Raises ``auth.key_not_found``, ``auth.key_ended`` and ``input.invalid``.
    """
    most = database.settings.key_grace
    seconds = most if grace is None else grace
    if not 0 <= seconds <= most:
        told = f"the grace period is 0 to {most:g} seconds"
        raise MunimentError("input.invalid", told, field="grace", limit=most, setting="MUNIMENT_KEY_GRACE")
    key = parse_id(KEY, key_id)
    secret, shown = _new_secret()
    async with database.scope(tenant) as scope:
        row = None if key is None else await scope.row("keys.get", key=key)
        if row is None:
            raise _not_found(key_id)
        before = await scope.value("keys.rotate", key=key, prefix=shown, secret_hash=_digest(secret), grace=seconds)
        if before is None:
            raise MunimentError("auth.key_ended", "the key is revoked or has expired: make another one")
        row = await scope.row("keys.get", key=key)
        assert row is not None
        await record_act(scope, "key.rotate", key_id, grace=round(seconds))
    _ring(database).forget(bytes(before))
    return NewKey(_shown(row), secret)


async def list_keys(database: Database, tenant: int) -> list[Key]:
    """All keys of the tenant, revoked ones too, oldest first."""
    async with database.scope(tenant) as scope:
        return [_shown(row) for row in await scope.rows("keys.list")]


async def revoke_key(database: Database, tenant: int, key_id: str) -> None:
    """Ends a key for good; raises ``auth.key_not_found``. Other processes notice within ``CACHE_SECONDS``."""
    key = parse_id(KEY, key_id)
    row: Row | None = None
    if key is not None:
        async with database.scope(tenant) as scope:
            row = await scope.row("keys.revoke", key=key)
            if row is not None:
                await record_act(scope, "key.revoke", key_id)
    if row is None:
        raise _not_found(key_id)
    for digest in filter(None, (row["secret_hash"], row["previous_hash"])):
        _ring(database).forget(bytes(digest))


async def resolve_key(database: Database, secret: str) -> Principal:
    """Whose secret this is. One unknown, malformed, revoked or expired raises the same ``auth.invalid``."""
    return await _ring(database).resolve(database, secret)


async def settle_uses(database: Database) -> None:
    """Waits until the uses of keys that are being noted are noted; call it before the pool is closed."""
    while tasks := _ring(database).touching:
        await asyncio.wait(tasks)


class _Ring:
    """The keys that one pool has resolved lately. Only keys that exist are remembered, so guesses fill nothing."""

    def __init__(self) -> None:
        self._known: OrderedDict[bytes, tuple[float, Principal]] = OrderedDict()
        self._touched: OrderedDict[bytes, float] = OrderedDict()
        self.touching: set[asyncio.Task[None]] = set()

    async def resolve(self, database: Database, secret: str) -> Principal:
        digest = _digest(secret)
        now = time.monotonic()
        found = self._known.get(digest)
        if found is not None and now - found[0] < CACHE_SECONDS:
            principal = found[1]
        else:
            principal = await self._look_up(database, digest)
            _remember(self._known, digest, (now, principal))
        if now - self._touched.get(digest, -_TOUCH_SECONDS) >= _TOUCH_SECONDS:
            _remember(self._touched, digest, now)
            task = asyncio.create_task(_touch(database, principal))
            self.touching.add(task)  # the loop itself holds tasks only weakly
            task.add_done_callback(self.touching.discard)
        return principal

    def forget(self, digest: bytes) -> None:
        self._known.pop(digest, None)

    async def _look_up(self, database: Database, digest: bytes) -> Principal:
        async with database.transaction() as connection:
            row = (await connection.execute(query("keys.resolve"), {"secret_hash": digest})).one_or_none()
        if row is None:
            self._known.pop(digest, None)
            raise MunimentError("auth.invalid", "the API key is unknown, revoked or expired")
        key_id = public_id(KEY, row.credential_id)
        pin = pin_of(row.pin_project, row.pin_user, row.pin_agent)
        actor, scopes = f"key:{key_id}", frozenset(row.scopes)
        return Principal(row.tenant_id, row.tenant_public_id, actor, scopes, pin, key_id)


async def _touch(database: Database, principal: Principal) -> None:
    # when a key was last used is worth less than the request that used it
    with suppress(MunimentError):
        async with database.scope(principal.tenant) as scope:
            await scope.execute("keys.touch", key=parse_id(KEY, principal.key_id or ""))


_T = TypeVar("_T")
_rings: WeakKeyDictionary[Database, _Ring] = WeakKeyDictionary()


def forget_keys(database: Database) -> None:
    """The next use of each key looks it up again in this process."""
    _rings.pop(database, None)


def _ring(database: Database) -> _Ring:
    ring = _rings.get(database)
    if ring is None:
        ring = _rings[database] = _Ring()
    return ring


def _remember(cache: OrderedDict[bytes, _T], digest: bytes, value: _T) -> None:
    cache[digest] = value
    cache.move_to_end(digest)
    if len(cache) > _CACHED_KEYS:
        cache.popitem(last=False)


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()


def _new_secret() -> tuple[str, str]:
    """A secret, and as much of it as lists show."""
    tail = secrets.token_urlsafe(_SECRET_BYTES)
    return _SECRET_PREFIX + tail, tail[:_SHOWN]


def _not_found(key_id: str) -> MunimentError:
    return MunimentError("auth.key_not_found", "the tenant has no such API key", key_id=key_id[:64])


def _check_expiry(expires_at: datetime | None) -> None:
    if expires_at is None:
        return
    if expires_at.tzinfo is None:
        raise MunimentError("input.time_without_zone", "the expiry needs a zone", field="expires_at")
    if expires_at <= datetime.now(UTC):
        raise MunimentError("input.time_invalid", "the expiry lies in the past", field="expires_at")


def _shown(row: Row) -> Key:
    scopes: Sequence[str] = row["scopes"]
    return Key(
        id=public_id(KEY, row["credential_id"]),
        prefix=row["prefix"],
        label=row["label"],
        scopes=tuple(scopes),
        created_at=row["created_at"],
        expires_at=row["expires_at"],
        revoked_at=row["revoked_at"],
        last_used_at=row["last_used_at"],
        pin=pin_of(row["pin_project"], row["pin_user"], row["pin_agent"]),
        previous_until=row["previous_until"],
    )
