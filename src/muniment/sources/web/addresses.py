"""Which URLs may be fetched, and which addresses may be dialled: none that leads back inside."""

import ipaddress
import queue
import re
import socket
import threading
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, urlsplit, urlunsplit

import idna

from muniment.errors import MunimentError
from muniment.settings import Settings

_PORTS: Final = {"http": 80, "https": 443}
_MAX_URL: Final = 2048
_NUMERIC: Final = re.compile(r"(?:0[xX][0-9a-fA-F]*|\d+)")
_REFUSED: Final = tuple(
    ipaddress.ip_network(each)
    for each in (  # some of which Python calls global
        "0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.88.99.0/24", "240.0.0.0/4",
        "::/96", "64:ff9b::/96", "64:ff9b:1::/48", "2001::/32", "2002::/16", "fec0::/10", "5f00::/16",
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Target:
    """A URL that may be asked: its parts, and the whole as it is sent. ``host`` is in ASCII."""

    url: str
    scheme: str
    host: str
    port: int

    @property
    def origin(self) -> str:
        """Scheme, host and port."""
        return f"{self.scheme}://{self.host}:{self.port}"


def target(url: str) -> Target:
    """The parts of a URL. Raises ``source.url_refused`` for all but plain http and https URLs of a name or address."""
    if len(url) > _MAX_URL or not url.isprintable() or any(each in url for each in " \\\t"):
        raise refused("It is too long, or has characters that no URL has.")
    try:
        parts = urlsplit(url)
        port = parts.port
        host = parts.hostname or ""
    except ValueError:
        raise refused("It cannot be taken apart.") from None
    if parts.scheme.lower() not in _PORTS:
        raise refused("Only http and https are fetched.")
    if parts.username is not None or parts.password is not None:
        raise refused("It holds credentials.")
    if port == 0 or not host:
        raise refused("It names no host, or no port.")
    scheme = parts.scheme.lower()
    known = _host(host)
    port = port or _PORTS[scheme]
    shown = f"[{known}]" if ":" in known else known
    at = shown if port == _PORTS[scheme] else f"{shown}:{port}"
    path = quote(parts.path or "/", safe="/%:@!$&'()*+,;=~-._")
    query = quote(parts.query, safe="/%:@!$&'()*+,;=~-._?[]")
    return Target(urlunsplit((scheme, at, path, query, "")), scheme, known, port)


def resolve(host: str, port: int, settings: Settings, seconds: float) -> list[str]:
    """The addresses of a host, all of them public, or of a host that ``web_private_hosts`` allows.

    Raises ``source.url_refused`` where one is not, and ``source.fetch_failed`` where there is none.
    """
    answers: queue.Queue[list[str] | None] = queue.Queue(1)
    threading.Thread(target=_ask, args=(host, port, answers), daemon=True).start()  # a resolver knows no deadline
    try:
        found = answers.get(timeout=max(0.0, seconds))
    except queue.Empty:
        raise MunimentError("source.fetch_failed", "The name of the host could not be resolved in time.") from None
    if not found:
        raise MunimentError("source.fetch_failed", "The name of the host cannot be resolved.")
    if not _allowed(host, port, settings) and not all(is_public(address) for address in found):
        raise refused("Its host has an address that is not public.")
    return found


def is_public(address: str) -> bool:
    """Whether anybody could reach an address: no private, local, shared, reserved or translated one."""
    try:
        known = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(known, ipaddress.IPv6Address):
        if known.ipv4_mapped is not None:
            return is_public(str(known.ipv4_mapped))
        if known.scope_id is not None or known.is_site_local:
            return False
    if not known.is_global or known.is_multicast or known.is_reserved or known.is_unspecified:
        return False
    return not any(known.version == each.version and known in each for each in _REFUSED)


def refused(why: str) -> MunimentError:
    """The error for a URL that is not fetched."""
    return MunimentError("source.url_refused", f"The URL is not fetched. {why}")


def _ask(host: str, port: int, answers: "queue.Queue[list[str] | None]") -> None:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        answers.put(list(dict.fromkeys(str(each[4][0]) for each in found)))
    except (OSError, UnicodeError):
        answers.put(None)


def _host(host: str) -> str:
    """A host in ASCII. Numbers that only some programs take for an address are refused."""
    if ":" in host:
        try:
            return str(ipaddress.IPv6Address(host.partition("%")[0] if "%" not in host else "invalid"))
        except ValueError:
            raise refused("Its host is no address.") from None
    try:
        known = host.lower() if host.isascii() else idna.encode(host, uts46=True).decode()
    except idna.IDNAError:
        raise refused("Its host is no name.") from None
    last = known.rstrip(".").rpartition(".")[2]
    if _NUMERIC.fullmatch(last):
        try:
            return str(ipaddress.IPv4Address(known))
        except ValueError:
            raise refused("Its host is a number that is no plain address.") from None
    if not re.fullmatch(r"[a-z0-9_.-]{1,253}", known):
        raise refused("Its host is no name.")
    return known


def _allowed(host: str, port: int, settings: Settings) -> bool:
    names = [each.strip().lower() for each in settings.web_private_hosts.split(",")]
    return host in names or f"{host}:{port}" in names
