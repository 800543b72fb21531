"""Jupyter notebooks: each cell by itself, what it printed apart from what it says.

Notebooks are JSON (nbformat 3 and 4). Nothing is run; pictures among the outputs become parts, HTML is passed over.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from muniment.errors import MunimentError
from muniment.sources.charset import decode_text
from muniment.sources.code.notebook_figures import add_images
from muniment.sources.decode import require_words
from muniment.sources.images.figures import Figures
from muniment.sources.locating import Locator
from muniment.sources.parsed import Chunk, Origin, Parsed
from muniment.sources.splitting import pack, paragraphs

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_COLOURS = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


@dataclass(frozen=True, slots=True)
class _Text:
    """A text of a notebook: what a cell of ``kind`` says, or its output with the number ``output``."""

    cell: int
    kind: str
    output: int | None
    text: str


def read_notebook(data: bytes, origin: Origin) -> Parsed:
    """Chunks of one cell each, by paragraphs where it does not fit; the text of its outputs in chunks of their own.

    The locator has the ``cell`` (from 0), its ``cell_kind`` and, of an output, the number of the ``output``; ``chars``
    and ``lines`` are those of that text. Raises ``source.damaged`` for what is no notebook, ``source.too_complex`` for
    more cells than ``max_source_items``, ``input.empty_text``, and the errors of ``decode_text``.
    """
    notebook, notes = _notebook(data)
    cells = _cells(notebook)
    limit = origin.settings.max_source_items
    if len(cells) > limit:
        detail = f"The notebook has {len(cells)} cells, more than {limit}."
        raise MunimentError("source.too_complex", detail, limit=limit, setting="MUNIMENT_MAX_SOURCE_ITEMS")
    language = _language(notebook)
    chunks: list[Chunk] = []
    for found in _texts(cells):
        chunks.extend(_chunks(found, origin, language, len(chunks)))
    figures = Figures(origin.settings)
    add_images(figures, cells)
    parts = figures.parts()
    if not parts:
        require_words("".join(chunk.text for chunk in chunks[:1]))
    notes += figures.notes()
    return Parsed("code", origin.media_type, origin.title, origin.language, chunks, notes=notes, parts=parts)


def locate_notebook(data: bytes, locator: Mapping[str, Any]) -> str:
    """The characters ``chars`` of the cell or output that a locator names."""
    start, end = locator["chars"]
    for found in _texts(_cells(_notebook(data)[0])):
        if found.cell == locator["cell"] and found.output == locator.get("output"):
            return found.text[start:end]
    return ""


def _chunks(found: _Text, origin: Origin, language: str | None, number: int) -> Iterator[Chunk]:
    locator = Locator(found.text, origin)
    spans = pack(found.text, paragraphs(found.text, 0, len(found.text)), origin.settings.chunk_characters)
    for count, span in enumerate(spans, number):
        chunk = locator.chunk(span, origin.title)
        chunk.locator.update({"cell": found.cell, "cell_kind": found.kind, "chunk": count})
        if found.output is not None:
            chunk.locator["output"] = found.output
            chunk.fields["part"] = "output"
        elif found.kind == "code" and language is not None:
            chunk.locator["language"] = chunk.fields["language"] = language
        yield chunk


def _notebook(data: bytes) -> tuple[dict[str, Any], list[str]]:
    text, notes = decode_text(data)
    require_words(text)
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or not isinstance(found.get("cells", found.get("worksheets")), list):
        raise MunimentError("source.damaged", "It is no notebook: there are no cells in it, or it is no JSON.")
    return found, notes


def _cells(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    cells = notebook.get("cells")
    if not isinstance(cells, list):  # nbformat 3
        sheets = [sheet for sheet in notebook["worksheets"] if isinstance(sheet, dict)]
        cells = [cell for sheet in sheets for cell in _list(sheet.get("cells"))]
    return [cell if isinstance(cell, dict) else {} for cell in cells]


def _language(notebook: dict[str, Any]) -> str | None:
    metadata = notebook.get("metadata")
    for about, name in (("language_info", "name"), ("kernelspec", "language")):
        found = metadata.get(about) if isinstance(metadata, dict) else None
        if isinstance(found, dict) and isinstance(found.get(name), str) and found[name].strip():
            return _UNSTORABLE.sub("\ufffd", str(found[name]).strip().lower()[:40])
    return None


def _texts(cells: list[dict[str, Any]]) -> Iterator[_Text]:
    for number, cell in enumerate(cells):
        kind = cell.get("cell_type")
        kind = kind if kind in ("code", "markdown", "raw", "heading") else "raw"
        yield _Text(number, kind, None, _joined(cell.get("source", cell.get("input"))))
        for output, shown in enumerate(_list(cell.get("outputs"))):
            if isinstance(shown, dict):
                yield _Text(number, kind, output, _printed(shown))


def _printed(output: dict[str, Any]) -> str:
    """The text of an output: what was printed, the plain form of a value, or an error."""
    if output.get("output_type") in ("error", "pyerr"):
        said = [_joined(output.get("ename")), _joined(output.get("evalue"))]
        trace = [_joined(line) for line in _list(output.get("traceback"))]
        return _COLOURS.sub("", "\n".join([": ".join(said), *trace]))
    data = output.get("data")
    plain = data.get("text/plain") if isinstance(data, dict) else None
    return _COLOURS.sub("", _joined(output.get("text", plain)))


def _joined(value: Any) -> str:
    lines = value if isinstance(value, list) else [value]
    return _UNSTORABLE.sub("\ufffd", "".join(line for line in lines if isinstance(line, str)))


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
