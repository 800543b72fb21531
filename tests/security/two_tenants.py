"""Two tenants of one server, each behind REST and plain SQL, whose words and ids are looked for wherever one looks.

Both say the same ordinary words under the same names (source keys, message ids, groups, idempotency keys), so that they
meet in every unique key and in the statistics of every word; and each has words of its own, by which it is known.
"""

import io
import json
import logging
import re
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import psycopg
import structlog
import uvicorn
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from prometheus_client import generate_latest
from pydantic import SecretStr
from sqlalchemy import make_url

from muniment.api.app import create_app
from muniment.database.setup import driver_conninfo
from muniment.logs import configure_logs
from muniment.memory.background import BackgroundLoop
from muniment.model.identifiers import TENANT, public_id
from muniment.model.sql_logins import SqlLoginRequest
from muniment.runtime import Runtime, open_runtime
from muniment.settings import Settings
from muniment.telemetry import tracing
from muniment.telemetry.metrics import REGISTRY
from muniment.tenancy.keys import create_key
from muniment.tenancy.principal import SCOPES
from muniment.tenancy.sql_logins import create_login
from muniment.tenancy.tenants import admit_tenant

PLAIN = ("ferry", "harbour", "noon", "lighthouse")
"""Words that both tenants say."""
_ID = re.compile(r"\b[a-z]_[0-9a-f]{32}\b")
_OWN_WORDS = 40
_numbers = count(1)


@dataclass
class Party:
    """A tenant: its credentials, its words, and every id that it was ever told."""

    number: int
    id: str
    client: httpx.Client
    sql: psycopg.Connection
    words: list[str]
    ids: set[str] = field(default_factory=set)
    sent: set[str] = field(default_factory=set)
    cursors: list[str] = field(default_factory=list)
    said: int = 1

    @property
    def decoy(self) -> str:
        """The word that others may guess, and so may find among what they asked themselves."""
        return self.words[0]

    def own_word(self) -> str:
        """A word that nobody else has, the next."""
        self.said = min(self.said + 1, _OWN_WORDS - 1)
        return self.words[self.said]

    def known(self, prefix: str) -> list[str]:
        """The ids of one kind that this tenant was told, in a fixed order."""
        return sorted(each for each in self.ids if each.startswith(prefix))

    def traces_in(self, text: str) -> list[str]:
        """What of this tenant stands in a text: its words, its id, the ids of what it has."""
        bare = text.lower().replace("-", "")
        return [each for each in (*self.words, self.id[2:]) if each in bare] + [
            each for each in self.ids if each[2:] in bare
        ]

    def hear(self, text: str) -> None:
        """Notes the ids of what it was told, but for those that it had made up or guessed itself."""
        self.ids |= set(_ID.findall(text)) - self.sent

    def close(self) -> None:
        self.client.close()
        self.sql.close()


class Server:
    """The real app in this process, over real HTTP, with its log, its spans and its metrics."""

    def __init__(self, admin_url: str, place: Path) -> None:
        self.settings = Settings(
            database_url=SecretStr(admin_url), data_dir=place, pool_size=8, embedding_provider="none",
            quota_requests_per_minute=0, external_issuers="public", public_url="http://127.0.0.1:9",
        )  # fmt: skip
        self.admin_url = admin_url
        self._loop = BackgroundLoop("server of two tenants")
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._told = io.StringIO()
        self._spans = InMemorySpanExporter()
        self._opening = open_runtime(self.settings, run_jobs=False)
        self.runtime: Runtime = self._loop.call(self._opening.__aenter__())
        app = create_app(self.settings, nullcontext(self.runtime))
        self._server = uvicorn.Server(uvicorn.Config(app, lifespan="on", log_config=None, access_log=False))
        self._serving = self._loop.call(self._start())

    async def _start(self) -> Any:
        import asyncio

        return asyncio.create_task(self._server.serve(sockets=[self._listener]))

    @contextmanager
    def observed(self) -> Iterator[None]:
        """Inside, the log comes to ``news`` in its JSON form, and so do spans."""
        before, handlers, level = structlog.get_config(), list(logging.root.handlers), logging.root.level
        stderr, sys.stderr = sys.stderr, self._told
        try:
            configure_logs("debug", "json")
        finally:
            sys.stderr = stderr
        provider = TracerProvider(shutdown_on_exit=False)
        provider.add_span_processor(SimpleSpanProcessor(self._spans))
        tracing._tracer = provider.get_tracer("muniment")
        try:
            yield
        finally:
            tracing._tracer = None
            structlog.configure(**before)
            logging.root.handlers[:] = handlers
            logging.root.setLevel(level)

    def news(self) -> tuple[list[dict[str, Any]], str]:
        """The lines of the log and the spans since the last call; and the metrics as they stand."""
        text = self._told.getvalue()
        self._told.seek(0)
        self._told.truncate()
        lines = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
        spans = [{"span": span.name, **dict(span.attributes or {})} for span in self._spans.get_finished_spans()]
        self._spans.clear()
        return [*lines, *spans], generate_latest(REGISTRY).decode()

    def run_jobs(self) -> None:
        """Runs what waits, of everybody."""
        assert self._loop.call(self.runtime.runner.drain(60))

    def admit(self) -> Party:
        """A new tenant with a key of every scope, an SQL login and words of its own."""
        number = next(_numbers)
        database = self.runtime.database
        words = [_word(number, each) for each in range(_OWN_WORDS)]
        tenant = self._loop.call(admit_tenant(database, f"The {words[1]} company"))
        key = self._loop.call(create_key(database, tenant.number, words[1], SCOPES))
        asked = SqlLoginRequest(label=words[1])
        login = self._loop.call(create_login(database, self.admin_url, tenant.number, asked, seconds=20))
        client = httpx.Client(
            base_url=f"{self.url}/api/v1/", headers={"Authorization": f"Bearer {key.secret}"}, timeout=60
        )
        sql = psycopg.connect(driver_conninfo(make_url(self.admin_url).set(username=login.name)), autocommit=True)
        made = Party(tenant.number, public_id(TENANT, tenant.public_id), client, sql, words)
        made.ids |= {made.id, key.key.id}
        return made

    def close(self) -> None:
        self.runtime.retriever.feed.close()
        self.runtime.watch.close()
        self._server.should_exit = True
        deadline = time.monotonic() + 20
        while not self._serving.done() and time.monotonic() < deadline:
            time.sleep(0.02)
        self._loop.call(self._opening.__aexit__(None, None, None))
        self._loop.stop()
        self._listener.close()


def _word(number: int, each: int) -> str:
    """A word of letters alone, that stands in no other word and in no identifier."""
    digits = f"{number:05}{each:02}"
    return "zq" + "".join(chr(ord("j") + int(digit)) for digit in digits) + "yx"
