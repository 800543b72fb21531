"""What a mail says: the text of its body, from plain text or HTML, and what of it is quoted from others."""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass

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

_QUOTED_LINE = re.compile(r"[ \t]*>")
_SAID = re.compile(
    r"[ \t]*(?:On\b.{4,300}?\bwrote|Am\b.{4,300}?\bschrieb.{0,200}?|Le\b.{4,300}?\ba écrit"
    r"|El\b.{4,300}?\bescribió.{0,200}?|Il\b.{4,300}?\bha scritto|Op\b.{4,300}?\bschreef.{0,200}?"
    r"|Em\b.{4,300}?\bescreveu.{0,200}?)[ \u00a0]?:[ \t]*",
    re.DOTALL,
)
_FORWARDED = re.compile(
    r"[ \t]*(?:-{2,} ?(?:Original Message|Original-Nachricht|Ursprüngliche Nachricht|Message d'origine|Mensaje original"
    r"|Forwarded message|Weitergeleitete Nachricht) ?-{2,}|Begin forwarded message:|_{20,})[ \t]*",
    re.IGNORECASE,
)
_FROM_LINE = re.compile(r"[ \t]*\*?(?:From|Von|De|Da|Van)\*?:\*? +(.{1,300})", re.IGNORECASE)
_SENT_LINE = re.compile(
    r"[ \t]*\*?(?:Sent|Date|Gesendet|Datum|Envoyé|Enviado|Inviato|Verzonden|Fecha)\*?:", re.IGNORECASE
)
_NAME = r"([^\d,<>:\n]{1,80}?)[ \u00a0\n]*(?:<[^<>\n]*>)?[ \u00a0]*"
_WHO = re.compile(
    rf"\b(?:schrieb|escribió|schreef|escreveu)[ \u00a0]+{_NAME}:"
    rf"|[,\d](?:[ \u00a0\u202f]?[AP]M)?[ \u00a0]+{_NAME}(?:wrote|a écrit|ha scritto)[ \u00a0]?:",
    re.IGNORECASE,
)
_LINE = re.compile(r"[^\n]*\n?")
_ATTRIBUTION_LINES = 3


@dataclass(frozen=True, slots=True)
class Passage:
    """A span of a body: of its sender's own words, or ``quoted`` from the one who ``said`` it, where that is told."""

    span: Span
    quoted: bool = False
    said: str | None = None


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
    """A body as passages in order, that cover it: its own words and what it quotes.

    Quoted is what lines that begin with ``>`` say, with the line that says whose they are; and all that follows a
    line of a mail program that says so.
    """
    at, start = 0, 0
    lines = [(found.start(), found.end()) for found in _LINE.finditer(text) if found.end() > found.start()]
    number = 0
    while number < len(lines):
        begin, end = lines[number]
        line = text[begin:end]
        if _ends_own(text, lines, number):
            if start < begin:
                yield Passage((start, begin))
            yield Passage((begin, len(text)), True, _sender(text[begin:]))
            return
        if _QUOTED_LINE.match(line):
            first = _attribution(text, lines, number)
            begin = lines[first][0] if first is not None and lines[first][0] >= start else begin
            if start < begin:
                yield Passage((start, begin))
            while number < len(lines) and _goes_on(text, lines, number):
                number += 1
            at = lines[number - 1][1]
            introduced = text[begin : lines[number - 1][0]] if first is not None else ""
            yield Passage((begin, at), True, _who(introduced))
            start = at
            continue
        number += 1
    if start < len(text):
        yield Passage((start, len(text)))


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


def _ends_own(text: str, lines: list[Span], number: int) -> bool:
    """Whether a line begins what a mail program quotes below an answer, without marking its lines."""
    line = text[slice(*lines[number])].rstrip("\r\n")
    if _FORWARDED.fullmatch(line):
        return True
    if not _FROM_LINE.fullmatch(line):
        return False
    following = [text[slice(*each)] for each in lines[number + 1 : number + 3]]
    return any(_SENT_LINE.match(each) for each in following)


def _attribution(text: str, lines: list[Span], number: int) -> int | None:
    """The line at which the words "On Monday Ben wrote:" before a quotation begin."""
    last = number - 1
    while last >= 0 and not text[slice(*lines[last])].strip():
        last -= 1
    for first in range(last, max(-1, last - _ATTRIBUTION_LINES), -1):
        if _SAID.fullmatch(text[lines[first][0] : lines[last][1]].rstrip("\r\n")):
            return first
    return None


def _goes_on(text: str, lines: list[Span], number: int) -> bool:
    """Whether a line belongs to the quotation before it: it is marked, or blank and before one that is."""
    if _QUOTED_LINE.match(text[slice(*lines[number])]):
        return True
    if text[slice(*lines[number])].strip() or number + 1 >= len(lines):
        return False
    return _QUOTED_LINE.match(text[slice(*lines[number + 1])]) is not None


def _who(introduced: str) -> str | None:
    said = _SAID.match(introduced)
    found = _WHO.search(said[0]) if said else None
    return (found[1] or found[2] or "").strip(' "*') or None if found else None


def _sender(quoted: str) -> str | None:
    for line in quoted.split("\n")[:6]:
        if found := _FROM_LINE.fullmatch(line.rstrip("\r")):
            return re.split(r"[<\[]", found[1])[0].strip(' "*') or None
    return None
