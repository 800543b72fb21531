"""A store that is open in this process, and runs its jobs here."""

from __future__ import annotations

import asyncio
import logging
from contextlib import AsyncExitStack
from dataclasses import replace

from muniment.errors import MunimentError
from muniment.memory.interface.part import Part
from muniment.model.namespace import Namespace
from muniment.runtime import Runtime, open_runtime
from muniment.settings import Settings
from muniment.tenancy.tenants import default_tenant, find_tenant

_log = logging.getLogger("muniment.memory")


class Opened(Part):
    """The runtime behind the parts, opened by the first that needs it."""

    def __init__(self, settings: Settings, namespace: Namespace, *, tenant: str | None = None) -> None:
        """``tenant`` is the id of another tenant than the store's own."""
        super().__init__(namespace)
        self._settings = settings
        self._tenant = tenant
        self._runtime: Runtime | None = None
        self._opening: AsyncExitStack | None = None
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
            await opening.aclose()

    async def _open(self) -> Runtime:
        if self._runtime is not None:
            return self._runtime
        async with self._lock:
            if self._closed:
                raise MunimentError("memory.closed", "this memory has been closed; open it anew")
            if self._runtime is None:
                async with AsyncExitStack() as opened:
                    runtime = await opened.enter_async_context(open_runtime(self._settings, run_jobs=True))
                    if self._tenant is not None:
                        runtime = replace(runtime, tenant=await find_tenant(runtime.database, self._tenant))
                    self._opening = opened.pop_all()
                self._runtime = runtime
            return self._runtime

    async def _operator(self) -> int:
        """The number of the store's own tenant, whose audit log is told of what is done to others."""
        return (await default_tenant((await self._open()).database)).number
