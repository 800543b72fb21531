"""URLs cannot turn a fetch inward, keep it busy, or fill its memory."""

import gzip
import socket
import threading
import time
from collections.abc import Callable, Iterator
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from muniment.errors import MunimentError
from muniment.settings import Settings
from muniment.sources.web import fetch
from muniment.sources.web.addresses import is_public, target

Answer = Callable[[BaseHTTPRequestHandler], None]


def plain(body: bytes, media_type: str = "text/plain", status: int = 200, **headers: str) -> Answer:
    def send(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        handler.send_header("Content-Type", media_type)
        handler.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(body)

    return send


def redirect(to: str) -> Answer:
    return plain(b"", status=302, Location=to)


def drip(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    try:
        for _ in range(200):
            handler.wfile.write(b".")
            handler.wfile.flush()
            time.sleep(0.1)
    except OSError:
        return


class Site:
    """A web server on this machine; ``pages`` are its answers, ``asked`` the paths and Host headers that it saw."""

    def __init__(self) -> None:
        self.pages: dict[str, Answer] = {"/robots.txt": plain(b"", status=404)}
        self.asked: list[tuple[str, str]] = []
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site.asked.append((self.path, self.headers.get("Host", "")))
                site.pages.get(self.path, plain(b"", status=404))(self)

            def log_message(self, *_: Any) -> None:
                return

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()

    def url(self, path: str = "/page") -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def settings(self, **more: Any) -> Settings:
        return Settings(web_private_hosts=f"127.0.0.1:{self.port}", web_timeout=60, **more)

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@pytest.fixture
def site() -> Iterator[Site]:
    running = Site()
    yield running
    running.close()


def refusal(url: str, settings: Settings | None = None) -> str:
    with pytest.raises(MunimentError) as caught:
        fetch(url, settings or Settings())
    return caught.value.code


def test_a_page_is_fetched_with_where_it_ended_its_type_and_its_hash(site: Site) -> None:
    site.pages |= {"/page": redirect("/end?q=1"), "/end?q=1": plain(b"<p>hello", "text/html; charset=utf-8")}
    fetched = fetch(site.url(), site.settings())
    assert (fetched.url, fetched.data, fetched.media_type) == (
        site.url("/end?q=1"),
        b"<p>hello",
        "text/html; charset=utf-8",
    )
    assert fetched.metadata()["response_sha256"] == sha256(b"<p>hello").hexdigest()
    assert site.asked[-1] == ("/end?q=1", f"127.0.0.1:{site.port}")


def test_this_machine_is_not_fetched_unless_it_is_allowed(site: Site) -> None:
    site.pages["/page"] = plain(b"secret")
    assert refusal(site.url()) == "source.url_refused"
    assert refusal(site.url(), Settings(web_private_hosts="127.0.0.1:1, 10.0.0.1")) == "source.url_refused"
    assert (
        refusal(site.url(), Settings(web_access="off", web_private_hosts=f"127.0.0.1:{site.port}"))
        == "source.url_refused"
    )
    assert not site.asked


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "ftp://example.org/",
        "gopher://example.org/",
        "data:text/plain,x",
        "javascript:1",
        "//x/y",
        "x",
        "http://user:pass@example.org/",
        "http://user@example.org/",
        "http://@example.org/",
        "http:///x",
        "http://a b/",
        "http://example.org:0/",
        "http://example.org:99999/",
        "http://example.org\\@127.0.0.1/",
        "http://ex\tample.org/",
        "http://2130706433/",
        "http://0x7f000001/",
        "http://0x7f.1/",
        "http://0177.0.0.1/",
        "http://127.1/",
        "http://127.0.0.1./",
        "http://[::1%25lo]/",
        "http://[fe80::1%eth0]/",
        "http://[::g]/",
        "http://[::1/",
        "http://" + "a" * 3000 + "/",
        "http://①②⑦.⓪.⓪.①/",
    ],
)
def test_urls_that_hide_where_they_lead_are_refused(url: str) -> None:
    assert refusal(url) == "source.url_refused"


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.0.1",
        "169.254.169.254",
        "100.64.0.1",
        "192.0.0.1",
        "0.0.0.0",
        "0.1.2.3",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "198.18.0.1",
        "192.0.2.1",
        "::1",
        "::",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::127.0.0.1",
        "64:ff9b::7f00:1",
        "64:ff9b:1::a00:1",
        "2002:7f00:1::",
        "2001::1",
        "2001:db8::1",
        "fc00::1",
        "fd12::1",
        "fe80::1",
        "fec0::1",
        "ff02::1",
        "fe80::1%eth0",
        "none",
    ],
)
def test_addresses_that_lead_inside_are_not_public(address: str) -> None:
    assert not is_public(address)
    assert (
        is_public("93.184.215.14")
        and is_public("2606:2800:21f:cb07:6820:80da:af6b:8b2c")
        and is_public("::ffff:8.8.8.8")
    )


@pytest.mark.parametrize(
    "host", ["[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "127.0.0.1", "localhost", "0.0.0.0", "[::]"]
)
def test_this_machine_by_any_of_its_addresses_is_refused(host: str, site: Site) -> None:
    assert refusal(f"http://{host}:{site.port}/page") == "source.url_refused"
    assert not site.asked


def test_a_redirect_inward_is_refused(site: Site) -> None:
    other = Site()
    try:
        other.pages["/page"] = plain(b"secret")
        for to in (
            other.url(),
            "file:///etc/passwd",
            "http://169.254.169.254/latest/meta-data/",
            "http://a:b@127.0.0.1/",
        ):
            site.pages["/page"] = redirect(to)
            assert refusal(site.url(), site.settings()) == "source.url_refused"
        assert not other.asked
    finally:
        other.close()


def test_endless_redirects_end(site: Site) -> None:
    site.pages["/page"] = redirect("/page")
    assert refusal(site.url(), site.settings()) == "source.fetch_failed"
    assert len(site.asked) == 7  # robots.txt, and six pages


def answers(monkeypatch: pytest.MonkeyPatch, *rows: list[str]) -> list[str]:
    """Makes a resolver that gives these rows one after the other; the names that it was asked for."""
    asked: list[str] = []

    def resolver(host: str, port: int, **_: Any) -> list[Any]:
        asked.append(host)
        row = rows[min(len(asked), len(rows)) - 1]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in row]

    monkeypatch.setattr("muniment.sources.web.addresses.socket.getaddrinfo", resolver)
    return asked


def test_a_name_one_of_whose_addresses_is_inside_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    answers(monkeypatch, ["93.184.215.14", "127.0.0.1"])
    assert refusal("http://rebound.example/") == "source.url_refused"


def test_what_was_checked_is_what_is_dialled(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = answers(monkeypatch, ["93.184.215.14"], ["127.0.0.1"])
    dialled: list[str] = []

    def dial(address: tuple[str, int], *_: Any, **__: Any) -> socket.socket:
        dialled.append(address[0])
        raise OSError

    monkeypatch.setattr("socket.create_connection", dial)
    assert refusal("http://rebound.example/", Settings(web_robots=False)) == "source.fetch_failed"
    assert (asked, dialled) == (["rebound.example"], ["93.184.215.14"])


def test_proxies_of_the_environment_are_not_used(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9/")
    site.pages["/page"] = plain(b"direct")
    assert fetch(site.url(), site.settings()).data == b"direct"


def test_a_bomb_ends_at_the_limit(site: Site) -> None:
    bomb = gzip.compress(bytes(64 * 1024 * 1024))
    site.pages["/page"] = plain(bomb, Content_Encoding="gzip")
    assert refusal(site.url(), site.settings(web_max_bytes=1_000_000)) == "input.too_large"
    site.pages["/page"] = plain(gzip.compress(b"small"), Content_Encoding="gzip")
    assert fetch(site.url(), site.settings()).data == b"small"
    site.pages["/page"] = plain(b"x", Content_Encoding="br")
    assert refusal(site.url(), site.settings()) == "source.fetch_failed"
    site.pages["/page"] = plain(b"no gzip", Content_Encoding="gzip")
    assert refusal(site.url(), site.settings()) == "source.fetch_failed"


def test_a_drip_ends_at_the_deadline(site: Site) -> None:
    site.pages["/page"] = drip
    started = time.monotonic()
    assert refusal(site.url(), site.settings().model_copy(update={"web_timeout": 0.8})) == "source.fetch_failed"
    assert time.monotonic() - started < 10  # it would take 20 seconds


def test_robots_txt_is_obeyed_unless_a_setting_says_otherwise(site: Site) -> None:
    site.pages |= {"/robots.txt": plain(b"User-agent: *\nDisallow: /page"), "/page": plain(b"x"), "/open": plain(b"y")}
    assert refusal(site.url(), site.settings()) == "source.url_refused"
    assert fetch(site.url("/open"), site.settings()).data == b"y"
    assert fetch(site.url(), site.settings(web_robots=False)).data == b"x"
    site.pages["/robots.txt"] = plain(b"", status=503)
    assert refusal(site.url("/open"), site.settings()) == "source.url_refused"


def test_an_error_page_is_no_source(site: Site) -> None:
    assert refusal(site.url("/missing"), site.settings()) == "source.fetch_failed"


def test_names_of_other_scripts_are_asked_for_in_ascii() -> None:
    assert target("http://Bücher.example/Straße?q=ä#top").url == "http://xn--bcher-kva.example/Stra%C3%9Fe?q=%C3%A4"
