"""Source code: whole functions and classes with what is said above them, the rest by blocks.

``read_<name of a language>`` is the reader of each; ``read_source_text`` reads what has no grammar here.
"""

import re
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import groupby, pairwise
from typing import Any

from muniment.sources.charset import decode_text
from muniment.sources.code.languages import LANGUAGES, CodeLanguage
from muniment.sources.code.outline import MAX_BYTES, Cut, Outline, TooIntricate, characters, outline_of
from muniment.sources.code.text_formats import LANGUAGE_OF
from muniment.sources.decode import require_words
from muniment.sources.locating import Locator
from muniment.sources.parsed import Chunk, Origin, Parsed, Span
from muniment.sources.splitting import pack, paragraphs, trim

MAX_LINE = 50_000
_LINE = re.compile(r"[^\r\n]+")
_MOST_CHARACTERS = 300


def __getattr__(name: str) -> Any:
    """The readers of the languages, by name."""
    for language in LANGUAGES:
        if name == f"read_{language.name}":
            return partial(read_code, language=language)
    raise AttributeError(name)


def read_code(data: bytes, origin: Origin, language: CodeLanguage) -> Parsed:
    """One chunk a function, and a class that fits; of a class that does not, its methods and between them its fields.

    A chunk begins with the comments directly above. The locator has the ``symbol`` (``Reader.read``) and ``language``,
    the fields these and the file's ``imports``. A function that does not fit is cut between its statements. Text with
    syntax errors is cut where the grammar can follow, with a note; files over 2 MiB, with a line of more than 50,000
    characters or that take too many steps to parse are cut between lines, with a note. Raises
    ``input.encoding_invalid``, ``input.nul_byte``, ``input.empty_text``.
    """
    text, notes = decode_text(data)
    require_words(text)
    chunks = _Chunks(text, origin, language.name)
    outline = _outline(text, language, origin.settings.chunk_characters)
    if isinstance(outline, str):
        notes.append(f"{outline}: it is cut between lines, and not by functions and classes.")
        chunks.add([trim(text, *line.span()) for line in _LINE.finditer(text)])
    else:
        chunks.fields |= _imported(outline.imports)
        for symbol, units in _pieces(text, outline.cuts):
            chunks.add(units, symbol)
        if outline.error_line is not None:
            name = language.name.capitalize()
            notes.append(f"Not all of it is {name} by its grammar, first in line {outline.error_line}.")
    return Parsed("code", origin.media_type, origin.title, origin.language, chunks.made, notes=notes)


def read_source_text(data: bytes, origin: Origin) -> Parsed:
    """Source text of a language without a grammar here: paragraphs, packed. Raises as ``read_code``."""
    text, notes = decode_text(data)
    require_words(text)
    ending = (origin.filename or "").rpartition(".")[2].lower()
    chunks = _Chunks(text, origin, LANGUAGE_OF.get("." + ending))
    chunks.add(paragraphs(text, 0, len(text)))
    return Parsed("code", origin.media_type, origin.title, origin.language, chunks.made, notes=notes)


class _Chunks:
    """Makes the chunks of one text in their order."""

    def __init__(self, text: str, origin: Origin, language: str | None) -> None:
        self.made: list[Chunk] = []
        self.fields: dict[str, str] = {} if language is None else {"language": language}
        self._text = text
        self._title = origin.title
        self._size = origin.settings.chunk_characters
        self._language = language
        self._locator = Locator(text, origin)

    def add(self, units: Iterable[Span], symbol: str = "") -> None:
        """The chunks of units that may share some, all of one symbol."""
        for span in pack(self._text, (unit for unit in units if unit[0] < unit[1]), self._size):
            chunk = self._locator.chunk(span, self._title)
            chunk.fields.update(self.fields)
            if self._language is not None:
                chunk.locator["language"] = self._language
            if symbol:
                chunk.locator["symbol"] = chunk.fields["symbol"] = symbol
            self.made.append(chunk)


def _outline(text: str, language: CodeLanguage, size: int) -> Outline | str:
    """The outline, with its places in characters, or why there is none."""
    if any(line.end() - line.start() > MAX_LINE for line in _LINE.finditer(text)):
        return f"A line has more than {MAX_LINE} characters"
    data = text.encode()
    if len(data) > MAX_BYTES:
        return f"The file has more than {MAX_BYTES} bytes"
    try:
        outline = outline_of(data, language, size)
    except TooIntricate:
        return "The file takes too many steps to parse"
    if not text.isascii():
        places = sorted({place for cut in outline.cuts for place in (cut.at, *cut.inner)})
        known = dict(zip(places, characters(data, places), strict=True))
        outline.cuts = [
            Cut(known[cut.at], cut.symbol, cut.whole, tuple(known[place] for place in cut.inner))
            for cut in outline.cuts
        ]
    return outline


def _pieces(text: str, cuts: list[Cut]) -> Iterator[tuple[str, list[Span]]]:
    """The symbol of each piece, or of neighbours that may share a chunk, and the spans that it is best cut into."""
    cuts = [Cut(0, "", False), *cuts]
    ends = [*(cut.at for cut in cuts[1:]), len(text)]
    spans = [
        (cut, [trim(text, *span) for span in pairwise([cut.at, *(at for at in cut.inner if cut.at < at < end), end])])
        for cut, end in zip(cuts, ends, strict=True)
    ]
    for _, some in groupby(enumerate(spans), key=_shared):
        pieces = [piece for _, piece in some]
        yield pieces[-1][0].symbol, [span for _, units in pieces for span in units]


def _shared(piece: tuple[int, tuple[Cut, list[Span]]]) -> int | str:
    """What neighbours have the same of that may share a chunk."""
    number, (cut, _) = piece
    return number if cut.whole else cut.symbol


def _imported(names: list[str]) -> dict[str, str]:
    """The field with the names that the file imports, as many as have room."""
    kept, length = [], 0
    for name in names:
        length += len(name) + 1
        if length > _MOST_CHARACTERS:
            break
        kept.append(name)
    return {"imports": " ".join(kept)} if kept else {}
