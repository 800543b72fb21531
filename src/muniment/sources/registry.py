"""Which reader reads what. A format is one module of this package and one line in ``FORMATS`` of its room.

Other distributions add formats by an entry point in the group ``muniment.formats`` that names a ``Format``. They
cannot take a media type or an extension from a built-in one.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.metadata import entry_points
from pathlib import PurePosixPath
from typing import Any, Literal, NamedTuple

import structlog

from muniment.errors import MunimentError
from muniment.settings import Settings
from muniment.sources.archives import FORMATS as ARCHIVES
from muniment.sources.charset import locate_decoded
from muniment.sources.code import FORMATS as CODE
from muniment.sources.conversations import FORMATS as CONVERSATIONS
from muniment.sources.data import FORMATS as DATA
from muniment.sources.decode import decode_head, looks_like_text, reject_nul
from muniment.sources.documents import FORMATS as DOCUMENTS
from muniment.sources.format import Format
from muniment.sources.images import FORMATS as IMAGES
from muniment.sources.instructions import mark_instructions
from muniment.sources.isolation import locate_isolated, read_isolated, show_isolated
from muniment.sources.markdown import locate_markdown, read_markdown
from muniment.sources.message_list import locate_message, looks_like_messages, read_message_list
from muniment.sources.parsed import Origin, Parsed, Part
from muniment.sources.plain_text import read_plain_text
from muniment.sources.tables import FORMATS as TABLES

ENTRY_POINT_GROUP = "muniment.formats"
UNKNOWN_MEDIA_TYPES = frozenset({"", "application/octet-stream", "binary/octet-stream"})
_KINDS: dict[str, Literal["text", "file"]] = {"text": "text", "file": "file"}
_LARGE = 1024 * 1024
_BEGINNING = 4096
_HTML = re.compile(r"\A(?:<!--.{0,2000}?-->\s*)?(?:<!doctype html|<html|<head|<meta|<body|<style|<table)\b", re.DOTALL)
_SHEETS = ("application/vnd.ms-excel", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")
_LANGUAGE = re.compile(r"[a-z][a-z0-9_]{0,62}")

PLAIN_TEXT = Format("plain text", ("text/plain",), (".txt", ".text", ".log", ""), read_plain_text, locate_decoded)
MARKDOWN = Format(
    "markdown",
    ("text/markdown", "text/x-markdown"),
    (".md", ".markdown", ".mdown", ".mkd"),
    read_markdown,
    locate_markdown,
)
MESSAGES = Format(
    "message list", ("application/json",), (".json",), read_message_list, locate_message, sniff=looks_like_messages
)

BUILT_IN: tuple[Format, ...] = (
    PLAIN_TEXT, MARKDOWN, MESSAGES, *DOCUMENTS, *TABLES, *DATA, *CODE, *CONVERSATIONS, *ARCHIVES, *IMAGES,
)  # fmt: skip


class Choice(NamedTuple):
    """The format that a source is read in, None where nobody reads it; and a note where its names say another."""

    format: Format | None
    note: str | None = None


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


def read_apart(chosen: Format | None, data: bytes) -> bool:
    """Whether a source is read in a child: where its format asks for that, and where it is so large that reading it
    here would keep this process from all else for a while."""
    return chosen is not None and (chosen.isolated or len(data) > _LARGE)


def find_format(media_type: str | None, filename: str | None) -> Format | None:
    """The format that a source says it is of: by its media type where one is given, else by the extension of its name.

    A source with neither is plain text.
    """
    return next(iter(_named(media_type, filename)), None)


def size_limit(media_type: str | None, filename: str | None, settings: Settings) -> tuple[int, str]:
    """How many bytes a source may have by its names, and the setting that says so; its reader may allow less."""
    return max(
        (each.size_limit(settings) for each in _named(media_type, filename)), default=PLAIN_TEXT.size_limit(settings)
    )


def choose_format(data: bytes, media_type: str | None, filename: str | None) -> Choice:
    """The format of a source by its names and its bytes, and a note where the bytes say that the names are wrong.

    Of several formats of one name the first whose ``sniff`` knows the bytes is taken, else the first that has none.
    Where the names lead to no format, or to one of text for bytes that are none, every ``sniff`` is asked; where a
    file's name says no more than that it is text, every ``signature`` is looked for. Text that bears the name of a
    format that is none, as what programs export "for Excel", is HTML, XML or a table as it begins.
    """
    named = _named(media_type, filename)
    known = _sniffed(data, named)
    if known is not None:
        return Choice(known)
    plain = next((each for each in named if each.sniff is None), None)
    signed = _signed(data) if plain is PLAIN_TEXT and filename and _unsaid(media_type) else None
    if plain is not None and signed is None and (plain.isolated or looks_like_text(data)):
        return Choice(plain)
    other = signed or _sniffed(data, formats()) or _written(data, named)
    if other is None:
        return Choice(plain or next((each for each in named if not each.exact), None))
    by_name = named[0].name if named else "of no known format"
    return Choice(other, f"By its name this is {by_name}, by its bytes {other.name}.")


def _named(media_type: str | None, filename: str | None) -> list[Format]:
    if not _unsaid(media_type):
        name = _bare(media_type)
        return [each for each in formats() if name in each.media_types]
    ending = extension(filename or "")
    return [each for each in formats() if ending in each.extensions]


def _bare(media_type: str | None) -> str:
    return (media_type or "").partition(";")[0].strip().lower()


def _unsaid(media_type: str | None) -> bool:
    return _bare(media_type) in UNKNOWN_MEDIA_TYPES


def _written(data: bytes, named: list[Format]) -> Format | None:
    """The format of a text whose names say that it is none; None for what is no text, or where they say nothing."""
    if not named or any(each.sniff is None for each in named) or not looks_like_text(data):
        return None
    head = decode_head(data[:_BEGINNING]).lstrip().lower()
    if _HTML.search(head):
        return _of_type("text/html")
    if head.startswith("<?xml"):
        return _of_type("application/xml")
    if named[0].media_types[0] not in _SHEETS:
        return None
    first = next((line for line in head.splitlines() if line.strip()), "")
    return _of_type("text/tab-separated-values" if "\t" in first else "text/csv")


def _of_type(media_type: str) -> Format | None:
    return next((each for each in formats() if media_type in each.media_types), None)


def _signed(data: bytes) -> Format | None:
    return next((each for each in formats() if each.signature and data.startswith(each.signature)), None)


def _sniffed(data: bytes, among: Iterable[Format]) -> Format | None:
    return next((each for each in among if each.sniff is not None and each.sniff(data)), None)


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
    commit: str | None = None,
    around: Mapping[str, Any] | None = None,
    choice: Choice | None = None,
) -> Parsed:
    """Reads a source into chunks with locators. CPU work, linear in the size: call it off the event loop.

    ``choice`` is what ``choose_format`` gave, where somebody asked it already. ``title`` wins over one that the source
    gives itself; ``around`` is its place in the source that it is inside of. ``language`` names a PostgreSQL
    text-search configuration.
    Raises ``source.kind_unsupported``, ``source.format_unsupported``, ``input.too_large`` (facts ``limit``,
    ``setting``), ``input.empty_text``, ``input.encoding_invalid``, ``input.nul_byte``, ``input.invalid`` for a
    language that can be no configuration's name, and what the format's reader raises.
    """
    if kind not in _KINDS:
        raise MunimentError("source.kind_unsupported", f"Sources of kind {kind!r} cannot be read yet.", kind=kind)
    if not _LANGUAGE.fullmatch(language):
        raise MunimentError("input.invalid", "The language is no name of a text-search configuration.")
    chosen, note = choice or choose_format(data, media_type, filename)
    if chosen is None:
        raise _unsupported(media_type, filename)
    limit, setting = chosen.size_limit(settings)
    if len(data) > limit:
        detail = f"The source has {len(data)} bytes, more than {limit}."
        raise MunimentError("input.too_large", detail, size=len(data), limit=limit, setting=setting)
    origin = Origin(
        _KINDS[kind], source_key, filename, chosen.media_types[0], title, language, settings, commit, around or {}
    )
    parsed = read_isolated(chosen, data, origin) if read_apart(chosen, data) else chosen.read(data, origin)
    _require_storable(parsed)
    mark_instructions(parsed)
    if note is not None:
        parsed.notes.insert(0, note)
    return parsed


def locate_in(data: bytes, chosen: Format | None, locator: Mapping[str, Any], settings: Settings) -> str | None:
    """The text that a locator points at, read from the original anew; None where it leads to none, or nobody can say.

    Raises what reading in a child raises. Blocks.
    """
    if chosen is None or chosen.locate is None:
        return None
    if read_apart(chosen, data):
        return locate_isolated(chosen, data, locator, settings)
    try:
        return chosen.locate(data, locator)
    except (KeyError, ValueError, TypeError, IndexError, MunimentError):
        return None


def show_source(data: bytes, media_type: str | None, filename: str | None, settings: Settings) -> Part:
    """A picture of a source for a model that sees, made in a child: PNG or JPEG, as large as the settings allow.

    Raises ``source.unreadable`` where its format has none, and what reading in a child raises. Blocks.
    """
    chosen, _ = choose_format(data, media_type, filename)
    if chosen is None or chosen.show is None:
        raise MunimentError("source.unreadable", "Nothing of this format can be shown to a model.")
    return show_isolated(chosen, data, settings)


def objection(data: bytes, chosen: Format | None, filename: str | None) -> str | None:
    """Why something found inside something else is no source: nothing is in it, or nobody can read it; else None."""
    if not data or data.isspace():
        return "empty"
    if chosen is None:
        return f"no reader for {extension(filename or '') or 'it'}"
    return None if chosen.isolated or looks_like_text(data) else "binary"


def _require_storable(parsed: Parsed) -> None:
    """Raises ``input.nul_byte`` or ``input.encoding_invalid`` where a reader let through what cannot be stored."""
    for number, chunk in enumerate(parsed.chunks):
        reject_nul(chunk.text, chunk=number)
        try:
            chunk.text.encode()
        except UnicodeEncodeError as error:
            detail = f"Chunk {number} holds half of a surrogate pair, which is no character."
            raise MunimentError("input.encoding_invalid", detail, chunk=number, character=error.start) from None


def _unsupported(media_type: str | None, filename: str | None) -> MunimentError:
    return MunimentError(
        "source.format_unsupported",
        "No reader knows this media type or file extension. Text of any kind is read with media_type text/plain.",
        media_type=media_type,
        filename=filename,
        media_types=sorted({name for each in formats() for name in each.media_types}),
        extensions=sorted({name for each in formats() for name in each.extensions if name}),
    )
