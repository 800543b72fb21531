"""The connection back end of the client: dials the address that was checked, and ends all at one deadline."""

import ssl
import time
from collections.abc import Iterable
from typing import Any

import httpcore

from muniment.settings import Settings
from muniment.sources.web.addresses import resolve


class Deadline:
    """The end of a fetch, with all its redirects."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        """The seconds that are left; raises ``httpcore.ReadTimeout`` where none are."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise httpcore.ReadTimeout
        return left


class CheckedBackend(httpcore.NetworkBackend):
    """Resolves a host once and dials one of the addresses it found, so that no later answer can turn it inward.

    The name in the Host header and the one that the certificate must bear stay the URL's.
    """

    def __init__(self, settings: Settings, deadline: Deadline) -> None:
        self._settings = settings
        self._deadline = deadline
        self._dialler = httpcore.SyncBackend()

    def connect_tcp(
        self, host: str, port: int, timeout: float | None = None, local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:  # fmt: skip
        """Raises ``source.url_refused`` and ``source.fetch_failed``, and what ``httpcore`` raises."""
        addresses = resolve(host, port, self._settings, self._deadline.left())
        for address in addresses[:3]:
            try:
                return _Stream(self._dialler.connect_tcp(address, port, self._deadline.left()), self._deadline)
            except httpcore.ConnectError:
                continue
        raise httpcore.ConnectError

    def connect_unix_socket(self, *_: Any, **__: Any) -> httpcore.NetworkStream:
        """Never."""
        raise httpcore.ConnectError


class _Stream(httpcore.NetworkStream):
    """A connection none of whose reads outlasts the deadline, however slowly bytes drip."""

    def __init__(self, inner: httpcore.NetworkStream, deadline: Deadline) -> None:
        self._inner = inner
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._inner.read(max_bytes, self._deadline.left())

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._inner.write(buffer, self._deadline.left())

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        return _Stream(self._inner.start_tls(ssl_context, server_hostname, self._deadline.left()), self._deadline)

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)
