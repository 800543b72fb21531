"""Access tokens of a tenant's own provider.

Such a token names its tenant by its audience, ``<public URL>/t_…``, which the provider put into it for this tenant and
no other: two tenants may bring the same provider and never see each other's tokens.
"""

import json
import time
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, Final
from weakref import WeakKeyDictionary

from joserfc import jws, jwt
from joserfc.errors import JoseError

from muniment.database.pinning import Pin
from muniment.database.pool import Database
from muniment.database.queries import query
from muniment.database.spaces import intern_space
from muniment.model.identifiers import TENANT, parse_id
from muniment.oauth.discovery import ALGORITHMS, ForeignKeys
from muniment.oauth.grants import both_pins, within
from muniment.oauth.issuer import Issuer
from muniment.oauth.tokens import LONGEST, invalid_token
from muniment.tenancy.issuers import ExternalIssuer, find_issuer
from muniment.tenancy.keys import CACHE_SECONDS
from muniment.tenancy.principal import Principal
from muniment.tenancy.secrets import secret_hash

_LEEWAY: Final = 30  # seconds between a provider's clock and ours
_REMEMBERED: Final = 4096
_ID_TOKENS: Final = ("nonce", "at_hash", "c_hash")  # claims that only tokens for a client have

_recent: WeakKeyDictionary[Database, OrderedDict[bytes, tuple[float, float, Principal]]] = WeakKeyDictionary()


def issuer_claim(token: str) -> str | None:
    """Who a token says has signed it, believed by nobody yet; None for what is no token."""
    try:
        told = jws.extract_compact(token.encode("ascii"))
        claims = json.loads(told.payload) if told.payload else {}
    except (JoseError, ValueError, RecursionError):
        return None
    issuer = claims.get("iss") if isinstance(claims, dict) else None
    return issuer if isinstance(issuer, str) else None


async def resolve_foreign(database: Database, here: Issuer, keys: ForeignKeys, token: str) -> Principal:
    """Whose token this is; everything that is not a live token of a tenant's own provider raises ``auth.invalid``."""
    recent, digest, now = _recent.setdefault(database, OrderedDict()), secret_hash(token), time.monotonic()
    found = recent.get(digest)
    if found is not None and now - found[0] < CACHE_SECONDS and time.time() < found[1]:
        return found[2]
    recent.pop(digest, None)
    if len(token) > LONGEST:
        raise invalid_token()
    principal, ends = await _resolved(database, here, keys, token)
    recent[digest] = (now, ends, principal)
    if len(recent) > _REMEMBERED:
        recent.popitem(last=False)
    return principal


async def _resolved(database: Database, here: Issuer, keys: ForeignKeys, token: str) -> tuple[Principal, float]:
    try:
        told = jws.extract_compact(token.encode("ascii"))
        unproven = json.loads(told.payload)
        header = told.headers()
    except (JoseError, ValueError, RecursionError):
        raise invalid_token() from None
    tenant_id = _tenant_in(here, unproven)
    row = None
    if tenant_id is not None:
        async with database.transaction() as connection:
            row = (await connection.execute(query("tenants.all"), {"public_id": tenant_id})).one_or_none()
    if row is None or row.state != "active":
        raise invalid_token()
    issuer = await find_issuer(database, row.tenant_id, str(unproven.get("iss")))
    kid = header.get("kid")
    known = None if issuer is None else await keys.of(issuer.url, kid if isinstance(kid, str) else None)
    if issuer is None or known is None or header.get("alg") not in ALGORITHMS:
        raise invalid_token()
    audience = f"{here.url}/t_{row.public_id.hex}"
    try:
        claims = jwt.decode(token, known, algorithms=ALGORITHMS).claims
        jwt.JWTClaimsRegistry(
            leeway=_LEEWAY, iss={"essential": True, "value": issuer.url}, aud={"essential": True, "value": audience},
            exp={"essential": True}, sub={"essential": True},
        ).validate(claims)  # fmt: skip
    except (JoseError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise invalid_token() from None
    if any(name in claims for name in _ID_TOKENS):
        raise invalid_token()
    pin = await _pin(database, row.tenant_id, issuer, claims)
    scopes = within(set(_scopes_in(claims, issuer.scope_claim)) & set(issuer.scopes), pin)
    actor = f"issuer:{issuer.id}:{secret_hash(str(claims['sub'])).hex()[:16]}"
    return Principal(row.tenant_id, row.public_id, actor, frozenset(scopes), pin), float(claims["exp"])


def _tenant_in(here: Issuer, claims: Any) -> Any:
    """The public id of the tenant that an audience names, None where there is none, or more than one."""
    if not isinstance(claims, dict):
        return None
    named = claims.get("aud")
    audiences = [named] if isinstance(named, str) else named if isinstance(named, list) else []
    start = here.url + "/"
    found = {
        parse_id(TENANT, each.removeprefix(start))
        for each in audiences
        if isinstance(each, str) and each.startswith(start)
    }
    found.discard(None)
    return found.pop() if len(found) == 1 else None


def _scopes_in(claims: Mapping[str, Any], name: str) -> list[str]:
    """The scopes in a claim: a list of them, or one text with spaces between. ``a.b`` is the member b of a."""
    value: Any = claims.get(name)
    if value is None:
        value = claims
        for part in name.split("."):
            value = value.get(part) if isinstance(value, Mapping) else None
    if isinstance(value, str):
        return value.split()
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


async def _pin(database: Database, tenant: int, issuer: ExternalIssuer, claims: Mapping[str, Any]) -> Pin | None:
    """The pin of a token; raises ``auth.invalid`` where it lacks the user that it is to be pinned to."""
    if issuer.user_claim is None:
        return issuer.pin
    user = claims.get(issuer.user_claim)
    if not isinstance(user, str) or not 1 <= len(user) <= 256 or not user.isprintable():
        raise invalid_token()
    pin = both_pins(issuer.pin, Pin(user_id=user))
    assert pin is not None
    await intern_space(database, tenant, pin.namespace)  # what the token asks is noted there
    return pin
