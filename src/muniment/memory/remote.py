"""A server, for those who bring a transport of their own."""

from muniment.memory.opening import RemoteMuniment

__all__ = ["RemoteMuniment"]
