"""How many requests a server answers: searches and writes over HTTP, by clients and API processes.

Beside it two ratios: the same searches and writes by a role that row security binds and by one that it does not (both
name the tenant in every statement), and a search with the check of a credential and without.
"""

import asyncio
import json
import os
import random
import statistics
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, Final

from muniment.bench.request_servers import api_processes, closed_loop
from muniment.bench.scale_corpus import batches, questions, vocabulary
from muniment.database.pool import Database
from muniment.errors import MunimentError
from muniment.log.writer import Writer
from muniment.model.identifiers import new_id
from muniment.model.message import Message
from muniment.model.namespace import Namespace
from muniment.model.request import SearchRequest
from muniment.oauth.grants import Granted, store_grant
from muniment.oauth.issuer import Issuer, issuer_of
from muniment.oauth.tokens import forget_tokens, resolve_token, sign_access_token
from muniment.retrieval.engine import Retriever
from muniment.runtime import Runtime, open_runtime
from muniment.settings import Settings
from muniment.tenancy.clients import create_client, resolve_client
from muniment.tenancy.keys import create_key, forget_keys, resolve_key

_SEED: Final = 7
_HOME: Final = Namespace(project_id="home")
_MESSAGES: Final = 5  # of one write
_QUESTIONS: Final = 500
_PUBLIC_URL: Final = "http://127.0.0.1:8765"  # what tokens are for; no request goes there
CLIENTS: Final = (1, 8, 32)
PROCESSES: Final = (1, 2, 4)


async def run_requests(
    settings: Settings, records: int, requests: int, out: Path, *, processes: Sequence[int] = PROCESSES,
    clients: Sequence[int] = CLIENTS,
) -> dict[str, Any]:  # fmt: skip
    """Fills a new store and measures; the report is also written to ``out`` as JSON."""
    settings = settings.model_copy(update={"public_url": _PUBLIC_URL, "quota_requests_per_minute": 0})
    async with open_runtime(settings, run_jobs=False) as runtime:
        load = Load(runtime, records)
        await load.fill()
        key = await create_key(
            runtime.database, runtime.tenant.number, "benchmark", ["memory:write", "memory:read", "query:read"]
        )
        report: dict[str, Any] = {
            "records": records, "requests": requests, "messages_of_a_write": _MESSAGES, "cores": os.cpu_count(),
            "embedding": settings.embedding_provider, "row_security": await _row_security(load, requests),
            "credentials": await _credentials(runtime, key.secret, requests),
        }  # fmt: skip
        _relate(report)
        environment = {
            "MUNIMENT_PUBLIC_URL": _PUBLIC_URL, "MUNIMENT_QUOTA_REQUESTS_PER_MINUTE": "0",
            "MUNIMENT_EMBEDDING_PROVIDER": settings.embedding_provider, "MUNIMENT_EXTRACTION": "off",
            "MUNIMENT_SUMMARIES": "off", "MUNIMENT_LOG_LEVEL": "info",
        }  # fmt: skip
        report["http"] = []
        for count in processes:
            async with api_processes(count, settings.store_dir, environment) as urls:
                await closed_loop(urls, key.secret, 2 * count, 8 * count, load.search)  # a first of each: models, plans
                for clients_at_once in clients:
                    for what, request in (("search", load.search), ("ingest", load.write)):
                        await load.settle()
                        found = await closed_loop(urls, key.secret, clients_at_once, requests, request)
                        report["http"].append({"processes": count, "clients": clients_at_once, "what": what} | found)
                        await _write(out, report)  # each as it is had: a long measurement may be cut short
    return report


async def _write(out: Path, report: dict[str, Any]) -> None:
    await asyncio.to_thread(out.write_text, json.dumps(report, indent=2) + "\n", encoding="utf-8")


class Load:
    """Made-up records, questions about them, and writes that are all different."""

    def __init__(self, runtime: Runtime, records: int) -> None:
        self.runtime = runtime
        made = next(batches(vocabulary(), records, _SEED))
        self._said = list(zip(made.speakers, made.texts, strict=True))
        self._questions = questions(vocabulary(), _QUESTIONS, _SEED)
        self._rng = random.Random(_SEED)
        self._written = 0

    async def fill(self) -> None:
        """Stores the records, with their vectors."""
        for start in range(0, len(self._said), 100):
            messages = [Message(speaker=who, content=text) for who, text in self._said[start : start + 100]]
            await self.runtime.writer.ingest_messages(
                self.runtime.tenant.number, _HOME, messages, group_id=f"filled-{start}", wait="lexical"
            )
        await self.settle()

    async def settle(self) -> None:
        """Waits until the jobs of earlier writes are done: what follows is measured without them."""
        await self.runtime.runner.drain()

    def question(self, number: int) -> str:
        """The question of a number."""
        return self._questions[number % len(self._questions)]

    def search(self, number: int) -> tuple[str, dict[str, Any]]:
        """A search over HTTP."""
        return "search", {"query": self.question(number), "namespace": {"project_id": "home"}}

    def write(self, _number: int) -> tuple[str, dict[str, Any]]:
        """A write over HTTP, of messages that were not written before."""
        group, messages = self.messages()
        body = [{"speaker": each.speaker, "content": each.content} for each in messages]
        return "messages", {"group_id": group, "messages": body, "namespace": {"project_id": "home"}, "wait": "lexical"}

    def messages(self) -> tuple[str, list[Message]]:
        """A new conversation of a few messages."""
        self._written += 1
        said = (self._rng.choice(self._said) for _ in range(_MESSAGES))
        return f"written-{self._written}", [
            Message(speaker=who, content=f"{self._written}: {text}") for who, text in said
        ]


async def _row_security(load: Load, requests: int) -> dict[str, Any]:
    """Medians in ms with row security and without it, each request once by either, in turns; and their ratio."""
    runtime = load.runtime
    if runtime.prepared.admin_url is None:
        return {}
    free = Database(runtime.prepared.admin_url, runtime.settings)
    retrievers = [
        runtime.retriever,
        Retriever(free, runtime.embedder, runtime.model_no, runtime.settings),
    ]
    writers = [runtime.writer, Writer(free, runtime.embedder, runtime.model_no, runtime.settings)]
    tenant = runtime.tenant.number

    async def search(side: int, number: int) -> None:
        asked = SearchRequest(query=load.question(number), namespace=_HOME)
        await retrievers[side].search(tenant, asked)

    async def write(side: int, _number: int) -> None:
        group, messages = load.messages()
        await writers[side].ingest_messages(tenant, _HOME, messages, group_id=group, wait="lexical")

    try:
        return {"search": await _in_turns(search, requests), "ingest": await _in_turns(write, requests)}
    finally:
        await free.close()


async def _in_turns(work: Callable[[int, int], Awaitable[None]], requests: int) -> dict[str, float]:
    times: tuple[list[float], list[float]] = ([], [])
    for number in range(-10, requests):
        for side in (0, 1) if number % 2 else (1, 0):  # neither always finds warm what the other read
            start = time.perf_counter()
            await work(side, number)
            if number >= 0:
                times[side].append((time.perf_counter() - start) * 1000)
    bound, free = (statistics.median(each) for each in times)
    return {"on_p50_ms": round(bound, 2), "off_p50_ms": round(free, 2), "ratio": round(bound / free, 3)}


async def _credentials(runtime: Runtime, secret: str, requests: int) -> dict[str, Any]:
    """Microseconds that it takes to know a credential: one seen within seconds, and one that is looked up."""
    database, issuer = runtime.database, issuer_of(runtime.settings)
    if issuer is None:
        raise MunimentError("auth.oauth_off", "the benchmark sets a public URL")
    token = await _token(runtime, issuer)
    checks: dict[str, tuple[Callable[[], Awaitable[Any]], Callable[[], None]]] = {
        "api_key": (lambda: resolve_key(database, secret), lambda: forget_keys(database)),
        "access_token": (lambda: resolve_token(database, issuer, token), lambda: forget_tokens(database)),
    }
    found: dict[str, Any] = {}
    for name, (check, forget) in checks.items():
        known: list[float] = []
        looked_up: list[float] = []
        for _ in range(requests):
            forget()
            for times in (looked_up, known):
                start = time.perf_counter()
                await check()
                times.append((time.perf_counter() - start) * 1e6)
        medians = [round(statistics.median(times), 1) for times in (known, looked_up)]
        found[name] = {"known_p50_us": medians[0], "looked_up_p50_us": medians[1]}
    return found


def _relate(report: dict[str, Any]) -> None:
    """Says of each check how many times as long a search takes with it as without."""
    search = report["row_security"].get("search")
    for check in report["credentials"].values() if search else ():
        for kind in ("known", "looked_up"):
            check[f"{kind}_ratio"] = round(1 + check[f"{kind}_p50_us"] / (1000 * search["on_p50_ms"]), 4)


async def _token(runtime: Runtime, issuer: Issuer) -> str:
    made = await create_client(
        runtime.database, runtime.tenant.number, "benchmark", grant_types=["client_credentials"], scopes=["query:read"]
    )
    client = await resolve_client(runtime.database, made.client.id)
    assert client is not None
    tenant = runtime.tenant
    granted = Granted(
        new_id(), tenant.number, tenant.public_id, client.client, None, ("query:read",), issuer.resources[0], None
    )
    async with runtime.database.scope(tenant.number) as scope:
        await store_grant(scope, granted, 3600.0)
    return await sign_access_token(runtime.database, issuer, granted, ("query:read",))
