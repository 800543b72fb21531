"""What all parts of the interface share: the namespace they are about, and their opening and closing."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator
from types import TracebackType
from typing import Any, Self

from muniment.model.namespace import Namespace
from muniment.settings import Settings, settings_of_environment


class Part(ABC):
    """A part of the interface, opened by ``async with``, by being awaited, or by the first call; closed once."""

    def __init__(self, namespace: Namespace) -> None:
        self.namespace = namespace

    def _limits(self) -> Settings:
        """What limits how much is read here before it is stored."""
        return settings_of_environment()

    @abstractmethod
    async def start(self) -> None:
        """Opens what is needed, unless it is open; every other method does so by itself."""

    @abstractmethod
    async def close(self) -> None:
        """Lets go of everything; may be called twice. A local store first works off short jobs for some seconds."""

    async def _entered(self) -> Self:
        await self.start()
        return self

    def __await__(self) -> Generator[Any, None, Self]:
        return self._entered().__await__()

    async def __aenter__(self) -> Self:
        return await self._entered()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.close()
