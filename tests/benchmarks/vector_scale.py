"""How long a vector search takes, exact and by index, as one tenant grows; and how near the index comes.

    python tests/benchmarks/vector_scale.py [--sizes 1000 10000 20000 100000] [--queries 20] [--store DIR]

Builds a store of its own with clustered random vectors, and prints one line a size: milliseconds at the median and the
95th percentile over the queries (200 asked for, as the semantic route does), the time of the index build, and recall.
"""

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from muniment.database.pool import Database
from muniment.database.setup import prepare
from muniment.database.vector_index import build_index
from muniment.database.vectors import vector_text
from muniment.model.namespace import Namespace
from muniment.providers.models import register_model
from muniment.settings import Settings
from muniment.tenancy.tenants import create_tenant
from seeded import Seeded, seed_group, seed_vectors, unit_vectors

LIMIT = 200


class Model:
    """The registry entry of the benchmark's vectors."""

    name = "benchmark:384"
    dimensions = 384

    async def embed(self, texts: object, *, background: bool = False) -> list[list[float]]:
        raise AssertionError("nothing is embedded here")

    async def warm(self) -> None: ...

    async def close(self) -> None: ...


async def searched(
    database: Database, seeded: Seeded, model: int, queries: np.ndarray, exact: bool
) -> tuple[list[set[int]], list[float]]:
    """What each query found, and the milliseconds it took."""
    found, times = [], []
    for query in queries:
        async with database.scope(seeded.tenant) as scope:
            started = time.perf_counter()
            rows = await scope.rows(
                "vector.search", spaces=[seeded.space], model=model, vector=vector_text(query.tolist()),
                known_at=None, limit=LIMIT, exact=exact,
            )  # fmt: skip
            times.append(1000 * (time.perf_counter() - started))
        found.append({row["record_no"] for row in rows})
    return found, times


def shown(times: list[float]) -> str:
    return f"{statistics.median(times):6.1f} / {sorted(times)[int(0.95 * len(times))]:6.1f}"


async def measure(database: Database, admin_url: str, model: int, size: int, queries: int) -> str:
    tenant = await create_tenant(database, f"size {size}")
    seeded = await seed_group(database, tenant.number, Namespace(user_id="maya"), size)
    vectors = unit_vectors(size + queries, centres=max(20, size // 200), seed=size)
    started = time.perf_counter()
    await seed_vectors(database, seeded, model, vectors[:size])
    stored = 1000 * (time.perf_counter() - started) / size
    await searched(database, seeded, model, vectors[size : size + 2], exact=True)
    exact, exact_times = await searched(database, seeded, model, vectors[size:], exact=True)
    started = time.perf_counter()
    await asyncio.to_thread(build_index, admin_url, tenant.number, model)
    built = time.perf_counter() - started
    await searched(database, seeded, model, vectors[size : size + 2], exact=False)
    near, near_times = await searched(database, seeded, model, vectors[size:], exact=False)
    recall = statistics.mean(len(a & b) / len(b) for a, b in zip(near, exact, strict=True))
    return f"{size:8d}  {stored:9.2f}  {shown(exact_times)}  {built:8.1f}  {shown(near_times)}  {recall:.4f}"


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 10_000, 20_000, 100_000])
    parser.add_argument("--queries", type=int, default=20)
    parser.add_argument("--store", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        settings = Settings(data_dir=arguments.store or Path(directory) / "store")
        prepared = await asyncio.to_thread(prepare, settings)
        assert prepared.admin_url is not None
        database = Database(prepared.app_url, settings)
        model = await register_model(database, Model())
        print("    size  ms/insert  exact p50 / p95  build, s  index p50 / p95  recall@200")
        for size in arguments.sizes:
            print(await measure(database, prepared.admin_url, model, size, arguments.queries), flush=True)
        await database.close()
        prepared.close()


if __name__ == "__main__":
    asyncio.run(main())
