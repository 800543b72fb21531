"""A description as chunks of the image: each says in its locator and metadata that it is a model's words."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from muniment.extraction.vision.reply import Description, Table
from muniment.sources.instructions import mark_instructions
from muniment.sources.parsed import Chunk, Parsed
from muniment.sources.splitting import pack, paragraphs

DERIVED_BY: Final = "derived_by"
"""The metadata that names the model and the prompt of a text that the source itself does not say."""

_FIELD_CHARACTERS: Final = 400
_OWN: Final = frozenset({"chunk", "box", "describes", "number"})  # of one chunk's locator, not of the image's


def described(
    found: Description, describer: str, place: Mapping[str, Any], fields: Mapping[str, str], size: tuple[int, int],
    characters: int, *, reads_text: bool,
) -> Parsed:  # fmt: skip
    """The chunks of a description, in pieces of at most ``characters``.

    ``place`` and ``fields`` are those of a chunk that the image has, ``size`` its width and height in pixels. Without
    ``reads_text`` the visible text is a field only: where OCR gave it with its boxes, that is nearer to the source.
    Text that speaks to a language model is marked as in any source.
    """
    image = {name: value for name, value in place.items() if name not in _OWN} | {"box": [0, 0, *size]}
    shared = {name: value for name, value in fields.items() if name not in ("visible_text", "description")}
    told = {"description": found.description, "visible_text": found.visible_text}
    shared |= {name: value[:_FIELD_CHARACTERS] for name, value in told.items() if value}
    chunks = [
        Chunk(text, image | about | {"chunk": number}, shared, metadata={DERIVED_BY: describer})
        for number, (about, text) in enumerate(_texts(found, characters, reads_text=reads_text))
    ]
    parsed = Parsed("image", "", None, "", chunks)
    mark_instructions(parsed)
    return parsed


def _texts(found: Description, characters: int, *, reads_text: bool) -> Iterator[tuple[dict[str, Any], str]]:
    """Each piece of text, with what it describes."""
    for piece in _pieces(found.description, characters):
        yield {"describes": "description"}, piece
    if reads_text:
        for piece in _pieces(found.visible_text, characters):
            yield {"describes": "visible_text"}, piece
    for number, table in enumerate(found.tables, 1):
        for piece in _row_groups(table, characters):
            yield {"describes": "table", "number": number}, piece
    for number, chart in enumerate(found.charts, 1):
        for piece in _pieces(chart, characters):
            yield {"describes": "chart", "number": number}, piece
    for piece in _pieces("\n".join(found.relations), characters):
        yield {"describes": "relations"}, piece


def _pieces(text: str, characters: int) -> Iterator[str]:
    for start, end in pack(text, paragraphs(text, 0, len(text)), characters):
        yield text[start:end]


def _row_groups(table: Table, characters: int) -> Iterator[str]:
    """Rows behind the title and the first row, which are repeated; a row that does not fit is cut as text."""
    rows = [line for row in table.rows if (line := " | ".join(row)).strip(" |")]
    head = [each for each in (table.title, *rows[:1]) if each]
    if sum(map(len, head)) > characters // 2:
        yield from _pieces("\n".join([table.title, *rows]), characters)
        return
    group: list[str] = []
    for row in rows[1:] or [""]:
        if group and sum(len(each) + 1 for each in (*head, *group, row)) > characters:
            yield from _pieces("\n".join([*head, *group]), characters)
            group = []
        group.append(row)
    yield from _pieces("\n".join([*head, *group]), characters)
