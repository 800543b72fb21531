"""Reading in a process of its own: a fork server, the children that it makes, and what goes between them as data."""

from muniment.sources.isolation.client import locate_isolated, read_isolated, show_isolated, unpack_isolated

__all__ = ["locate_isolated", "read_isolated", "show_isolated", "unpack_isolated"]
