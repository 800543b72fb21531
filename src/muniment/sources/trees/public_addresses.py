"""Connections that lead nowhere but to public addresses: a name is resolved once, and what was checked is dialled."""

import socket
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any, Final

from urllib3 import HTTPSConnectionPool, PoolManager, Retry, Timeout
from urllib3.connection import HTTPSConnection
from urllib3.exceptions import NameResolutionError, NewConnectionError

# What Python's is_global lets pass, and what carries an IPv4 address inside.
_NOT_PUBLIC: Final = tuple(
    ip_network(each)
    for each in ("192.0.0.0/24", "100.64.0.0/10", "64:ff9b::/96", "2002::/16", "2001::/32", "::/96", "::ffff:0:0/96")
)
_REDIRECTS: Final = 5


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Whether an address is one of the public network."""
    inside = any(address in network for network in _NOT_PUBLIC if network.version == address.version)
    return address.is_global and not address.is_multicast and not inside


def public_addresses(host: str, port: int) -> list[tuple[Any, ...]]:
    """What a name resolves to, as ``socket.getaddrinfo`` gives it; empty where any of it is not public."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = [ip_address(str(each[4][0]).partition("%")[0]) for each in found]
    return list(found) if all(is_public(address) for address in addresses) else []


class _PublicConnection(HTTPSConnection):
    """The certificate stays that of the name; the address is one that was checked."""

    def _new_conn(self) -> socket.socket:
        try:
            found = public_addresses(self._dns_host, self.port or 443)
        except OSError as error:
            raise NameResolutionError(self.host, self, socket.gaierror(str(error))) from None
        for family, kind, protocol, _, address in found:
            made = socket.socket(family, kind, protocol)
            try:
                made.settimeout(self.timeout)
                made.connect(address)
                return made
            except OSError:
                made.close()
        raise NewConnectionError(self, "no public address answers")


class _PublicConnections(HTTPSConnectionPool):
    ConnectionCls = _PublicConnection


class PublicPool(PoolManager):
    """A pool that speaks https to public addresses, and to no proxy of the environment."""

    def __init__(self, timeout: float) -> None:
        super().__init__(timeout=Timeout(timeout), retries=Retry(total=_REDIRECTS, redirect=_REDIRECTS))
        self.pool_classes_by_scheme = {"https": _PublicConnections}
