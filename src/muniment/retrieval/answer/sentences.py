"""Sentences of a record, as exact pieces of its text."""

import re

from muniment.extraction.sentence_ends import ends_sentence
from muniment.extraction.time.languages import LOCAL_MONTHS

ASKING = ("?", "\uff1f", "\u061f")  # also full-width and Arabic
_CLOSING = "\"'\u201d\u2019)\\]"
_END = re.compile(rf"(?:(?<=[.!?\u2026])|(?<=[.!?\u2026][{_CLOSING}]))(?=\s+\S)|(?<=[\u3002\uff01\uff1f])(?=\S)")
_MONTH = "|".join(sorted({name for names in LOCAL_MONTHS.values() for name in names}, key=len, reverse=True))
_BLOCK_START = re.compile(rf"\s*(?:$|[-*+#|>]|\d{{1,3}}[.)]\s(?!\s*(?:{_MONTH})\b)|```|~~~)", re.IGNORECASE)
_WHOLE_LINE = re.compile(r"\s*(?:$|[#|]|```|~~~)")
_HEADING = re.compile(r"#{1,6}\s")
_TABLE_RULE = re.compile(r"\|?[\s:|-]*-[\s:|-]*\|?$")


def sentences(text: str, longest: int = 600) -> list[str]:
    """The sentences of the text in order, each an exact substring without surrounding blanks.

    Cuts after . ! ? … and their CJK forms, and where a block ends: at a blank line, a list item, a heading, a row of a
    table. A line end inside a paragraph cuts nothing, nor does the full stop of common abbreviations and initials. A
    sentence longer than ``longest`` characters is cut at blanks.
    """
    pieces = [piece for block in _blocks(text) for piece in _sentences_of(block)]
    return [part for piece in pieces if piece.strip() for part in _cut(piece.strip(), longest)]


def statements(text: str) -> list[str]:
    """The sentences that say something by themselves: not headings, nor the head of a table; all where no other is."""
    found = sentences(text)
    heads = {place - 1 for place, sentence in enumerate(found) if "|" in sentence and _TABLE_RULE.match(sentence)}
    kept = [
        sentence
        for place, sentence in enumerate(found)
        if place not in heads and not _HEADING.match(sentence) and not _TABLE_RULE.match(sentence)
    ]
    return kept or found


def bare(text: str) -> str | None:
    """What a text is that says nothing by itself: ``only_heading``, or ``only_header`` of a table; None for others."""
    found = sentences(text)
    if not found or not all("|" in each or _HEADING.match(each) or _TABLE_RULE.match(each) for each in found):
        return None
    heads = {place - 1 for place, each in enumerate(found) if "|" in each and _TABLE_RULE.match(each)}
    rows = [
        each for place, each in enumerate(found) if "|" in each and not _TABLE_RULE.match(each) and place not in heads
    ]
    if rows:
        return None
    return "only_header" if heads else "only_heading"


def _blocks(text: str) -> list[str]:
    """The text in paragraphs, list items, headings and table rows; together they are the whole text."""
    blocks: list[str] = []
    start = position = 0
    before = ""
    for line in text.splitlines(keepends=True):
        if position > start and (_BLOCK_START.match(line) or _WHOLE_LINE.match(before)):
            blocks.append(text[start:position])
            start = position
        position += len(line)
        before = line
    return [*blocks, text[start:]]


def _sentences_of(block: str) -> list[str]:
    pieces: list[str] = []
    start = 0
    for match in _END.finditer(block):
        piece = block[start : match.start()]
        stop = match.start() - (block[match.start() - 1] != ".") - 1
        if block[stop] == "." and block[stop - 1 : stop] != "." and not ends_sentence(block, stop, start):
            continue
        pieces.append(piece)
        start = match.end()
    return [*pieces, block[start:]]


def _cut(piece: str, longest: int) -> list[str]:
    parts: list[str] = []
    while len(piece) > longest:
        at = piece.rfind(" ", longest // 2, longest)
        at = longest if at < 0 else at
        parts.append(piece[:at].rstrip())
        piece = piece[at:].lstrip()
    return [*parts, piece] if piece else parts
