"""What the plain form waits with: the asyncio form, on an event loop of a thread of its own."""

from muniment.memory.background import BackgroundLoop
from muniment.memory.opening import AsyncMuniment


class Waiting:
    """A part of the plain form: it hands each call to the asyncio form and waits for it."""

    _loop: BackgroundLoop
    _memory: AsyncMuniment
