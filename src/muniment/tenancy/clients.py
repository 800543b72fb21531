"""OAuth clients of a tenant: programs that get tokens, for themselves or for a member who lets them."""

import hmac
import ipaddress
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, get_args
from urllib.parse import urlsplit
from uuid import UUID

from muniment.audit.chain import record_act
from muniment.database.pinning import Pin
from muniment.database.pool import Database
from muniment.database.queries import query
from muniment.database.spaces import intern_space
from muniment.errors import MunimentError
from muniment.model.clients import AuthMethod, GrantType
from muniment.model.identifiers import CLIENT, new_id, parse_id, public_id
from muniment.tenancy.principal import admit_scopes, pin_of
from muniment.tenancy.secrets import new_secret, secret_hash

DEVICE_CODE: Final = "urn:ietf:params:oauth:grant-type:device_code"
GRANT_TYPES: Final[tuple[GrantType, ...]] = get_args(GrantType)
AUTH_METHODS: Final[tuple[AuthMethod, ...]] = get_args(AuthMethod)

_MOST_URIS: Final = 32
_LONGEST_URI: Final = 2048
_SECRET_PREFIX: Final = "mus_"


@dataclass(frozen=True, slots=True)
class Client:
    """A client as lists show it, never its secret."""

    id: str
    name: str
    grant_types: tuple[str, ...]
    redirect_uris: tuple[str, ...]
    scopes: tuple[str, ...]
    auth_method: str
    created_at: datetime
    pin: Pin | None = None
    revoked_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class NewClient:
    """A client just made, with its secret, which cannot be had again; a public client has none."""

    client: Client
    secret: str | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class LiveClient:
    """A client as the authorization server resolves it, with its tenant, whom nothing else names."""

    tenant: int
    tenant_public_id: UUID
    tenant_name: str
    client: UUID
    name: str
    redirect_uris: tuple[str, ...]
    grant_types: frozenset[str]
    scopes: tuple[str, ...]
    auth_method: str
    pin: Pin | None
    hashed_secret: bytes | None = field(repr=False)

    @property
    def id(self) -> str:
        """The public id."""
        return public_id(CLIENT, self.client)

    def knows(self, secret: str) -> bool:
        """Whether it is the client's secret."""
        return self.hashed_secret is not None and hmac.compare_digest(self.hashed_secret, secret_hash(secret))

    def leads_to(self, uri: str) -> bool:
        """Whether it is a redirect URI of the client: exactly, but for the port of a loopback address (RFC 8252)."""
        return any(uri == known or _same_loopback(uri, known) for known in self.redirect_uris)


async def create_client(
    database: Database, tenant: int, name: str, *, grant_types: Iterable[str], scopes: Iterable[str],
    redirect_uris: Sequence[str] = (), auth_method: str = "client_secret_basic", pin: Pin | None = None,
) -> NewClient:  # fmt: skip
    """Makes a client of the tenant; raises ``input.invalid``."""
    wanted = admit_scopes(scopes, pin)
    name, grants = _admitted_name(name), _admitted_grants(grant_types, auth_method)
    uris = _admitted_uris(redirect_uris, needed="authorization_code" in grants)
    secret = None if auth_method == "none" else new_secret(_SECRET_PREFIX)
    if pin is not None:
        await intern_space(database, tenant, pin.namespace)
    client = new_id()
    async with database.scope(tenant) as scope:
        created_at = await scope.value(
            "clients.insert",
            client=client,
            secret_hash=None if secret is None else secret_hash(secret),
            name=name,
            redirect_uris=list(uris),
            grant_types=list(grants),
            scopes=list(wanted),
            auth_method=auth_method,
            pin_project=None if pin is None else pin.project_id,
            pin_user=None if pin is None else pin.user_id,
            pin_agent=None if pin is None else pin.agent_id,
        )
        identifier = public_id(CLIENT, client)
        await record_act(scope, "client.create", identifier, name=name, scopes=list(wanted), grant_types=list(grants))
    return NewClient(Client(identifier, name, grants, uris, wanted, auth_method, created_at, pin), secret)


async def list_clients(database: Database, tenant: int) -> list[Client]:
    """All clients of the tenant, revoked ones too, oldest first."""
    async with database.scope(tenant) as scope:
        rows = await scope.rows("clients.list")
    return [
        Client(
            id=public_id(CLIENT, row["client_id"]), name=row["name"], grant_types=tuple(row["grant_types"]),
            redirect_uris=tuple(row["redirect_uris"]), scopes=tuple(row["scopes"]), auth_method=row["auth_method"],
            created_at=row["created_at"], pin=pin_of(row["pin_project"], row["pin_user"], row["pin_agent"]),
            revoked_at=row["revoked_at"],
        )
        for row in rows
    ]  # fmt: skip


async def revoke_client(database: Database, tenant: int, client_id: str) -> None:
    """Ends a client for good, with all that was granted to it; raises ``auth.client_not_found``."""
    client = parse_id(CLIENT, client_id)
    async with database.scope(tenant) as scope:
        if client is None or await scope.value("clients.revoke", client=client) is None:
            raise _not_found()
        await record_act(scope, "client.revoke", client_id)


async def rotate_client(database: Database, tenant: int, client_id: str) -> str:
    """Another secret of a confidential client; the one before stops. Raises ``auth.client_not_found``."""
    client, secret = parse_id(CLIENT, client_id), new_secret(_SECRET_PREFIX)
    async with database.scope(tenant) as scope:
        hashed = secret_hash(secret)
        if client is None or await scope.value("clients.set_secret", client=client, secret_hash=hashed) is None:
            raise _not_found()
        await record_act(scope, "client.rotate", client_id)
    return secret


async def resolve_client(database: Database, client_id: str) -> LiveClient | None:
    """The live client of this id, whatever tenant it is of; None where there is none."""
    client = parse_id(CLIENT, client_id)
    if client is None:
        return None
    async with database.transaction() as connection:
        row = (await connection.execute(query("clients.resolve"), {"client": client})).one_or_none()
    if row is None:
        return None
    return LiveClient(
        tenant=row.tenant_id, tenant_public_id=row.tenant_public_id, tenant_name=row.tenant_name, client=row.client_id,
        name=row.name, redirect_uris=tuple(row.redirect_uris), grant_types=frozenset(row.grant_types),
        scopes=tuple(row.scopes), auth_method=row.auth_method,
        pin=pin_of(row.pin_project, row.pin_user, row.pin_agent),
        hashed_secret=None if row.secret_hash is None else bytes(row.secret_hash),
    )  # fmt: skip


def _not_found() -> MunimentError:
    return MunimentError("auth.client_not_found", "the tenant has no such client")


def _admitted_name(name: str) -> str:
    name = name.strip()
    if not 1 <= len(name) <= 256 or not name.isprintable():
        raise MunimentError("input.invalid", "a client needs a name of 1 to 256 printable characters", field="name")
    return name


def _admitted_grants(grant_types: Iterable[str], auth_method: str) -> tuple[str, ...]:
    wanted = set(grant_types)
    if unknown := sorted(wanted.difference(GRANT_TYPES)):
        told = f"unknown grant type {unknown[0][:64]!r}; the grant types are {', '.join(GRANT_TYPES)}"
        raise MunimentError("input.invalid", told, field="grant_types")
    if auth_method not in AUTH_METHODS:
        told = f"the methods of authentication are {', '.join(AUTH_METHODS)}"
        raise MunimentError("input.invalid", told, field="auth_method")
    if not wanted - {"refresh_token"}:
        raise MunimentError("input.invalid", "a client needs a grant type besides refresh_token", field="grant_types")
    if auth_method == "none" and "client_credentials" in wanted:
        told = "client_credentials needs a client with a secret"
        raise MunimentError("input.invalid", told, field="grant_types")
    return tuple(grant for grant in GRANT_TYPES if grant in wanted)


def _admitted_uris(uris: Sequence[str], *, needed: bool) -> tuple[str, ...]:
    if needed and not uris:
        raise MunimentError("input.invalid", "authorization_code needs a redirect URI", field="redirect_uris")
    if len(uris) > _MOST_URIS:
        raise MunimentError("input.invalid", f"at most {_MOST_URIS} redirect URIs", field="redirect_uris")
    for uri in uris:
        if not _fit_to_lead_to(uri):
            told = "a redirect URI is https://…, http:// of a loopback address, or of a scheme like com.example:/…"
            raise MunimentError("input.invalid", told, field="redirect_uris")
    return tuple(dict.fromkeys(uris))


def _fit_to_lead_to(uri: str) -> bool:
    if len(uri) > _LONGEST_URI or not uri.isascii() or any(ord(char) <= 32 or char in "\"'<>\\" for char in uri):
        return False
    try:
        parts = urlsplit(uri)
        _ = parts.port
    except ValueError:
        return False
    if "#" in uri or parts.username is not None or parts.password is not None:
        return False
    if parts.scheme == "https":
        return bool(parts.hostname)
    if parts.scheme == "http":
        return _is_loopback(parts.hostname or "")
    return "." in parts.scheme and not parts.netloc


def _same_loopback(uri: str, known: str) -> bool:
    try:
        asked, registered = urlsplit(uri), urlsplit(known)
        _ = asked.port
    except ValueError:
        return False
    if asked.scheme != "http" or registered.scheme != "http" or not _fit_to_lead_to(uri):
        return False
    here, there = asked.hostname or "", registered.hostname or ""
    return here == there and _is_loopback(here) and (asked.path, asked.query) == (registered.path, registered.query)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
