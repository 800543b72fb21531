"""Lists of texts and of whole numbers as PostgreSQL reads arrays, written in one go.

Writes send their columns as arrays of hundreds of elements. The driver's own dumper goes from element to element, which
took a third of what a write cost in Python.
"""

from typing import Any, Final

from psycopg import DataError
from psycopg.abc import DumperKey, PyFormat
from psycopg.types.array import ListDumper

_NUMBERS: Final = frozenset({int, type(None)})
_TEXTS: Final = frozenset({str, type(None)})


class PlainListDumper(ListDumper):
    """Dumps lists of ``str``, of ``int``, and of either with None; all others as the driver does.

    The elements' type is left to the statement, which casts: otherwise each size of number makes a statement of its own
    to plan and prepare.
    """

    def get_key(self, obj: list[Any], format: PyFormat) -> DumperKey:
        """As the driver's, where the list is not ours."""
        return self.cls if _plain(obj) else super().get_key(obj, format)

    def upgrade(self, obj: list[Any], format: PyFormat) -> Any:
        """As the driver's, where the list is not ours."""
        return self if _plain(obj) else super().upgrade(obj, format)

    def dump(self, obj: list[Any]) -> Any:
        """The literal of the array; raises DataError for a text with NUL, which PostgreSQL cannot hold."""
        kinds = set(map(type, obj))
        if kinds <= _NUMBERS:
            return ("{" + ",".join(["NULL" if each is None else str(each) for each in obj]) + "}").encode()
        if kinds <= _TEXTS:
            if any("\0" in each for each in obj if each is not None):
                raise DataError("PostgreSQL text fields cannot contain NUL (0x00) bytes")
            return ("{" + ",".join(["NULL" if each is None else _quoted(each) for each in obj]) + "}").encode()
        return super().dump(obj)


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _plain(values: list[Any]) -> bool:
    kinds = set(map(type, values))
    return kinds <= _NUMBERS or kinds <= _TEXTS
