"""EPUB: the documents of a book in the order of its spine, in sections cut at their headings."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import partial
from typing import Any, Final

from lxml import etree

from muniment.errors import MunimentError
from muniment.settings import Settings
from muniment.sources.documents.blocks import Block, Numbering, locate_block, make_chunks
from muniment.sources.documents.html import decode_html
from muniment.sources.documents.html_blocks import html_blocks
from muniment.sources.documents.html_figures import images_named
from muniment.sources.documents.html_guard import require_bounded
from muniment.sources.documents.text import fold
from muniment.sources.images.figures import Figures
from muniment.sources.package import Package, damaged, resolve
from muniment.sources.parsed import Origin, Parsed
from muniment.sources.properties import moment

_CONTAINER: Final = "META-INF/container.xml"
_ENCRYPTION: Final = "META-INF/encryption.xml"
_HYPERTEXT: Final = ("application/xhtml+xml", "text/html", "application/x-dtbook+xml")
_IMAGES: Final = (".png", ".jpg", ".jpeg", ".webp")
_MAX_TITLE: Final = 1000


def read_epub(data: bytes, origin: Origin) -> Parsed:
    """Every document of the spine in its order; a chunk never reaches over a document or a heading.

    The path of headings goes on through the documents, as books part their chapters. Raises ``source.damaged``,
    ``source.encrypted``, ``source.too_complex``, ``input.too_large`` and, without any text, ``input.empty_text``.
    """
    book = _Book(Package(data, origin.settings))
    title = origin.title or book.title
    chunks = make_chunks(book.blocks(), origin, title)
    figures = Figures(origin.settings)
    book.add_images(figures)
    parts = figures.parts()
    if not chunks and not parts:
        if _ENCRYPTION in book.package:
            raise MunimentError("source.encrypted", "The documents of the book are encrypted.")
        raise MunimentError("input.empty_text", "There is no text in the book.")
    notes = [*book.notes, *figures.notes()]
    return Parsed("document", origin.media_type, title, origin.language, chunks, notes=notes, at=book.at, parts=parts)


def locate_epub(data: bytes, locator: Mapping[str, Any]) -> str:
    """The text of the paragraphs or table rows that a locator names in its ``item`` of the book."""
    return locate_block(_Book(Package(data, Settings())).blocks(only=locator["item"]), locator)


class _Book:
    """A book while it is read."""

    def __init__(self, package: Package) -> None:
        self.package = package
        self.notes: list[str] = []
        self.title: str | None = None
        self.at: datetime | None = None
        container = _parse(package.read(_CONTAINER))
        paths = [each.get("full-path", "") for each in container.iter("{*}rootfile")] if container is not None else []
        self._path = next((path for path in paths if path in package), None)
        root = None if self._path is None else _parse(package.read(self._path))
        if root is None or self._path is None:
            raise damaged("The package has no book.")
        self._spine = self._read(root, self._path)

    def _read(self, root: Any, path: str) -> list[str]:
        """The names of the spine's documents, each once; those that are missing are left out."""
        titles = [fold("".join(each.itertext())) for each in root.iter("{http://purl.org/dc/elements/1.1/}title")]
        self.title = next(filter(None, titles), "")[:_MAX_TITLE] or None
        for each in root.iter("{*}meta"):
            if each.get("property") == "dcterms:modified":
                self.at = moment(each.text)
        items = {
            each.get("id"): resolve(path, each.get("href", ""))
            for each in root.iter("{*}item")
            if each.get("media-type", "").lower() in _HYPERTEXT
        }
        named = [items[each.get("idref")] for each in root.iter("{*}itemref") if each.get("idref") in items]
        missing = sum(1 for name in named if name not in self.package)
        if missing:
            self.notes.append(f"{missing} documents of the spine are missing.")
        return list(dict.fromkeys(name for name in named if name in self.package))

    def blocks(self, only: str | None = None) -> Iterator[Block]:
        """The blocks of the book, or of one of its documents."""
        numbering = Numbering()
        for name in self._spine:
            if only is not None and name != only:
                continue
            text, _ = decode_html(self.package.read(name))
            require_bounded(text)
            yield from html_blocks(text, (("item", name),), numbering)

    def add_images(self, figures: Figures) -> None:
        """Adds the images that the documents of the spine show and that are in the package."""
        if not figures.wanted or not any(name.lower().endswith(_IMAGES) for name in self.package.names):
            return
        for name in self._spine:
            text, _ = decode_html(self.package.read(name))
            for address, title in images_named(text):
                member = resolve(name, address)
                if member in self.package:
                    figures.add(member, {"item": name}, partial(self.package.read, member), title=title)


def _parse(data: bytes) -> Any:
    """The root of a small XML document, None where it is none. Nothing is resolved or loaded."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        return etree.fromstring(data, parser) if data else None
    except (etree.XMLSyntaxError, ValueError):
        return None
