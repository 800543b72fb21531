"""HTML: the main content of a page, as trafilatura chooses it, in the structure that the page gives it."""

import logging
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, Final

from selectolax.lexbor import LexborHTMLParser

from muniment.errors import MunimentError
from muniment.sources.charset import decode_text
from muniment.sources.documents.blocks import Block, Paragraph, locate_block, make_chunks
from muniment.sources.documents.html_blocks import html_blocks
from muniment.sources.documents.html_figures import add_embedded
from muniment.sources.documents.html_guard import require_bounded
from muniment.sources.documents.text import fold
from muniment.sources.images.figures import Figures
from muniment.sources.parsed import Origin, Parsed
from muniment.sources.properties import moment

_DECLARED: Final = re.compile(
    rb"<(?:meta|\?xml)[^>]{0,200}?(?:charset|encoding)\s*=\s*[\"']?\s*([\w.:-]{1,40})", re.IGNORECASE
)
_DECLARED_WITHIN: Final = 4096
_DATES: Final = (
    'meta[property="article:modified_time"]',
    'meta[property="article:published_time"]',
    'meta[name="dcterms.modified"]',
    'meta[name="dc.date"]',
    'meta[name="date"]',
)
_CHOSEN_CHARACTERS: Final = 5 * 1024 * 1024
_CHOSEN_DEPTH: Final = 150
_LEAST: Final = 200
_AHEAD: Final = 20_000
_MAX_TITLE: Final = 1000


def read_html(data: bytes, origin: Origin) -> Parsed:
    """The main content in sections cut at the headings, tables apart.

    Where no main content stands out, and in pages of over 5 Mi characters or nested over 150 deep, all of the page is
    read. Nothing is executed or fetched. Raises ``source.too_complex`` for what is nested deeper than 1500 or has over
    500 attributes in one element, ``input.empty_text`` and the errors of ``decode_text``.
    """
    text, notes = decode_html(data)
    depth = require_bounded(text)
    blocks = list(html_blocks(text))
    main = _main_text(text) if depth <= _CHOSEN_DEPTH and len(text) <= _CHOSEN_CHARACTERS else None
    if main is not None:
        kept = list(_within(blocks, main))
        if len(kept) < len(blocks):
            notes.append(f"{len(blocks) - len(kept)} blocks beside the main content were left out.")
        blocks = kept
    own_title, at = _about(text)
    title = origin.title or own_title
    chunks = make_chunks(blocks, origin, title)
    figures = Figures(origin.settings)
    add_embedded(figures, text)
    parts = figures.parts()
    notes += figures.notes()
    if not chunks and not parts:
        raise MunimentError("input.empty_text", "There is no text on the page.")
    return Parsed("document", origin.media_type, title, origin.language, chunks, notes=notes, at=at, parts=parts)


def locate_html(data: bytes, locator: Mapping[str, Any]) -> str:
    """The text of the paragraphs or table rows that a locator names, counted over the whole page."""
    text, _ = decode_html(data)
    require_bounded(text)
    return locate_block(html_blocks(text), locator)


def decode_html(data: bytes) -> tuple[str, list[str]]:
    """As ``decode_text``, with the encoding that the first 4 KiB declare, and without NUL."""
    declared = _DECLARED.search(data[:_DECLARED_WITHIN])
    data = data if data[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" not in data else data.replace(b"\0", b"")
    return decode_text(data, None if declared is None else declared.group(1).decode("ascii", "replace"))


def _about(text: str) -> tuple[str | None, datetime | None]:
    """The title of a page and when it says it was changed last."""
    tree = LexborHTMLParser(text)
    found = tree.css_first("head > title")
    title = fold(found.text(deep=True))[:_MAX_TITLE] if found is not None else ""
    for selector in _DATES:
        meta = tree.css_first(selector)
        at = None if meta is None else moment(meta.attributes.get("content"))
        if at is not None:
            return title or None, at
    return title or None, None


def _main_text(text: str) -> str | None:
    """The words of the main content, None where trafilatura finds next to nothing."""
    import trafilatura  # takes a while to load

    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)
    try:
        found = trafilatura.extract(
            text, output_format="txt", include_comments=False, favor_recall=True, deduplicate=False
        )
    except MemoryError:
        raise
    except Exception:  # a page that it fails on is read whole
        return None
    return found if found and len(found) >= _LEAST else None


def _within(blocks: Iterable[Block], main: str) -> Iterator[Block]:
    """The blocks whose words stand in the main content in this order, with the headings above them. Linear in both."""
    whole = _letters(main)
    lines = {_letters(line) for line in main.splitlines()}
    at = 0
    headings: list[Paragraph] = []
    for block in blocks:
        if isinstance(block, Paragraph) and block.heading and fold(block.text)[:300] == block.heading[-1]:
            headings = [each for each in headings if each.heading == block.heading[: len(each.heading)]]
            headings.append(block)
            continue
        letters = _letters(block.text if isinstance(block, Paragraph) else " ".join(block.rows[:3]))
        found = whole.find(letters, at, at + _AHEAD + len(letters)) if letters else -1
        if found >= 0:
            at = found + len(letters)
        elif letters not in lines or len(letters) < 2:
            continue
        yield from (each for each in headings if block.heading[: len(each.heading)] == each.heading)
        headings = []
        yield block


def _letters(text: str) -> str:
    """The letters and digits of a text: what it says, whatever marks and spaces stand between."""
    return "".join(character for character in text.casefold() if character.isalnum())
