"""A store that is open in this process, and runs its jobs here."""

from __future__ import annotations

import asyncio
import logging
from contextlib import AbstractAsyncContextManager

from muniment.errors import MunimentError
from muniment.memory.interface.part import Part
from muniment.model.namespace import Namespace
from muniment.runtime import Runtime, open_runtime
from muniment.settings import Settings

_log = logging.getLogger("muniment.memory")


class Opened(Part):
    """The runtime behind the parts, opened by the first that needs it."""

    def __init__(self, settings: Settings, namespace: Namespace) -> None:
        super().__init__(namespace)
        self._settings = settings
        self._runtime: Runtime | None = None
        self._opening: AbstractAsyncContextManager[Runtime] | None = None
        self._lock = asyncio.Lock()
        self._closed = False
        self._left_work = False

    def _limits(self) -> Settings:
        return self._settings

    async def start(self) -> None:
        await self._open()

    async def close(self) -> None:
        async with self._lock:
            self._closed = True
            runtime, opening = self._runtime, self._opening
            self._runtime = self._opening = None
        if runtime is None or opening is None:
            return
        try:
            left = self._left_work and self._settings.runs_jobs
            if left and not await runtime.runner.drain(self._settings.close_drain):
                _log.info("jobs are left for the next time the store is opened")
        except MunimentError as error:
            _log.warning("jobs are left for the next time the store is opened: %s", error.code)
        finally:
            await opening.__aexit__(None, None, None)

    async def _open(self) -> Runtime:
        if self._runtime is not None:
            return self._runtime
        async with self._lock:
            if self._closed:
                raise MunimentError("memory.closed", "this memory has been closed; open it anew")
            if self._runtime is None:
                opening = open_runtime(self._settings, run_jobs=True)
                self._runtime = await opening.__aenter__()
                self._opening = opening
            return self._runtime
