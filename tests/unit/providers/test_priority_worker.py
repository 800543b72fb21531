"""One thread, in which the urgent overtakes."""

import asyncio
import threading
from functools import partial

import pytest

from muniment.providers.worker import URGENT, PriorityWorker


async def test_the_urgent_goes_first_and_the_rest_in_order() -> None:
    worker = PriorityWorker("test")
    gate, done = threading.Event(), list[str]()
    first = asyncio.create_task(worker.run(gate.wait))
    await asyncio.sleep(0.05)
    rest = [asyncio.create_task(worker.run(partial(done.append, name))) for name in ("a", "b", "c")]
    urgent = asyncio.create_task(worker.run(partial(done.append, "question"), priority=URGENT))
    await asyncio.sleep(0.05)
    gate.set()
    await asyncio.gather(first, urgent, *rest)
    assert done == ["question", "a", "b", "c"]
    await worker.close()


async def test_an_error_reaches_the_caller_and_the_thread_goes_on() -> None:
    worker = PriorityWorker("test")

    def fail() -> None:
        raise LookupError("gone")

    with pytest.raises(LookupError, match="gone"):
        await worker.run(fail)
    assert await worker.run(lambda: 7) == 7
    await worker.close()


async def test_a_cancelled_call_that_waits_never_runs() -> None:
    worker = PriorityWorker("test")
    gate, done = threading.Event(), list[str]()
    first = asyncio.create_task(worker.run(gate.wait))
    await asyncio.sleep(0.05)
    waiting = asyncio.create_task(worker.run(partial(done.append, "cancelled")))
    await asyncio.sleep(0.05)
    waiting.cancel()
    await asyncio.sleep(0.05)
    gate.set()
    await first
    await worker.close()
    assert done == []


async def test_closing_ends_the_thread_and_may_be_done_twice() -> None:
    worker = PriorityWorker("thread of the test")
    await worker.run(lambda: None)
    await worker.close()
    await worker.close()
    assert "thread of the test" not in {thread.name for thread in threading.enumerate()}
    with pytest.raises(RuntimeError, match="closed"):
        await worker.run(lambda: None)
