"""What a format is: the names that it goes by, its reader, and how its bytes are told from others."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from muniment.settings import Settings
from muniment.sources.parsed import Origin, Parsed, Part

Read = Callable[[bytes, Origin], Parsed]
Locate = Callable[[bytes, Mapping[str, Any]], str]
Sniff = Callable[[bytes], bool]
Unpack = Callable[[bytes, Origin], Iterator[Part]]


@dataclass(frozen=True, slots=True)
class Format:
    """A format: the media types (the first is its own) and file extensions it goes by, and its reader.

    ``extensions`` are in lower case with their dot; ``""`` stands for names without one.

    ``locate`` gives the text that a locator points at, by reading the original bytes anew and by the locator alone.
    ``isolated`` formats are read in a child process under limits of memory and time: all whose reader could abort,
    hang or grow. They are also those whose sources may have ``max_file_bytes`` instead of ``max_text_bytes``.
    ``sniff`` says of bytes, quickly, that they surely are of this format: it decides between formats that go by the
    same name, and finds out names that are wrong. ``unpack`` gives the sources inside one by one, where they are too
    many or too large for ``Parsed.parts``.
    """

    name: str
    media_types: tuple[str, ...]
    extensions: tuple[str, ...]
    read: Read
    locate: Locate | None = None
    isolated: bool = False
    sniff: Sniff | None = None
    unpack: Unpack | None = None

    def size_limit(self, settings: Settings) -> tuple[int, str]:
        """How many bytes a source of this format may have, and the setting that says so."""
        if self.isolated:
            return settings.max_file_bytes, "MUNIMENT_MAX_FILE_BYTES"
        return settings.max_text_bytes, "MUNIMENT_MAX_TEXT_BYTES"


def lazy_read(module: str, name: str) -> Read:
    """The reader ``name`` of a module that is imported when it is first called, as readers with large libraries are."""

    def read(data: bytes, origin: Origin) -> Parsed:
        found: Read = getattr(import_module(module), name)
        return found(data, origin)

    return read


def lazy_locate(module: str, name: str) -> Locate:
    """As ``lazy_read``, of a function that locates."""

    def locate(data: bytes, locator: Mapping[str, Any]) -> str:
        found: Locate = getattr(import_module(module), name)
        return found(data, locator)

    return locate


def lazy_unpack(module: str, name: str) -> Unpack:
    """As ``lazy_read``, of a function that unpacks."""

    def unpack(data: bytes, origin: Origin) -> Iterator[Part]:
        found: Unpack = getattr(import_module(module), name)
        return found(data, origin)

    return unpack
