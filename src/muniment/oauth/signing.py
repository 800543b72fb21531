"""The keys that sign access tokens: ES256, in the database, so that all processes of an installation share them.

The newest key signs. One older than ``settings.signing_key_days`` is retired when the next token is signed, and is
published for as long as a token that it signed may live.
"""

import json
import time
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from weakref import WeakKeyDictionary

from joserfc.jwk import ECKey, KeySet

from muniment.database.pool import Database
from muniment.database.queries import query

ALGORITHM: Final = "ES256"
_CURVE: Final = "P-256"
_FRESH_SECONDS: Final = 60.0
_LOOK_AGAIN_SECONDS: Final = 2.0  # an unknown key is looked for no more often, whoever sends tokens
_LEEWAY_SECONDS: Final = 3600


class _Known:
    """The keys as one process saw them last."""

    def __init__(self) -> None:
        self.rows: list[Mapping[str, Any]] = []
        self.at = float("-inf")
        self.looked = float("-inf")  # for a key that was not among them


_known: WeakKeyDictionary[Database, _Known] = WeakKeyDictionary()


async def signing_key(database: Database) -> ECKey:
    """The key that signs now, made where there is none or where it is too old."""
    rows = await _read(database, _FRESH_SECONDS)
    oldest = datetime.now(UTC) - timedelta(days=database.settings.signing_key_days)
    for row in rows:
        if not row["retired"] and row["created_at"] > oldest:
            return _imported(row)
    return await rotate_signing_key(database, after=oldest)


async def rotate_signing_key(database: Database, *, after: datetime | None = None) -> ECKey:
    """Makes a key that signs from now on. With ``after`` one that was made since then is taken instead."""
    async with database.transaction() as connection:
        await connection.execute(query("oauth.lock_signing_keys"))
        rows = (await connection.execute(query("oauth.signing_keys"))).mappings().all()
        fresh = next((row for row in rows if not row["retired"] and after and row["created_at"] > after), None)
        if fresh is None:
            made = ECKey.generate_key(_CURVE, {"use": "sig", "alg": ALGORITHM}, private=True, auto_kid=True)
            private = json.dumps(made.as_dict(private=True))
            await connection.execute(query("oauth.insert_signing_key"), {"kid": made.kid, "private": private})
            await connection.execute(query("oauth.retire_signing_keys"), {"kid": made.kid})
            kept = database.settings.access_token_seconds + _LEEWAY_SECONDS
            await connection.execute(query("oauth.delete_signing_keys"), {"seconds": kept})
    _known.pop(database, None)
    return _imported(fresh) if fresh is not None else made


async def published_keys(database: Database) -> dict[str, Any]:
    """The JWK Set (RFC 7517) of all keys by which a live token may be signed, without their private parts."""
    await signing_key(database)  # so that there is one before the first token
    rows = await _read(database, _LOOK_AGAIN_SECONDS)
    return KeySet([_imported(row) for row in rows]).as_dict(private=False)  # type: ignore[return-value]


async def verifying_key(database: Database, kid: str) -> ECKey | None:
    """The key of this id, None where there is none.

    Another process may have made it since ours looked last, however short ago: it is looked for, with measure.
    """
    for look in (False, True):
        if look:
            known = _known.setdefault(database, _Known())
            if time.monotonic() - known.looked <= _LOOK_AGAIN_SECONDS:
                return None
            known.looked = time.monotonic()
        found = next((row for row in await _read(database, 0.0 if look else _FRESH_SECONDS) if row["kid"] == kid), None)
        if found is not None:
            return _imported(found)
    return None


async def _read(database: Database, seconds: float) -> list[Mapping[str, Any]]:
    """The rows of all keys, the newest first, read no longer ago than this."""
    known = _known.setdefault(database, _Known())
    if time.monotonic() - known.at > seconds:
        async with database.transaction() as connection:
            known.rows = [dict(row) for row in (await connection.execute(query("oauth.signing_keys"))).mappings()]
        known.at = time.monotonic()
    return known.rows


def _imported(row: Mapping[Any, Any]) -> ECKey:
    return ECKey.import_key(row["private"])
