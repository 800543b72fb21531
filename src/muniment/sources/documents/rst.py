"""reStructuredText: sections cut at the titles that docutils finds; a chunk is a range of the file as it is written."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Final

from docutils import nodes
from docutils.core import publish_doctree
from docutils.utils import Reporter

from muniment.sources.charset import decode_text
from muniment.sources.decode import require_words
from muniment.sources.documents.rst_tables import with_tables
from muniment.sources.documents.text import fold
from muniment.sources.locating import Locator
from muniment.sources.parsed import Chunk, Origin, Parsed
from muniment.sources.splitting import LINE_END
from muniment.sources.text_tables import TextChunks, locate_text

# Nothing is included, executed, fetched or read from configuration files, and no report goes anywhere.
_LOCKED: Final[dict[str, Any]] = {
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "_disable_config": True,
    "report_level": Reporter.SEVERE_LEVEL + 1,
    "halt_level": Reporter.SEVERE_LEVEL + 1,
    "warning_stream": False,
    "traceback": False,
    "doctitle_xform": False,
    "docinfo_xform": False,
    "sectsubtitle_xform": False,
    "smart_quotes": False,
    "line_length_limit": 10_000,
    "syntax_highlight": "none",
}
_MAX_TITLE: Final = 300

locate_rst = locate_text


def read_rst(data: bytes, origin: Origin) -> Parsed:
    """Sections cut at the titles, their paragraphs joined up to the chunk size; tables are groups of their rows, with
    the header repeated; directives stay as they are written.

    Where docutils can make nothing of the text, it is split as plain text, and a note says so. Raises the ``input.*``
    errors of ``decode_text``.
    """
    text, notes = decode_text(data)
    require_words(text)
    try:
        titles = list(_titles(text))
    except MemoryError:
        raise
    except Exception as error:  # what somebody wrote need not be reStructuredText to be worth keeping
        titles = []
        notes.append(f"It is no reStructuredText that docutils can read ({type(error).__name__}): split as plain text.")
    title = origin.title or next((name for _, _, name in titles), None)
    made = TextChunks(text, Locator(text, origin), origin.settings.chunk_characters)
    chunks: list[Chunk] = []
    path: list[tuple[int, str]] = []
    bounds = [(0, 0, ""), *titles, (len(text), 0, "")]
    for (start, level, name), (end, _, _) in pairwise(bounds):
        if level:
            path = [each for each in path if each[0] < level]
            path.append((level, name))
        chunks += made.section(with_tables(text, start, end), title, [name for _, name in path])
    return Parsed("document", origin.media_type, title, origin.language, chunks, notes=notes)


def _titles(text: str) -> Iterator[tuple[int, int, str]]:
    """The offset where each section's title begins (its line above, if it has one), its level from 1, and the title."""
    starts = _line_starts(text)
    tree = publish_doctree(text, settings_overrides=_LOCKED)
    before = -1
    for title in tree.findall(nodes.title):
        section = title.parent
        if not isinstance(section, nodes.section) or section.line is None:
            continue
        name = fold(title.astext())[:_MAX_TITLE]
        at = _first_line(text, starts, section.line, name)
        if at is not None and starts[at] > before:
            before = starts[at]
            yield before, _level(section), name


def _level(section: nodes.Node) -> int:
    level = 0
    node: Any = section
    while isinstance(node, nodes.section):
        level += 1
        node = node.parent
    return level


def _first_line(text: str, starts: list[int], line: int, name: str) -> int | None:
    """The index of the line that begins a title which docutils places on ``line`` or one of its neighbours, from 1."""
    for index in range(max(line - 4, 0), min(line + 2, len(starts) - 1)):
        if name and fold(text[starts[index] : starts[index + 1]])[:3] == fold(name)[:3]:
            above = text[starts[index - 1] : starts[index]].strip() if index else ""
            adorned = len(above) >= 3 and len(set(above)) == 1 and not above[0].isalnum()
            return index - 1 if adorned and _is_overline(text, starts, index, above) else index
    return None


def _is_overline(text: str, starts: list[int], index: int, above: str) -> bool:
    """Whether the line above a title is its own and not the underline of another: the same stands below it."""
    below = text[starts[index + 1] : starts[index + 2]].strip() if index + 2 < len(starts) else ""
    return below == above


def _line_starts(text: str) -> list[int]:
    return [0, *(end.end() for end in re.finditer(LINE_END, text)), len(text)]
