"""A server that is spoken to with one credential."""

from __future__ import annotations

import httpx

from muniment.errors import MunimentError
from muniment.memory.interface.part import Part
from muniment.memory.transport import Transport
from muniment.model.namespace import Namespace


class Connected(Part):
    """The connection behind the parts; nothing is sent before the first call."""

    def __init__(
        self,
        url: str,
        api_key: str,
        namespace: Namespace,
        timeout: float,
        *,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        super().__init__(namespace)
        self._transport = Transport(url, api_key, timeout, transport=transport)
        self._closed = False

    async def start(self) -> None:
        self._open()

    async def close(self) -> None:
        self._closed = True
        await self._transport.close()

    def _open(self) -> Transport:
        if self._closed:
            raise MunimentError("memory.closed", "this memory has been closed; connect anew")
        return self._transport
