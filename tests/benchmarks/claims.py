"""How long the claims of one fact take to recompile in a tenant that holds many.

    python -m tests.benchmarks claims [--facts 100000] [--probes 200]

The store is filled by statements, one claim a fact, five relations a subject, with the names that facts bring. Then
messages are ingested one by one, each with one sentence that the rules read; what is timed is the job that recompiles,
after the commit that brought the fact, and the seal of the fact itself, which notes what is stale.
"""

import argparse
import asyncio
import statistics
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import create_engine, text

from muniment.database.embedded import EmbeddedServer
from muniment.derivation.compiling import compile_claims
from muniment.jobs.context import JobContext
from muniment.jobs.extraction import extract
from muniment.log.writer import Writer
from muniment.model.message import Message
from muniment.model.namespace import Namespace
from muniment.runtime import Runtime, open_runtime
from muniment.settings import Settings

SPACE = Namespace(project_id="claims")
FILL = Path(__file__).with_name("claims_fill.sql")
BEGIN = datetime(2024, 1, 1, tzinfo=UTC)
CITIES = ("Berlin", "Lisbon", "Oslo", "Madrid", "Vienna", "Dublin", "Prague")


def _fill(server: EmbeddedServer, facts: int) -> float:
    begun = time.perf_counter()
    engine = create_engine(server.url())
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("select set_config('bench.facts', :facts, false)"), {"facts": str(facts)})
        connection.connection.driver_connection.execute(FILL.read_text("utf-8"))  # type: ignore[union-attr]
        for table in ("fact", "claim", "claim_evidence", "entity", "entity_gram", "record", "liveness", "evidence"):
            connection.exec_driver_sql(f"vacuum analyze muniment.{table}")
    engine.dispose()
    return time.perf_counter() - begun


async def _say(writer: Writer, runtime: Runtime, speaker: str, number: int, group: str) -> None:
    said = Message(
        speaker=speaker, content=f"I moved to {CITIES[number % len(CITIES)]}.", at=BEGIN + timedelta(hours=number)
    )
    run = await writer.ingest_messages(runtime.tenant.number, SPACE, [said], group_id=group)
    assert run.state == "succeeded", run.items


async def _probe(
    runtime: Runtime, writer: Writer, speakers: list[str], probes: int, name: str
) -> tuple[list[float], list[float]]:
    """Milliseconds to extract and seal one fact, and to recompile what it made stale."""
    context = JobContext(runtime.database, runtime.settings)
    tenant, sealing, compiling = runtime.tenant.number, [], []
    for number in range(probes):
        group = f"{name} {number}"
        await _say(writer, runtime, speakers[number % len(speakers)], number + 1, group)
        async with runtime.database.scope(tenant) as scope:
            statement = text("select group_no from muniment.record_group where group_key = :key")
            row = (await scope.connection.execute(statement, {"key": group})).scalar_one()
        begun = time.perf_counter()
        found = await extract(context, tenant, {"group": row, "position": 0})
        sealed = time.perf_counter()
        keys = await compile_claims(runtime.database, tenant)
        compiling.append(1000 * (time.perf_counter() - sealed))
        sealing.append(1000 * (sealed - begun))
        assert (found["facts"], keys) == (1, 1), (found, keys)
    return sealing, compiling


def _told(name: str, values: list[float]) -> None:
    p95 = statistics.quantiles(values, n=20)[-1]
    print(f"{name:24} p50 {statistics.median(values):6.1f} ms   p95 {p95:6.1f} ms   max {max(values):6.1f} ms")


async def _run(facts: int, probes: int) -> None:
    with tempfile.TemporaryDirectory() as place:
        settings = Settings(data_dir=Path(place) / "store", embedding_provider="none", pool_size=4)
        async with open_runtime(settings, run_jobs=False) as runtime:
            writer = Writer(runtime.database, None, None, settings)
            await _say(writer, runtime, "Somebody", 0, "first")
            await runtime.runner.drain()
            seconds = await asyncio.to_thread(_fill, EmbeddedServer(settings.data_dir), facts)
            async with runtime.database.scope(runtime.tenant.number) as scope:
                rows = await scope.connection.execute(
                    text("select distinct subject from muniment.fact where record_no > 10000000 limit :n"),
                    {"n": probes},
                )
                speakers = [row[0] for row in rows]
            print(f"{facts} facts, filled in {seconds:.0f} s; {probes} probes")
            await _probe(runtime, writer, speakers[:20], 20, "warm")
            sealing, compiling = await _probe(runtime, writer, speakers, probes, "probe")
            _told("extract and seal a fact", sealing)
            _told("recompile its claims", compiling)
        EmbeddedServer(settings.data_dir).wait_stopped()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--facts", type=int, default=100_000)
    parser.add_argument("--probes", type=int, default=200)
    given = parser.parse_args()
    asyncio.run(_run(given.facts, given.probes))


if __name__ == "__main__":
    main()
