"""The issuer: the URL under which clients reach the server, and everything that is built from it.

URIs come from the setting alone, never from what a request says of its host.
"""

import ipaddress
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from muniment.errors import MunimentError
from muniment.settings import Settings
from muniment.tenancy.clients import AUTH_METHODS, GRANT_TYPES
from muniment.tenancy.principal import SCOPES

API: Final = "/api/v1"


@dataclass(frozen=True, slots=True)
class Issuer:
    """An issuer without a path; ``url`` is its identifier (RFC 8414)."""

    url: str

    @property
    def secure(self) -> bool:
        """Whether it is reached by TLS; otherwise it is a loopback address."""
        return self.url.startswith("https://")

    @property
    def api(self) -> str:
        """The resource (RFC 8707) of the REST interface, and the default of a grant."""
        return self.url + API

    @property
    def resources(self) -> tuple[str, ...]:
        """All resources that tokens are made for."""
        return (self.api,)

    def metadata(self, *, registration: bool) -> dict[str, Any]:
        """What clients need to know of the authorization server (RFC 8414)."""
        known: dict[str, Any] = {
            "issuer": self.url,
            "authorization_endpoint": self.url + "/oauth/authorize",
            "token_endpoint": self.url + "/oauth/token",
            "device_authorization_endpoint": self.url + "/oauth/device_authorization",
            "introspection_endpoint": self.url + "/oauth/introspect",
            "revocation_endpoint": self.url + "/oauth/revoke",
            "jwks_uri": self.url + "/.well-known/jwks.json",
            "scopes_supported": list(SCOPES),
            "response_types_supported": ["code"],
            "response_modes_supported": ["query"],
            "grant_types_supported": list(GRANT_TYPES),
            "token_endpoint_auth_methods_supported": list(AUTH_METHODS),
            "revocation_endpoint_auth_methods_supported": list(AUTH_METHODS),
            "introspection_endpoint_auth_methods_supported": [each for each in AUTH_METHODS if each != "none"],
            "code_challenge_methods_supported": ["S256"],
            "authorization_response_iss_parameter_supported": True,
        }
        if registration:
            known["registration_endpoint"] = self.url + "/oauth/register"
        return known

    def resource_metadata(self) -> dict[str, Any]:
        """What clients need to know of the REST interface as a protected resource (RFC 9728)."""
        return {
            "resource": self.api,
            "authorization_servers": [self.url],
            "jwks_uri": self.url + "/.well-known/jwks.json",
            "scopes_supported": list(SCOPES),
            "bearer_methods_supported": ["header"],
            "resource_name": "Muniment",
        }

    @property
    def resource_metadata_url(self) -> str:
        """Where that is, as RFC 9728 builds it."""
        return f"{self.url}/.well-known/oauth-protected-resource{API}"


def issuer_of(settings: Settings) -> Issuer | None:
    """The issuer that the settings name, None where there is no authorization server; raises ``input.invalid``."""
    if settings.public_url is None:
        return None
    url = settings.public_url.rstrip("/")
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        parts = urlsplit("")
    local = parts.scheme == "http" and _is_loopback(parts.hostname or "")
    plain = not (parts.path or parts.query or parts.fragment or parts.username or parts.password)
    if not parts.hostname or not plain or not (parts.scheme == "https" or local) or not url.isascii():
        raise MunimentError(
            "input.invalid",
            "MUNIMENT_PUBLIC_URL is https:// and a host, without a path; http:// for a loopback address alone",
            setting="MUNIMENT_PUBLIC_URL",
        )
    return Issuer(url)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
