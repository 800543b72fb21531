"""JSON and lines of JSON: a record an object, located by its JSON pointer.

A list of messages is read as a conversation (``message_list``), everything else here.
"""

import re

from muniment.sources.charset import decode_text
from muniment.sources.data.chunks import TOO_DEEP, RecordChunks, no_records, parsed_data, place_of, read_blocks
from muniment.sources.data.json_values import KEYS, JsonWalk, NotJson
from muniment.sources.data.records import RecordCutter, Uncut
from muniment.sources.decode import require_words
from muniment.sources.parsed import Origin, Parsed
from muniment.sources.splitting import trim

_LINE = re.compile(r"[^\r\n]+")


def read_json(data: bytes, origin: Origin) -> Parsed:
    """One chunk an object that fits, a larger one cut between its members, small neighbours together.

    The locator holds the JSON ``pointer`` of the value, and ``through``, that of the last where there are several.
    Several documents one behind the other are numbered as those of ``read_json_lines``. What is no JSON, but for
    comments, last commas and NaN, is read by paragraphs, with a note that names the place. Raises the ``input.*``
    errors of ``decode_text``.
    """
    text, said = decode_text(data)
    require_words(text)
    cutter = RecordCutter(text, origin.settings.chunk_characters)
    walk = JsonWalk(text, cutter)
    documents = at = 0
    try:
        while at < len(text):
            at = walk.space(walk.value(walk.space(at), at))
            documents += 1
    except NotJson as error:
        return read_blocks(text, origin, no_records("JSON", text, error.at, error.why), *said)
    made = RecordChunks(text, origin, KEYS, several=documents > 1)
    return parsed_data(origin, made.all(cutter.finish()), [*said, *([TOO_DEEP] if cutter.too_deep else [])])


def read_json_lines(data: bytes, origin: Origin) -> Parsed:
    """One document a line (JSON Lines, NDJSON, logs): small neighbours together, a large one by its members.

    The locator has the number of the ``document`` and the ``pointer`` in it, or the first and last of several
    ``documents``, all from 0. Lines that are no JSON stay as text and count as documents; a note tells how many they
    are and which is the first. Raises the ``input.*`` errors of ``decode_text``.
    """
    text, said = decode_text(data)
    require_words(text)
    cutter = RecordCutter(text, origin.settings.chunk_characters)
    broken: list[int] = []
    cut = 0
    for line in _LINE.finditer(text):
        start, end = trim(text, *line.span())
        if start == end:
            continue
        if _is_json(text, start, end):
            JsonWalk(text, cutter, end).value(start, cut)
        else:
            cutter.leaf(cut, end)
            broken.append(start)
        cut = end
    notes = [*said, *([TOO_DEEP] if cutter.too_deep else [])]
    if broken:
        lines = f"{len(broken)} lines are" if len(broken) > 1 else "One line is"
        notes.append(f"{lines} no JSON and kept as text, the first at {place_of(text, broken[0])}.")
    made = RecordChunks(text, origin, KEYS, several=True)
    return parsed_data(origin, made.all(cutter.finish()), notes)


def _is_json(text: str, start: int, end: int) -> bool:
    walk = JsonWalk(text, Uncut(), end)
    try:
        return walk.space(walk.value(start, start)) == end
    except NotJson:
        return False
