"""External issuers of a tenant: OIDC providers whose access tokens open it, and how their claims are read."""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Final
from urllib.parse import urlsplit

from muniment.audit.chain import record_act
from muniment.database.pinning import Pin
from muniment.database.pool import Database, Row
from muniment.database.spaces import intern_space
from muniment.errors import MunimentError
from muniment.model.identifiers import ISSUER, new_id, parse_id, public_id
from muniment.tenancy.principal import admit_scopes, pin_of

_LONGEST: Final = 512


@dataclass(frozen=True, slots=True)
class ExternalIssuer:
    """A provider. ``scopes`` are the most that its tokens may hold, of those in their claim ``scope_claim``.

    Where ``user_claim`` is set, a token is pinned to the user that this claim names, beside ``pin``.
    """

    id: str
    url: str
    scopes: tuple[str, ...]
    scope_claim: str
    user_claim: str | None
    pin: Pin | None
    created_at: datetime | None = None


async def add_issuer(
    database: Database, tenant: int, url: str, scopes: Iterable[str], *, scope_claim: str = "scope",
    user_claim: str | None = None, pin: Pin | None = None, check: Callable[[str], Awaitable[None]] | None = None,
) -> ExternalIssuer:  # fmt: skip
    """Lets the access tokens of a provider open the tenant; raises ``input.invalid`` and ``auth.issuer_exists``.

    ``check`` is asked about the URL before, and raises where it does not do; without one nobody looks.
    """
    bound = pin if user_claim is None else Pin(user_id="of the token")
    wanted, url = admit_scopes(scopes, bound), _admitted_url(url)
    for name in filter(None, (scope_claim, user_claim)):
        if len(name) > _LONGEST or not name.isprintable():
            raise MunimentError("input.invalid", "a claim has a printable name", field="claim")
    if user_claim is not None and pin is not None and pin.user_id is not None:
        raise MunimentError("input.invalid", "the user is pinned or read from a claim, not both", field="pin")
    if check is not None:
        await check(url)
    if pin is not None:
        await intern_space(database, tenant, pin.namespace)
    issuer = new_id()
    async with database.scope(tenant) as scope:
        created_at = await scope.value(
            "issuers.insert",
            issuer=issuer,
            url=url,
            scopes=list(wanted),
            scope_claim=scope_claim,
            user_claim=user_claim,
            pin_project=None if pin is None else pin.project_id,
            pin_user=None if pin is None else pin.user_id,
            pin_agent=None if pin is None else pin.agent_id,
        )
        if created_at is None:
            raise MunimentError("auth.issuer_exists", "the tenant has this issuer already")
        await record_act(
            scope, "issuer.add", public_id(ISSUER, issuer), url=url, scopes=list(wanted), scope_claim=scope_claim,
            user_claim=user_claim, pin=None if pin is None else asdict(pin), checked=check is not None,
        )  # fmt: skip
    return ExternalIssuer(public_id(ISSUER, issuer), url, wanted, scope_claim, user_claim, pin, created_at)


async def list_issuers(database: Database, tenant: int) -> list[ExternalIssuer]:
    """All issuers of the tenant, oldest first."""
    async with database.scope(tenant) as scope:
        return [_shown(row) for row in await scope.rows("issuers.list")]


async def find_issuer(database: Database, tenant: int, url: str) -> ExternalIssuer | None:
    """The tenant's issuer of exactly this URL."""
    async with database.scope(tenant) as scope:
        row = await scope.row("issuers.of_url", url=url)
    return None if row is None else _shown(row)


async def remove_issuer(database: Database, tenant: int, issuer_id: str) -> None:
    """Its tokens open the tenant no more, within seconds in other processes; raises ``auth.issuer_not_found``."""
    issuer = parse_id(ISSUER, issuer_id)
    async with database.scope(tenant) as scope:
        if issuer is None or await scope.value("issuers.delete", issuer=issuer) is None:
            raise MunimentError("auth.issuer_not_found", "the tenant has no such issuer")
        await record_act(scope, "issuer.remove", issuer_id)


def _admitted_url(url: str) -> str:
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        parts = urlsplit("")
    plain = not (parts.query or parts.fragment or parts.username or parts.password) and url.isascii()
    fit = parts.scheme in ("https", "http") and parts.hostname and plain and len(url) <= _LONGEST
    if not fit or not url.isprintable() or " " in url:
        raise MunimentError("input.invalid", "an issuer is an https:// URL without a query", field="url")
    return url


def _shown(row: Row) -> ExternalIssuer:
    return ExternalIssuer(
        id=public_id(ISSUER, row["issuer_id"]), url=row["url"], scopes=tuple(row["scopes"]),
        scope_claim=row["scope_claim"], user_claim=row["user_claim"],
        pin=pin_of(row["pin_project"], row["pin_user"], row["pin_agent"]), created_at=row.get("created_at"),
    )  # fmt: skip
