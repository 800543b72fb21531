"""Sentences of a record, as exact pieces of its text."""

import re

ASKING = ("?", "\uff1f", "\u061f")  # also full-width and Arabic
_CLOSING = "\"'\u201d\u2019)\\]"
_END = re.compile(rf"(?:(?<=[.!?\u2026])|(?<=[.!?\u2026][{_CLOSING}]))(?=\s+\S)|(?<=[\u3002\uff01\uff1f])(?=\S)|\n+")
_ABBREVIATION = re.compile(r"(?:\b(?:Mr|Mrs|Ms|Dr|St|Prof|Jr|Sr|vs|etc|e\.g|i\.e|No|Fig|Inc|Ltd|Co)|\b[A-Z])\.$")


def sentences(text: str, longest: int = 600) -> list[str]:
    """The sentences of the text in order, each an exact substring without surrounding blanks.

    Cuts after . ! ? … and their CJK forms and at line ends, not after common abbreviations and initials. A sentence
    longer than ``longest`` characters is cut at blanks.
    """
    pieces: list[str] = []
    start = 0
    for match in _END.finditer(text):
        piece = text[start : match.start()]
        if _ABBREVIATION.search(piece) and "\n" not in match.group():
            continue
        pieces.append(piece)
        start = match.end()
    pieces.append(text[start:])
    return [part for piece in pieces if piece.strip() for part in _cut(piece.strip(), longest)]


def _cut(piece: str, longest: int) -> list[str]:
    parts: list[str] = []
    while len(piece) > longest:
        at = piece.rfind(" ", longest // 2, longest)
        at = longest if at < 0 else at
        parts.append(piece[:at].rstrip())
        piece = piece[at:].lstrip()
    return [*parts, piece] if piece else parts
