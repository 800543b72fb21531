"""Connections that send no whole request in time: they are closed, so that silent ones do not pile up."""

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol


def timed_heads(seconds: float) -> type[H11Protocol]:
    """The server's protocol, with this long for a request's head, and for what is left of a body once it was answered;
    how long a connection may idle between requests, the server itself bounds, and who reads a body bounds that."""

    class TimedHeads(H11Protocol):
        _timer: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._look()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            self._look()

        def on_response_complete(self) -> None:
            super().on_response_complete()
            self._look()

        def connection_lost(self, exc: Exception | None) -> None:
            self._cancel()
            super().connection_lost(exc)

        def _look(self) -> None:
            if not self._waits() or self.transport.is_closing():
                self._cancel()
            elif self._timer is None:  # what comes in pieces gets no more time
                self._timer = self.loop.call_later(seconds, self.transport.close)

        def _cancel(self) -> None:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None

        def _waits(self) -> bool:
            answered = self.conn.our_state in (h11.DONE, h11.MUST_CLOSE)
            return self.conn.their_state is h11.IDLE or (answered and self.conn.their_state is h11.SEND_BODY)

    return TimedHeads
