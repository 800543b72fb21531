"""What a mail says: the text of its body, from plain text or HTML, and what of it is quoted from others."""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from muniment.sources.conversations.mail_quotes import Line, Opening, openings
from muniment.sources.parsed import Span

_DROPPED = re.compile(r"<(script|style|head|template|title)\b[^<>]*>.*?</\1\s*>", re.IGNORECASE | re.DOTALL)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]{0,15})?([^<>]*)>")
_BLOCKS = frozenset(
    (
        "p", "div", "br", "tr", "li", "ul", "ol", "table", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "pre", "section",
        "article", "header", "footer",
    )
)  # fmt: skip
_SPACES = re.compile(r"[ \t\r\n\f\u00a0]+")
_EMPTY = re.compile(r"\n{3,}")

_MARKS = re.compile(r"(?:[ \t]*>)*")
_PARAGRAPHS = re.compile(r"\n{2,}")
_LINE = re.compile(r"[^\n]*\n?")


@dataclass(frozen=True, slots=True)
class Passage:
    """A span of a body: of its sender's own words, or ``quoted`` from the one who ``said`` it, ``at`` the time that is
    written above it, where that is told. The words above it end at the character ``opened``."""

    span: Span
    quoted: bool = False
    said: str | None = None
    at: datetime | None = None
    opened: int = 0


def html_text(markup: str) -> str:
    """The text of HTML as lines, those of quotations begun with ``>``. One pass; nothing in it is run or fetched."""
    markup = _COMMENT.sub("", markup) if markup.count("<!--") <= markup.count("-->") else markup
    markup = _DROPPED.sub(" ", markup) if _closes(markup) else markup
    lines: list[str] = [""]
    depth, at = 0, 0
    for tag in _TAG.finditer(markup):
        _write(lines, markup[at : tag.start()], depth)
        at = tag.end()
        name, closing = (tag[2] or "").lower(), tag[1] == "/"
        if name == "blockquote":
            depth = max(0, depth + (-1 if closing else 1))
            lines.append("")
        elif name in _BLOCKS and lines[-1]:
            lines.append("")
        if name in ("p", "h1", "h2", "h3") and closing:
            lines.append("")
    _write(lines, markup[at:], depth)
    return _EMPTY.sub("\n\n", "\n".join(line.rstrip() for line in lines)).strip()


def passages(text: str) -> Iterator[Passage]:
    """A body as passages in order, that cover it: its own words and what it quotes, a passage for each who is quoted.

    Quoted is what lines that begin with ``>`` say, with the words above that say whose they are; and what stands below
    the head of a mail. What is quoted in a quotation is whose its own words say: nobody's where there are none.
    """
    spans = [(found.start(), found.end()) for found in _LINE.finditer(text) if found.end() > found.start()]
    lines = [_line(text[slice(*span)]) for span in spans]
    opened = {each.first: each for each in openings(lines)}
    authors: dict[int, Opening] = {}
    current: Opening | None = None
    start, inside = 0, 0
    for number, ((begin, _), (level, words)) in enumerate(zip(spans, lines, strict=True)):
        owner = current
        if opening := opened.get(number):
            authors = {deep: each for deep, each in authors.items() if deep < opening.level} | {opening.level: opening}
            owner, inside = opening, opening.end
        elif number >= inside and (words.strip() or (level and current is None)):
            if level and level not in authors:
                authors[level] = Opening(number, number, level)
            owner = authors.get(level)
        if owner is not current:
            if start < begin:
                yield _passage((start, begin), current, spans)
            start, current = begin, owner
    if start < len(text):
        yield _passage((start, len(text)), current, spans)


def _line(words: str) -> Line:
    marks = _MARKS.match(words)
    assert marks is not None  # it matches nothing, too
    return marks[0].count(">"), words[marks.end() :].rstrip("\r\n")


def _passage(span: Span, owner: Opening | None, lines: list[Span]) -> Passage:
    if owner is None:
        return Passage(span)
    opened = lines[owner.end - 1][1] if owner.end > owner.first else 0
    return Passage(span, True, owner.said, owner.at, max(span[0], opened))


def said_in(words: str) -> set[str]:
    """The paragraphs of a passage, without marks of quotation and however its lines are broken."""
    plain = "\n".join(_MARKS.sub("", line, count=1).strip() for line in words.split("\n"))
    return {known for each in _PARAGRAPHS.split(plain) if (known := " ".join(each.split()))}


def _closes(markup: str) -> bool:
    """Whether what is to be dropped closes about as often as it opens: else looking for its end costs a square."""
    opened = len(re.findall(r"<(?:script|style|head|template|title)\b", markup, re.IGNORECASE))
    closed = len(re.findall(r"</(?:script|style|head|template|title)\b", markup, re.IGNORECASE))
    return opened <= closed + 16


def _write(lines: list[str], words: str, depth: int) -> None:
    said = _SPACES.sub(" ", html.unescape(words))
    if said.strip() or (said and lines[-1]):
        mark = "> " * depth if not lines[-1] else ""
        lines[-1] += mark + (said.lstrip() if not lines[-1] else said)
