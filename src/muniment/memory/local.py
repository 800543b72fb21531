"""A store in this process, for those who have its settings rather than its path."""

from muniment.memory.opening import LocalMuniment

__all__ = ["LocalMuniment"]
