"""Memory in Python: one interface over a store in this process or a server, in an asyncio and a plain form."""

from muniment.memory.opening import AsyncMuniment
from muniment.memory.sync import Muniment

__all__ = ["AsyncMuniment", "Muniment"]
