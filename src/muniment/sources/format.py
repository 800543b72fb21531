"""What a format is: the names that it goes by, its reader, and how its bytes are told from others."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Generic, TypeVar

from muniment.settings import Settings
from muniment.sources.parsed import Origin, Parsed, Part

Read = Callable[[bytes, Origin], Parsed]
Locate = Callable[[bytes, Mapping[str, Any]], str]
Sniff = Callable[[bytes], bool]
Unpack = Callable[[bytes, Origin], Iterator[Part]]
Show = Callable[[bytes, Mapping[str, Any]], Part]
_Work = TypeVar("_Work")


@dataclass(frozen=True, slots=True)
class Format:
    """A format: the media types (the first is its own) and file extensions it goes by, and its reader.

    ``extensions`` are in lower case with their dot; ``""`` stands for names without one.

    ``locate`` gives the text that a locator points at, by reading the original bytes anew and by the locator alone.
    ``isolated`` formats are read in a child process under limits of memory and time: all whose reader could abort,
    hang or grow. They are also those whose sources may have ``max_file_bytes`` instead of ``max_text_bytes``.
    ``sniff`` says of bytes, quickly, that they surely are of this format: it decides between formats that go by the
    same name, and finds out names that are wrong. ``signature`` are bytes that no text of people begins with: what has
    them is of this format though its name says plain text, and though it looks like text. Of an ``exact`` format
    nothing is read that ``sniff`` does not know: its names are those of many other files, such as any of SQLite.
    ``unpack`` gives the sources inside one by one, where they are too many or too large for ``Parsed.parts``. ``show``
    gives a picture for a model that sees, PNG or JPEG: of what has at most ``max_image_pixels``, with no side longer
    than ``longest_side``; both are in the mapping that it gets.
    """

    name: str
    media_types: tuple[str, ...]
    extensions: tuple[str, ...]
    read: Read
    locate: Locate | None = None
    isolated: bool = False
    sniff: Sniff | None = None
    unpack: Unpack | None = None
    show: Show | None = None
    exact: bool = False
    signature: bytes | None = None

    def size_limit(self, settings: Settings) -> tuple[int, str]:
        """How many bytes a source of this format may have, and the setting that says so."""
        if self.isolated:
            return settings.max_file_bytes, "MUNIMENT_MAX_FILE_BYTES"
        return settings.max_text_bytes, "MUNIMENT_MAX_TEXT_BYTES"


class _Lazy(Generic[_Work]):
    """A function of a module that is imported when it is first called, as readers with large libraries are."""

    def __init__(self, module: str, name: str) -> None:
        self._module = module
        self._name = name

    def load(self) -> _Work:
        """The function itself; imports its module."""
        work: _Work = getattr(import_module(self._module), self._name)
        return work


class _LazyRead(_Lazy[Read]):
    def __call__(self, data: bytes, origin: Origin) -> Parsed:
        return self.load()(data, origin)


class _LazyLocate(_Lazy[Locate]):
    def __call__(self, data: bytes, locator: Mapping[str, Any]) -> str:
        return self.load()(data, locator)


class _LazyUnpack(_Lazy[Unpack]):
    def __call__(self, data: bytes, origin: Origin) -> Iterator[Part]:
        return self.load()(data, origin)


class _LazyShow(_Lazy[Show]):
    def __call__(self, data: bytes, limits: Mapping[str, Any]) -> Part:
        return self.load()(data, limits)


def lazy_read(module: str, name: str) -> Read:
    """The reader ``name`` of a module, which is imported when it is first called."""
    return _LazyRead(module, name)


def lazy_locate(module: str, name: str) -> Locate:
    """As ``lazy_read``, of a function that locates."""
    return _LazyLocate(module, name)


def lazy_unpack(module: str, name: str) -> Unpack:
    """As ``lazy_read``, of a function that unpacks."""
    return _LazyUnpack(module, name)


def lazy_show(module: str, name: str) -> Show:
    """As ``lazy_read``, of a function that shows."""
    return _LazyShow(module, name)


def preload(chosen: Format) -> None:
    """Imports what reads a format."""
    for work in (chosen.read, chosen.unpack):
        if isinstance(work, _Lazy):
            work.load()
