"""The keys of other issuers: found by OpenID Connect Discovery, kept for a while, and asked for again with measure.

A tenant's administrator names the URL, so the server asks only addresses that anybody could reach: not those of its
own network, unless a setting says so. What is dialled is the address that was checked. Redirects are not followed.
"""

import asyncio
import json
import time
from typing import Any, Final, Literal

import structlog
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from muniment.errors import MunimentError
from muniment.settings import Settings
from muniment.sources.web import ask
from muniment.sources.web.addresses import target

ALGORITHMS: Final = [
    "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519",
]  # fmt: skip
"""The signatures that are taken: none by a shared secret, and not ``none``."""

FRESH_SECONDS: Final = 3600.0
COOLDOWN_SECONDS: Final = 30.0  # between two looks for a key that is not known, whoever sends such tokens
_TIMEOUT: Final = 5.0
_LARGEST: Final = 256 * 1024
_MOST_ISSUERS: Final = 1000
_log = structlog.get_logger(__name__)

Fault = Literal["unreachable", "other_issuer", "no_keys", "no_algorithm"]
_FAULTS: Final[dict[Fault, str]] = {
    "unreachable": "no discovery document and keys were found under its address, or that may not be asked",
    "other_issuer": "its discovery document names another issuer",
    "no_keys": "it publishes no key that signatures could be checked with",
    "no_algorithm": f"it signs by none of {', '.join(ALGORITHMS)}",
}


class _UnfitError(Exception):
    """What is wrong about an issuer."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault)
        self.fault: Fault = fault


class _Issuer:
    """What is known of one issuer."""

    def __init__(self) -> None:
        self.keys: KeySet | None = None
        self.at = float("-inf")
        self.asked = float("-inf")
        self.lock = asyncio.Lock()


class ForeignKeys:
    """The keys of all external issuers that one process has met."""

    def __init__(self, settings: Settings) -> None:
        """Where ``external_issuers`` is ``any`` also addresses of the server's own network are asked, and ``http://``."""
        self._settings = settings
        self._known: dict[str, _Issuer] = {}

    async def of(self, url: str, kid: str | None) -> KeySet | None:
        """The keys of an issuer, asked for anew where they are old or have no such key; None where it has no keys.

        While an issuer cannot be asked its last keys count.
        """
        if url not in self._known and len(self._known) >= _MOST_ISSUERS:
            self._known.clear()
        issuer = self._known.setdefault(url, _Issuer())
        if self._lacks(issuer, kid):
            async with issuer.lock:
                if self._lacks(issuer, kid):  # nobody asked while we waited
                    await self._ask(url, issuer)
        return issuer.keys

    @staticmethod
    def _lacks(issuer: _Issuer, kid: str | None) -> bool:
        now = time.monotonic()
        if now - issuer.asked < COOLDOWN_SECONDS:
            return False
        known = issuer.keys is not None and (kid is None or kid in {key.kid for key in issuer.keys.keys})
        return not known or now - issuer.at > FRESH_SECONDS

    async def _ask(self, url: str, issuer: _Issuer) -> None:
        issuer.asked = time.monotonic()
        try:
            issuer.keys = await asyncio.to_thread(_discovered, url, self._settings)
            issuer.at = time.monotonic()
        except _UnfitError as error:
            _log.warning("the keys of an issuer could not be read", issuer=url, reason=error.fault)


async def require_fit(url: str, settings: Settings) -> None:
    """Asks a provider as its tokens will be checked; raises ``auth.issuer_unfit`` with the fact ``fault``."""
    try:
        await asyncio.to_thread(_discovered, url, settings)
    except _UnfitError as error:
        detail = f"the issuer cannot be used: {_FAULTS[error.fault]}"
        raise MunimentError("auth.issuer_unfit", detail, fault=error.fault) from None


def _discovered(url: str, settings: Settings) -> KeySet:
    """The keys of an issuer that is what it should be, blocking; raises ``_UnfitError``."""
    described = _json(url.rstrip("/") + "/.well-known/openid-configuration", settings)
    if described.get("issuer") != url:
        raise _UnfitError("other_issuer")
    signed_by = described.get("id_token_signing_alg_values_supported")
    if isinstance(signed_by, list) and not any(each in ALGORITHMS for each in signed_by):
        raise _UnfitError("no_algorithm")
    return _keys_in(_json(str(described.get("jwks_uri")), settings))


def _json(url: str, settings: Settings) -> dict[str, Any]:
    """The object at a URL; raises ``_UnfitError``, the same for an address that is ours and one that is silent."""
    try:
        at = target(url)
        local = settings.external_issuers == "any"
        if at.scheme != "https" and not local:
            raise _UnfitError("unreachable")
        allowed = {"web_private_hosts": at.host if local else "", "web_timeout": _TIMEOUT}
        status, body = ask(url, settings.model_copy(update=allowed), _LARGEST)
        told = json.loads(body) if status == 200 else None
    except (MunimentError, ValueError, RecursionError):
        raise _UnfitError("unreachable") from None
    if not isinstance(told, dict):
        raise _UnfitError("unreachable")
    return told


def _keys_in(told: dict[str, Any]) -> KeySet:
    """The public keys of a JWK Set with which signatures are checked; raises ``_UnfitError`` where there is none.

    Symmetric ones are left out: whoever publishes a secret has none.
    """
    published = told.get("keys")
    usable: list[Any] = []
    for key in published if isinstance(published, list) else []:
        if not isinstance(key, dict) or key.get("kty") not in ("RSA", "EC", "OKP") or key.get("use", "sig") != "sig":
            continue
        if key.get("alg", ALGORITHMS[0]) not in ALGORITHMS:
            continue
        try:
            usable += KeySet.import_key_set({"keys": [key]}).keys
        except (JoseError, ValueError, TypeError, KeyError):
            continue  # a curve or a form that we do not know; the others may do
    if not usable:
        raise _UnfitError("no_keys")
    return KeySet(usable)
