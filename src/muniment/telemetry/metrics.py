"""Metrics for Prometheus. Labels are bounded: routes, kinds, states and codes of ours, never a tenant or an id."""

import asyncio
import threading
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from importlib.metadata import version
from typing import Final
from wsgiref.simple_server import WSGIServer

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Info, ProcessCollector, start_http_server

from muniment.database.pool import Database
from muniment.database.queries import query
from muniment.database.replica import Replica
from muniment.errors import CATALOGUE, MunimentError
from muniment.settings import Settings

REGISTRY: Final = CollectorRegistry()
ProcessCollector(registry=REGISTRY)

_SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_METHODS: Final = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"})
_OTHER: Final = "other"
_MOST_ROUTES: Final = 500

_build = Info("muniment_build", "The version that runs.", registry=REGISTRY)
_build.info({"version": version("muniment")})
_requests = Counter(
    "muniment_requests", "Requests by route and status.", ("method", "route", "status"), registry=REGISTRY
)
_request_seconds = Histogram(
    "muniment_request_seconds", "Time to the end of an answer.", ("route",), buckets=_SECONDS, registry=REGISTRY
)
_running = Gauge("muniment_requests_running", "Requests under way.", registry=REGISTRY)
_errors = Counter("muniment_errors", "Answers that were errors, by their code.", ("code",), registry=REGISTRY)
_jobs = Counter("muniment_jobs", "Jobs that ended here, by kind and how.", ("kind", "outcome"), registry=REGISTRY)
_job_seconds = Histogram(
    "muniment_job_seconds", "Time that jobs ran.", ("kind",), buckets=(*_SECONDS, 120.0, 600.0), registry=REGISTRY
)
_queued = Gauge("muniment_queue_jobs", "Jobs of all tenants by kind and state.", ("kind", "state"), registry=REGISTRY)
_oldest = Gauge("muniment_queue_oldest_seconds", "For how long the job waits that is due longest.", registry=REGISTRY)
_database_up = Gauge("muniment_database_up", "Whether the database answered at the last look.", registry=REGISTRY)
_connections = Gauge(
    "muniment_pool_connections", "Connections of this process to the database.", ("state",), registry=REGISTRY
)
_reads = Counter("muniment_searches", "Searches and questions, by what served them.", ("served_by",), registry=REGISTRY)
_lag = Gauge("muniment_replica_lag_seconds", "How far the replica is behind, at most.", registry=REGISTRY)
_routes: set[str] = set()


def count_request(method: str, route: str | None, status: int, seconds: float) -> None:
    """``route`` is the path as it is declared, with names in place of values; None where none was found."""
    label = _bounded_route(route)
    _requests.labels(method if method in _METHODS else _OTHER, label, str(status)).inc()
    _request_seconds.labels(label).observe(seconds)


def _bounded_route(route: str | None) -> str:
    if not route:
        return _OTHER
    if len(_routes) < _MOST_ROUTES:
        _routes.add(route)
    return route if route in _routes else _OTHER


def count_running(change: int) -> None:
    """A request began (1) or ended (-1)."""
    _running.inc(change)


def count_read(by_replica: bool) -> None:
    """A search or question goes to the replica, or to the primary."""
    _reads.labels("replica" if by_replica else "primary").inc()


def count_error(code: str) -> None:
    """An answer was the error of this code."""
    _errors.labels(code if code in CATALOGUE else _OTHER).inc()


def count_job(kind: str, outcome: str, seconds: float) -> None:
    """A job of one of our kinds ended: ``done``, ``failed`` or ``given_back``."""
    _jobs.labels(kind, outcome).inc()
    _job_seconds.labels(kind).observe(seconds)


@asynccontextmanager
async def serve_metrics(
    settings: Settings, database: Database, kinds: Iterable[str], replica: Replica | None = None
) -> AsyncIterator[int | None]:
    """Serves ``/metrics`` on a port of its own while the block runs; gives the port, None where none is set.

    The port is for whoever runs the service, not for tenants: the figures are of all of them together. ``kinds`` are
    the kinds of jobs that are named. Raises ``server.port_in_use``.
    """
    if settings.metrics_port is None:
        yield None
        return
    try:
        server, thread = start_http_server(settings.metrics_port, settings.metrics_host, registry=REGISTRY)
    except OSError as error:
        place = f"{settings.metrics_host}:{settings.metrics_port}"
        raise MunimentError("server.port_in_use", f"cannot serve metrics on {place}: {error.strerror}") from error
    if replica is not None:
        _lag.set_function(lambda: replica.lag)
    looking = asyncio.create_task(_look(settings, database, frozenset(kinds)), name="muniment metrics")
    try:
        yield server.server_port
    finally:
        looking.cancel()
        with suppress(asyncio.CancelledError):
            await looking
        await asyncio.to_thread(_stop, server, thread)


def _stop(server: WSGIServer, thread: threading.Thread) -> None:
    server.shutdown()
    server.server_close()
    thread.join()


async def _look(settings: Settings, database: Database, kinds: frozenset[str]) -> None:
    while True:
        await look_at_database(database, kinds)
        await asyncio.sleep(settings.metrics_period)


async def look_at_database(database: Database, kinds: frozenset[str]) -> None:
    """Fills in what is asked of the database: the queue, and whether it answers."""
    pool = database.engine.pool
    _connections.labels("in_use").set(pool.checkedout())  # type: ignore[attr-defined]
    _connections.labels("idle").set(pool.checkedin())  # type: ignore[attr-defined]
    try:
        async with database.transaction() as connection:
            rows = (await connection.execute(query("jobs.backlog"))).mappings().all()
    except MunimentError:
        _database_up.set(0)
        return
    _database_up.set(1)
    counts: dict[tuple[str, str], int] = {}
    for row in rows:
        label = (row["kind"] if row["kind"] in kinds else _OTHER, row["state"])
        counts[label] = counts.get(label, 0) + row["jobs"]
    _queued.clear()
    for (kind, state), count in counts.items():
        _queued.labels(kind, state).set(count)
    _oldest.set(max((float(row["waited"]) for row in rows if row["state"] == "queued"), default=0.0))
