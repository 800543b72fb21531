"""API processes as a user starts them, all on one store, and clients that ask them over real HTTP."""

import asyncio
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final

import httpx

from muniment.bench.scale_measure import quantiles
from muniment.errors import MunimentError

_SERVE: Final = "from muniment.cli.main import run; run()"
_LISTENS: Final = re.compile(r"listens on (http://\S+)")
_START: Final = 120.0  # seconds
_STOP: Final = 30.0

Request = Callable[[int], tuple[str, dict[str, Any]]]
"""The path and the body of the request of this number."""


@asynccontextmanager
async def api_processes(count: int, data_dir: Path, environment: dict[str, str]) -> AsyncIterator[list[str]]:
    """So many API processes on the store, which also run the jobs of what is written to them; their URLs."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("MUNIMENT_")}
    command = [sys.executable, "-c", _SERVE, "serve", "--port", "0", "--data-dir", str(data_dir)]
    processes = []
    try:
        logs = [data_dir.with_name(f"{data_dir.name}.{number}.log") for number in range(count)]
        for log in logs:
            with open(log, "wb") as told:  # noqa: ASYNC230 - before anything is measured
                processes.append(
                    subprocess.Popen([*command], stdout=told, stderr=told, env=clean | environment)  # noqa: ASYNC220
                )
        yield [await _url(log, process) for log, process in zip(logs, processes, strict=True)]
    finally:
        for process in processes:
            process.send_signal(signal.SIGINT)
        for process in processes:
            with suppress(subprocess.TimeoutExpired):
                await asyncio.to_thread(process.wait, _STOP)


async def _url(log: Path, process: "subprocess.Popen[bytes]") -> str:
    deadline = time.monotonic() + _START
    while time.monotonic() < deadline and process.poll() is None:
        text = await asyncio.to_thread(log.read_text, encoding="utf-8", errors="replace")
        found = _LISTENS.search(text)
        if found is not None and "startup complete" in text:
            return found[1]
        await asyncio.sleep(0.05)
    raise MunimentError("server.unreachable", "an API process did not start")


async def closed_loop(
    urls: Sequence[str], secret: str, clients: int, requests: int, request: Request
) -> dict[str, float]:
    """So many clients, dealt out to the processes, each sending its next request when the last was answered.

    Requests a second over the whole time, and the quantiles of their latencies in ms. Raises ``internal`` where a
    request failed.
    """
    times: list[float] = []
    numbers = iter(range(requests))
    async with httpx.AsyncClient(
        headers={"Authorization": f"Bearer {secret}"}, timeout=120, limits=httpx.Limits(max_connections=clients)
    ) as http:

        async def client(place: int) -> None:
            for number in numbers:
                path, body = request(number)
                start = time.perf_counter()
                answer = await http.post(f"{urls[place % len(urls)]}/api/v1/{path}", json=body)
                times.append((time.perf_counter() - start) * 1000)
                if not answer.is_success:
                    raise MunimentError("internal", f"a request was answered {answer.status_code}")

        start = time.perf_counter()
        await asyncio.gather(*(client(place) for place in range(clients)))
        seconds = time.perf_counter() - start
    return {"per_second": round(requests / seconds, 1)} | quantiles(times)
