"""Fetching one URL: redirects by hand, each checked as the first; so many bytes, so many seconds, and no more."""

import ssl
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from typing import Final
from urllib.parse import unquote, urljoin

import httpcore
import httpx
from protego import Protego

from muniment.errors import MunimentError
from muniment.settings import Settings
from muniment.sources.web.addresses import Target, refused, target
from muniment.sources.web.connection import CheckedBackend, Deadline

AGENT: Final = "Muniment"
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_MOST_REDIRECTS: Final = 5
_ROBOTS_BYTES: Final = 512 * 1024
_STEP: Final = 64 * 1024
_HEADERS: Final = (
    ("User-Agent", f"{AGENT}/0.1"),
    ("Accept", "text/html,application/xhtml+xml,application/pdf,text/*;q=0.9,*/*;q=0.5"),
    ("Accept-Encoding", "gzip, deflate"),
    ("Connection", "close"),
)


@dataclass(frozen=True, slots=True)
class Fetched:
    """What a URL gave: where it ended after redirects, the body, the type that the answer names, and when."""

    url: str
    data: bytes
    media_type: str | None
    filename: str | None
    at: datetime

    def metadata(self) -> dict[str, str]:
        """What is kept of the fetch with the source."""
        digest = sha256(self.data).hexdigest()
        return {"url": self.url, "fetched_at": self.at.isoformat(timespec="seconds"), "response_sha256": digest}


@dataclass(frozen=True, slots=True)
class _Answer:
    status: int
    headers: dict[str, str]
    body: bytes


def fetch(url: str, settings: Settings) -> Fetched:
    """Fetches a URL, blocking: call it in a thread.

    Raises ``source.url_refused`` for what may not be asked (also by robots.txt), ``source.fetch_failed`` for what does
    not answer as it should or in time (fact ``status``), and ``input.too_large``.
    """
    if settings.web_access == "off":
        raise refused("MUNIMENT_WEB_ACCESS is off.")
    deadline = Deadline(settings.web_timeout)
    asking = _Asking(settings, deadline)
    at = target(url)
    for _ in range(_MOST_REDIRECTS + 1):
        asking.require_robots(at)
        answer = asking.get(at, settings.web_max_bytes)
        if answer.status not in _REDIRECTS:
            return _fetched(at, answer)
        following = target(urljoin(at.url, answer.headers.get("location", "")))
        if at.scheme == "https" and following.scheme != "https":
            raise refused("It redirects from https to http.")
        at = following
    raise MunimentError("source.fetch_failed", f"The URL redirects more than {_MOST_REDIRECTS} times.")


def ask(url: str, settings: Settings, limit: int) -> tuple[int, bytes]:
    """The status and the body of one answer of at most so many bytes, blocking, without robots.txt; no redirect is
    followed, and one has no body. Raises as ``fetch``."""
    answer = _Asking(settings, Deadline(settings.web_timeout)).get(target(url), limit)
    return answer.status, answer.body


@cache
def _certificates() -> ssl.SSLContext:
    """Whose certificates are trusted, whatever the environment says; making it takes a tenth of a second."""
    return httpx.create_ssl_context(trust_env=False)


class _Asking:
    """The requests of one fetch."""

    def __init__(self, settings: Settings, deadline: Deadline) -> None:
        self._settings = settings
        self._deadline = deadline
        self._backend = CheckedBackend(settings, deadline)
        self._robots: dict[str, Protego | None] = {}

    def get(self, at: Target, limit: int) -> _Answer:
        """One answer, its body unpacked. The client is ours: it reads no proxies and no netrc from the environment."""
        headers = [*_HEADERS, ("Host", at.url.split("/")[2])]
        try:
            with (
                httpcore.ConnectionPool(
                    ssl_context=_certificates() if at.scheme == "https" else None, network_backend=self._backend
                ) as pool,
                pool.stream("GET", at.url, headers=headers) as response,
            ):
                told = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in response.headers}
                wanted = response.status not in _REDIRECTS
                body = _body(response.iter_stream(), told.get("content-encoding", ""), limit) if wanted else b""
                return _Answer(response.status, told, body)
        except MunimentError:
            raise
        except httpcore.TimeoutException:
            detail = f"The URL did not answer within {self._settings.web_timeout:g} seconds."
            raise MunimentError("source.fetch_failed", detail, setting="MUNIMENT_WEB_TIMEOUT") from None
        except (httpcore.NetworkError, httpcore.ProtocolError, httpcore.UnsupportedProtocol, OSError, zlib.error):
            raise MunimentError("source.fetch_failed", "The host did not answer as a web server does.") from None

    def require_robots(self, at: Target) -> None:
        """Raises ``source.url_refused`` where the host's robots.txt forbids the URL, or cannot be told to allow it."""
        if not self._settings.web_robots:
            return
        if at.origin not in self._robots:
            answer = self.get(target(urljoin(at.url, "/robots.txt")), _ROBOTS_BYTES)
            if answer.status >= 500:
                raise refused("Its robots.txt cannot be read.")
            found = answer.status == 200
            self._robots[at.origin] = Protego.parse(answer.body.decode("utf-8", "replace")) if found else None
        rules = self._robots[at.origin]
        if rules is not None and not rules.can_fetch(at.url, AGENT):
            raise refused("Its robots.txt forbids it; MUNIMENT_WEB_ROBOTS says whether that counts.")


def _fetched(at: Target, answer: _Answer) -> Fetched:
    if not 200 <= answer.status < 300:
        detail = f"The URL answered with status {answer.status}."
        raise MunimentError("source.fetch_failed", detail, status=answer.status)
    name = unquote(at.url.split("?")[0].rpartition("/")[2])
    named = "".join(each for each in name if each.isprintable() and each not in "/\\")[:256]
    return Fetched(at.url, answer.body, answer.headers.get("content-type"), named or None, datetime.now(UTC))


def _body(steps: Iterable[bytes], encoding: str, limit: int) -> bytes:
    """The body, unpacked step by step: a bomb ends at the limit, not in memory."""
    known = encoding.strip().lower()
    if known in ("", "identity"):
        unpacked: Iterator[bytes] = iter(steps)
    elif known in ("gzip", "x-gzip", "deflate"):
        unpacked = _inflated(steps)
    else:
        raise MunimentError("source.fetch_failed", "The answer is packed in a way that was not asked for.")
    body = bytearray()
    for step in unpacked:
        body += step
        if len(body) > limit:
            detail = f"The answer has more than {limit} bytes."
            raise MunimentError("input.too_large", detail, limit=limit, setting="MUNIMENT_WEB_MAX_BYTES")
    return bytes(body)


def _inflated(steps: Iterable[bytes]) -> Iterator[bytes]:
    inflater = zlib.decompressobj(wbits=47)  # gzip or zlib, as the bytes say
    for step in steps:
        pending = step
        while pending:
            yield inflater.decompress(pending, _STEP)
            pending = inflater.unconsumed_tail
            if inflater.eof:
                return
    yield inflater.flush(_STEP)
