"""Muniment: evidence-first memory for AI agents, on PostgreSQL.

>>> from muniment import Muniment, Namespace, SourceInput
>>> memory = Muniment.open("./store", namespace=Namespace(user_id="maya"))  # doctest: +SKIP
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from muniment.errors import MunimentError
    from muniment.memory import AsyncMuniment, Muniment
    from muniment.model.message import Message
    from muniment.model.namespace import Namespace
    from muniment.model.source import SourceInput

__all__ = ["AsyncMuniment", "Message", "Muniment", "MunimentError", "Namespace", "SourceInput", "__version__"]

__version__ = "0.1.0"

# imported when asked for: most of the package is not needed by, say, the command line's help
_PLACES = {
    "AsyncMuniment": "muniment.memory",
    "Message": "muniment.model.message",
    "Muniment": "muniment.memory",
    "MunimentError": "muniment.errors",
    "Namespace": "muniment.model.namespace",
    "SourceInput": "muniment.model.source",
}


def __getattr__(name: str) -> Any:
    place = _PLACES.get(name)
    if place is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(place), name)
