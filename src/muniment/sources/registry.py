"""Which reader reads what. A format is one module of this package and one line in ``BUILT_IN``.

Other distributions add formats by an entry point in the group ``muniment.formats`` that names a ``Format``. They
cannot take a media type or an extension from a built-in one.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from pathlib import PurePosixPath
from typing import Literal

import structlog

from muniment.errors import MunimentError
from muniment.settings import Settings
from muniment.sources.markdown import read_markdown
from muniment.sources.message_list import read_message_list
from muniment.sources.parsed import Origin, Parsed
from muniment.sources.plain_text import read_plain_text

ENTRY_POINT_GROUP = "muniment.formats"
UNKNOWN_MEDIA_TYPES = frozenset({"", "application/octet-stream", "binary/octet-stream"})
_KINDS: dict[str, Literal["text", "file"]] = {"text": "text", "file": "file"}
_LANGUAGE = re.compile(r"[a-z][a-z0-9_]{0,62}")


@dataclass(frozen=True, slots=True)
class Format:
    """A format: the media types (the first is its own) and file extensions it goes by, and its reader.

    ``extensions`` are in lower case with their dot; ``""`` stands for names without one.
    """

    name: str
    media_types: tuple[str, ...]
    extensions: tuple[str, ...]
    read: Callable[[bytes, Origin], Parsed]


PLAIN_TEXT = Format("plain text", ("text/plain",), (".txt", ".text", ".log", ""), read_plain_text)
MARKDOWN = Format(
    "markdown", ("text/markdown", "text/x-markdown"), (".md", ".markdown", ".mdown", ".mkd"), read_markdown
)
MESSAGES = Format("message list", ("application/json",), (".json",), read_message_list)

BUILT_IN: tuple[Format, ...] = (PLAIN_TEXT, MARKDOWN, MESSAGES)


@cache
def formats() -> tuple[Format, ...]:
    """Every format there is, the built-in ones first."""
    found = list(BUILT_IN)
    for point in entry_points(group=ENTRY_POINT_GROUP):
        try:
            loaded = point.load()
        except Exception as error:  # somebody else's import must not stop the formats that work
            structlog.get_logger(__name__).warning("format_not_loaded", entry_point=point.name, error=str(error))
            continue
        if isinstance(loaded, Format):
            found.append(loaded)
    return tuple(found)


def extension(filename: str) -> str:
    """The last extension of a file name, in lower case with its dot, or ``""``."""
    return PurePosixPath(filename.replace("\\", "/")).suffix.lower()


def find_format(media_type: str | None, filename: str | None) -> Format | None:
    """The format of a source: by its media type where one is given, else by the extension of its name.

    A source with neither is plain text.
    """
    named = (media_type or "").partition(";")[0].strip().lower()
    if named not in UNKNOWN_MEDIA_TYPES:
        return next((each for each in formats() if named in each.media_types), None)
    ending = extension(filename or "")
    return next((each for each in formats() if ending in each.extensions), None)


def read_source(
    data: bytes,
    *,
    kind: str,
    filename: str | None,
    media_type: str | None,
    source_key: str,
    settings: Settings,
    title: str | None = None,
    language: str = "english",
) -> Parsed:
    """Reads a source into chunks with locators. CPU work, linear in the size: call it off the event loop.

    ``title`` wins over one that the source gives itself. ``language`` names a PostgreSQL text-search configuration.
    Raises ``source.kind_unsupported``, ``source.format_unsupported``, ``input.too_large`` (facts ``limit``,
    ``setting``), ``input.empty_text``, ``input.encoding_invalid``, ``input.nul_byte``, ``input.invalid`` for a
    language that can be no configuration's name, and what the format's reader raises.
    """
    if kind not in _KINDS:
        raise MunimentError("source.kind_unsupported", f"Sources of kind {kind!r} cannot be read yet.", kind=kind)
    if not _LANGUAGE.fullmatch(language):
        raise MunimentError("input.invalid", "The language is no name of a text-search configuration.")
    limit = settings.max_text_bytes
    if len(data) > limit:
        detail = f"The source has {len(data)} bytes, more than {limit}."
        raise MunimentError("input.too_large", detail, size=len(data), limit=limit, setting="MUNIMENT_MAX_TEXT_BYTES")
    chosen = find_format(media_type, filename)
    if chosen is None:
        raise _unsupported(media_type, filename)
    origin = Origin(_KINDS[kind], source_key, filename, chosen.media_types[0], title, language, settings)
    return chosen.read(data, origin)


def _unsupported(media_type: str | None, filename: str | None) -> MunimentError:
    return MunimentError(
        "source.format_unsupported",
        "No reader knows this media type or file extension. Text of any kind is read with media_type text/plain.",
        media_type=media_type,
        filename=filename,
        media_types=sorted({name for each in formats() for name in each.media_types}),
        extensions=sorted({name for each in formats() for name in each.extensions if name}),
    )
