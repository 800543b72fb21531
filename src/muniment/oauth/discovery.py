"""The keys of other issuers: found by OpenID Connect Discovery, kept for a while, and asked for again with measure.

A tenant's administrator names the URL, so the server asks only addresses that anybody could reach: not those of its
own network, unless a setting says so. Redirects are not followed.
"""

import asyncio
import ipaddress
import socket
import time
from typing import Any, Final
from urllib.parse import urlsplit

import httpx
import structlog
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from muniment.errors import MunimentError

FRESH_SECONDS: Final = 3600.0
COOLDOWN_SECONDS: Final = 30.0  # between two looks for a key that is not known, whoever sends such tokens
_TIMEOUT: Final = 5.0
_LARGEST: Final = 256 * 1024
_MOST_ISSUERS: Final = 1000
_log = structlog.get_logger(__name__)


class _Issuer:
    """What is known of one issuer."""

    def __init__(self) -> None:
        self.keys: KeySet | None = None
        self.at = float("-inf")
        self.asked = float("-inf")
        self.lock = asyncio.Lock()


class ForeignKeys:
    """The keys of all external issuers that one process has met."""

    def __init__(self, *, local: bool, transport: httpx.AsyncBaseTransport | None = None) -> None:
        """With ``local`` also addresses of the server's own network are asked, and ``http://``."""
        self._local = local
        self._transport = transport
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
            async with httpx.AsyncClient(
                timeout=_TIMEOUT, follow_redirects=False, transport=self._transport, trust_env=False
            ) as client:
                described = await self._json(client, url.rstrip("/") + "/.well-known/openid-configuration")
                if described.get("issuer") != url:
                    raise ValueError("the issuer calls itself something else")
                issuer.keys = _keys_in(await self._json(client, str(described.get("jwks_uri"))))
                issuer.at = time.monotonic()
        except (httpx.HTTPError, httpx.InvalidURL, JoseError, ValueError, TypeError, KeyError, MunimentError) as error:
            _log.warning("the keys of an issuer could not be read", issuer=url, reason=type(error).__name__)

    async def _json(self, client: httpx.AsyncClient, url: str) -> dict[str, Any]:
        await self._refuse_own_network(url)
        async with client.stream("GET", url, headers={"Accept": "application/json"}) as answer:
            if answer.status_code != 200:
                raise ValueError("no answer that helps")
            body = b""
            async for piece in answer.aiter_bytes():
                body += piece
                if len(body) > _LARGEST:
                    raise ValueError("too large")
        told = httpx.Response(200, content=body).json()
        if not isinstance(told, dict):
            raise ValueError("no object")
        return told

    async def _refuse_own_network(self, url: str) -> None:
        parts = urlsplit(url)
        if self._local:
            return
        if parts.scheme != "https" or not parts.hostname:
            raise ValueError("not https")
        found = await asyncio.get_running_loop().getaddrinfo(parts.hostname, parts.port or 443, type=socket.SOCK_STREAM)
        if not found or not all(ipaddress.ip_address(each[4][0]).is_global for each in found):
            raise ValueError("an address of a network that is not everybody's")


def _keys_in(told: Any) -> KeySet:
    """The public keys of a JWK Set. Symmetric ones are left out: whoever publishes a secret has none."""
    usable = [key for key in told["keys"] if isinstance(key, dict) and key.get("kty") in ("RSA", "EC", "OKP")]
    return KeySet.import_key_set({"keys": usable})
