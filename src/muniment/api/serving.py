"""Running the application: the address, the first key, the signals, and everything closed in order."""

import ipaddress
import socket
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, contextmanager, nullcontext

import uvicorn

from muniment.api.app import create_app
from muniment.api.cutting_off import CutOff
from muniment.api.request_heads import timed_heads
from muniment.errors import MunimentError
from muniment.jobs.handlers import HANDLERS
from muniment.runtime import Runtime, open_runtime
from muniment.settings import Settings
from muniment.stopping import CLOSING_SECONDS, Stopping
from muniment.telemetry.metrics import serve_metrics
from muniment.telemetry.tracing import configure_tracing
from muniment.tenancy.keys import create_key, list_keys
from muniment.tenancy.principal import SCOPES

_BACKLOG = 1024
Say = Callable[[str], None]


async def serve(settings: Settings, say: Say, stopping: Stopping) -> None:
    """Serves until it is told to stop; ``say`` tells people the address and the first API key.

    A stop takes no new request and begins no job; rebuilding and validating end at once. Other requests under way have
    ``settings.stop_grace`` seconds, jobs ``settings.job_stop_grace`` of the same; then requests are cut off, and jobs
    given back. Raises ``server.port_in_use``, ``server.unsafe_address`` or ``store.*``.
    """
    listener = listen(settings)
    try:
        async with AsyncExitStack() as opened:
            opened.callback(configure_tracing(settings, "muniment"))
            runtime = await opened.enter_async_context(open_runtime(settings, run_jobs=True))
            shown = serve_metrics(settings, runtime.database, HANDLERS, runtime.replica)
            metrics = await opened.enter_async_context(shown)
            if metrics is not None:
                say(f"Metrics for Prometheus on http://{settings.metrics_host}:{metrics}/metrics")
            await _announce(runtime, settings, listener.getsockname()[1], say)
            app = create_app(settings, nullcontext(runtime))
            config = uvicorn.Config(
                CutOff(app, stopping), log_level=settings.log_level, access_log=False, lifespan="on",
                server_header=False, timeout_graceful_shutdown=settings.stop_grace, log_config=None,
                http=timed_heads(settings.receive_timeout),
            )  # fmt: skip
            server = _Server(config)

            def stop() -> None:
                seconds = longest_stop(settings)
                say(f"Stopping: what is under way has up to {seconds:g} s. A second signal ends at once.")
                runtime.runner.wind_down()
                runtime.retriever.feed.close()
                runtime.watch.close()
                app.state.interruption.close()
                server.should_exit = True

            stopping.ask = stop
            await server.serve(sockets=[listener])
    finally:
        listener.close()


def longest_stop(settings: Settings) -> float:
    """How many seconds a stop may take at most."""
    return max(settings.stop_grace, settings.job_stop_grace) + CLOSING_SECONDS


class _Server(uvicorn.Server):
    """Leaves the signals to the caller, who has more to close than the server."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def listen(settings: Settings) -> socket.socket:
    """A socket that listens where the settings say. Raises ``server.port_in_use``."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    # Its connections inherit this. Without it an answer's body waits until the client has acknowledged the head, which
    # clients put off by 40 ms; asyncio sets it by itself only where a socket names its protocol.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        listener.bind((settings.host, settings.port))
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        raise MunimentError(
            "server.port_in_use", f"cannot listen on {settings.host}:{settings.port}: {error.strerror}"
        ) from error
    listener.setblocking(False)
    return listener


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


async def _announce(runtime: Runtime, settings: Settings, port: int, say: Say) -> None:
    """Tells where the server is, and the first key; refuses an open address while there is no key."""
    keys = await list_keys(runtime.database, runtime.tenant.number)
    usable = [key for key in keys if key.state == "usable"]
    if not usable and not _is_loopback(settings.host):
        raise MunimentError(
            "server.unsafe_address",
            f"{settings.host} is reachable from elsewhere and there is no API key yet: run `muniment key create` first",
        )
    shown = f"[{settings.host}]" if ":" in settings.host else settings.host
    say(f"Muniment listens on http://{shown}:{port} (API documentation at /docs)")
    if keys:
        say("API keys exist; `muniment key create` makes another one.")
        return
    made = await create_key(runtime.database, runtime.tenant.number, "first key", SCOPES)
    say(f"API key, shown this once: {made.secret}")
