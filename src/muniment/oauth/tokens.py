"""Access tokens of our own (RFC 9068): JWTs that name their tenant, scopes, pin and grant.

A token is not believed for its signature alone: its grant is looked up, so that one that was revoked, or whose client,
member or tenant is gone, opens nothing. What was found is remembered for ``CACHE_SECONDS``, as with API keys.
"""

import time
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final
from uuid import UUID
from weakref import WeakKeyDictionary

from joserfc import jws, jwt
from joserfc.errors import JoseError

from muniment.database.pool import Database
from muniment.database.queries import query
from muniment.errors import MunimentError
from muniment.model.identifiers import CLIENT, TENANT, new_id, parse_id, public_id
from muniment.oauth.grants import Granted, in_order
from muniment.oauth.issuer import Issuer
from muniment.oauth.signing import ALGORITHM, signing_key, verifying_key
from muniment.tenancy.keys import CACHE_SECONDS
from muniment.tenancy.principal import Principal
from muniment.tenancy.secrets import secret_hash

TYPE: Final = "at+jwt"
LONGEST: Final = 8192
"""Characters of a token, at most."""
_REMEMBERED: Final = 4096
_LEEWAY: Final = 5  # seconds between the clocks of our own processes

_recent: WeakKeyDictionary[Database, OrderedDict[bytes, tuple[float, float, Principal]]] = WeakKeyDictionary()


async def sign_access_token(database: Database, issuer: Issuer, granted: Granted, scopes: tuple[str, ...]) -> str:
    """A token of the grant with these of its scopes, signed by the newest key."""
    key, now = await signing_key(database), int(time.time())
    claims: dict[str, Any] = {
        "iss": issuer.url,
        "sub": granted.subject,
        "aud": granted.resource,
        "client_id": public_id(CLIENT, granted.client),
        "iat": now,
        "exp": now + database.settings.access_token_seconds,
        "jti": new_id().hex,
        "scope": " ".join(scopes),
        "tenant": public_id(TENANT, granted.tenant_public_id),
        "grant": granted.grant.hex,
    }
    if granted.pin is not None:
        claims["pin"] = {name: value for name, value in asdict(granted.pin).items() if value is not None}
    header = {"alg": ALGORITHM, "typ": TYPE, "kid": key.kid}
    return jwt.encode(header, claims, key, algorithms=[ALGORITHM])


async def resolve_token(database: Database, issuer: Issuer, token: str) -> Principal:
    """Whose token this is. One that is not ours, not for this server, expired or ended raises ``auth.invalid``."""
    recent, digest, now = _recent.setdefault(database, OrderedDict()), secret_hash(token), time.monotonic()
    found = recent.get(digest)
    if found is not None and now - found[0] < CACHE_SECONDS and time.time() < found[1]:
        return found[2]
    recent.pop(digest, None)
    claims = await verified_claims(database, issuer, token)
    granted = await live_grant(database, claims)
    if granted is None:
        raise invalid_token()
    scopes = frozenset(str(claims["scope"]).split()) & frozenset(granted.scopes)
    principal = Principal(granted.tenant, granted.tenant_public_id, granted.actor, scopes, granted.pin)
    recent[digest] = (now, float(claims["exp"]), principal)
    if len(recent) > _REMEMBERED:
        recent.popitem(last=False)
    return principal


def forget_tokens(database: Database) -> None:
    """What was revoked here stops here at once; other processes notice within ``CACHE_SECONDS``."""
    _recent.pop(database, None)


async def verified_claims(database: Database, issuer: Issuer, token: str) -> Mapping[str, Any]:
    """The claims of a token that we signed for this server and that has not expired; raises ``auth.invalid``."""
    if len(token) > LONGEST:
        raise invalid_token()
    try:
        header = jws.extract_compact(token.encode("ascii")).headers()
        kid = header.get("kid")
        if str(header.get("typ", "")).lower().removeprefix("application/") != TYPE or not isinstance(kid, str):
            raise invalid_token()
        key = await verifying_key(database, kid)
        if key is None:
            raise invalid_token()
        claims = jwt.decode(token, key, algorithms=[ALGORITHM]).claims
        essential = {name: {"essential": True} for name in ("sub", "exp", "iat", "jti", "client_id", "grant", "tenant")}
        registry = jwt.JWTClaimsRegistry(
            leeway=_LEEWAY,
            iss={"essential": True, "value": issuer.url},
            aud={"essential": True, "values": list(issuer.resources)},
            scope={"essential": True, "allow_blank": True},
            **essential,  # type: ignore[arg-type]
        )
        registry.validate(claims)
    except (JoseError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise invalid_token() from None
    return claims


async def live_grant(database: Database, claims: Mapping[str, Any]) -> Granted | None:
    """The grant that verified claims name, None where it has ended or is not of the tenant and client they name."""
    try:
        grant = UUID(hex=claims["grant"])
    except (ValueError, TypeError, AttributeError):
        return None
    async with database.transaction() as connection:
        row = (await connection.execute(query("oauth.resolve_grant"), {"grant": grant})).mappings().one_or_none()
    if row is None or claims["aud"] != row["resource"]:
        return None
    if parse_id(TENANT, str(claims["tenant"])) != row["tenant_public_id"]:
        return None
    if parse_id(CLIENT, str(claims["client_id"])) != row["client_id"]:
        return None
    full = dict(row) | {"grant_id": grant, "scopes": in_order(row["scopes"])}
    return Granted.of_row(full, row["tenant_id"], row["tenant_public_id"], row["client_id"])


def invalid_token() -> MunimentError:
    """The one error for every token that opens nothing."""
    return MunimentError("auth.invalid", "the access token is unknown, expired, revoked or not for this server")
