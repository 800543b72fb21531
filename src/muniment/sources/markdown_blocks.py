"""The outline of a Markdown text: where its top-level blocks start, found with markdown-it in bounded work.

markdown-it builds objects for every line, and some inputs make it look at every line many times. So the text is
given to it a window at a time, with the middle of over-long lines left out (the structure shows at their ends), and
the calls of its rules are counted: when a document has used up its share, the outline ends there. All limits count
work and none measures time, so that one content always has one outline.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from markdown_it import MarkdownIt, rules_block
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

from muniment.sources.splitting import LINE_END

MAX_RULE_CALLS = 8_000_000
WINDOW = 64 * 1024
_HTML_WINDOWS = 8
_LINE_HEAD, _LINE_TAIL = 1600, 400
_MAX_NESTING = 40
_MAX_TITLE = 200
_MAX_MARKUP = 16
_LINE = re.compile(LINE_END)
_BLANK = re.compile(r"[ \t\r\n]*")
_MARKUP = re.compile(r"[\\`*_\[\]<>&!]")

Rule = Callable[[StateBlock, int, int, bool], bool]

# The rules of CommonMark with what each may interrupt. Reference definitions and tables stay paragraphs, since both
# rules cost more than they tell us: definitions are kept together just the same, tables are found in the paragraphs.
_RULES: tuple[tuple[str, Rule, tuple[str, ...]], ...] = (
    ("code", rules_block.code, ()),
    ("fence", rules_block.fence, ("paragraph", "blockquote", "list")),
    ("blockquote", rules_block.blockquote, ("paragraph", "blockquote", "list")),
    ("hr", rules_block.hr, ("paragraph", "blockquote", "list")),
    ("list", rules_block.list_block, ("paragraph", "blockquote")),
    ("html_block", rules_block.html_block, ("paragraph", "blockquote")),
    ("heading", rules_block.heading, ("paragraph", "blockquote")),
    ("lheading", rules_block.lheading, ()),
    ("paragraph", rules_block.paragraph, ()),
)


@dataclass(frozen=True, slots=True)
class Block:
    """A top-level block. It reaches to the start of the next one.

    ``level`` is 1 to 6 for a heading with a title, else 0. ``inner`` are the offsets at which the outermost
    parts of a container start (list items, quoted blocks), after ``start`` and ascending. ``paragraph`` is set for
    paragraphs, in which tables stand.
    """

    start: int
    level: int = 0
    title: str = ""
    inner: tuple[int, ...] = ()
    paragraph: bool = False


class OutlineExhausted(Exception):
    """The rest of the text is too intricate to outline."""


class _TooMuchWork(Exception):
    pass


@dataclass(slots=True)
class _Window:
    """Some whole lines of the text: the offsets of their starts, the offset behind them, and what to parse."""

    starts: list[int]
    end: int
    skeleton: str


class Outline:
    """Walks the blocks of one text."""

    def __init__(self, text: str, window: int = WINDOW) -> None:
        self._text = text
        self._calls_left = MAX_RULE_CALLS
        self._size = window
        self._inline = MarkdownIt("commonmark")
        self._parser = MarkdownIt("commonmark", {"maxNesting": _MAX_NESTING})
        self._parser.core.ruler.enableOnly(["normalize", "block"])
        self._parser.block.ruler.enableOnly([name for name, _, _ in _RULES])
        for name, rule, interrupts in _RULES:
            self._parser.block.ruler.at(name, self._counted(rule), {"alt": list(interrupts)})

    def blocks(self, start: int) -> Iterator[Block]:
        """The blocks from offset ``start`` on, which must begin a line. Raises OutlineExhausted."""
        size = self._size
        while (start := self._skip_blank(start)) < len(self._text):
            window = self._window(start, size)
            tokens = self._parse(window)
            tops = [i for i, token in enumerate(tokens) if token.level == 0 and token.nesting >= 0 and token.map]
            blocks = [self._block(tokens, i, j, window.starts) for i, j in pairwise([*tops, len(tokens)])]
            if window.end == len(self._text):
                yield from blocks
                return
            size = self._size
            if len(blocks) > 1:
                yield from blocks[:-1]
                start = blocks[-1].start  # the last one may go on behind the window
            elif tokens[0].type == "fence":
                yield blocks[0]
                start = self._fence_end(start, tokens[0].markup)
            elif tokens[0].type == "html_block" and len(window.skeleton) < _HTML_WINDOWS * self._size:
                size = 2 * len(window.skeleton)  # what is inside must not be taken for Markdown: look for its end
            else:
                block, start = _cut(blocks[0], window)
                yield block

    def _skip_blank(self, start: int) -> int:
        """The start of the first line from ``start`` on that is not blank, or the end of the text."""
        blank = _BLANK.match(self._text, start)
        end = blank.end() if blank else start
        if end == len(self._text):
            return end
        return max(start, self._text.rfind("\n", start, end) + 1, self._text.rfind("\r", start, end) + 1)

    def _fence_end(self, start: int, markup: str) -> int:
        mark = f"{re.escape(markup[0])}{{{len(markup)},}}"
        closing = re.compile(rf"(?:\r\n|\n|\r) {{0,3}}{mark}[ \t]*(?:{LINE_END}|\Z)").search(self._text, start)
        return closing.end() if closing else len(self._text)

    def _window(self, start: int, size: int) -> _Window:
        starts, lines, length = [start], [], 0
        for end in _LINE.finditer(self._text, start):
            lines.append(_abridged(self._text, starts[-1], end.start()))
            length += len(lines[-1]) + 1
            if length >= size:
                break
            starts.append(end.end())
        else:
            lines.append(_abridged(self._text, starts[-1], len(self._text)))
            return _Window(starts, len(self._text), "\n".join(lines))
        return _Window(starts, end.end(), "\n".join(lines))

    def _parse(self, window: _Window) -> list[Token]:
        self._calls_left -= len(window.starts)
        try:
            return self._parser.parse(window.skeleton)
        except Exception:  # whatever the parser trips over, the text must still be stored
            raise OutlineExhausted from None

    def _block(self, tokens: list[Token], first: int, behind: int, starts: list[int]) -> Block:
        token = tokens[first]
        line = token.map[0] if token.map else 0
        if token.type == "heading_open":
            title = self._title(tokens[first + 1].content)
            return Block(starts[line], int(token.tag[1:]) if title else 0, title)
        inside: dict[int, set[int]] = {}
        for each in map(tokens.__getitem__, range(first + 1, behind)):
            if each.map and each.map[0] > line and each.nesting >= 0:
                inside.setdefault(each.level, set()).add(each.map[0])
        parts = sorted(inside[min(inside)]) if inside else []
        return Block(
            starts[line], inner=tuple(starts[part] for part in parts), paragraph=token.type == "paragraph_open"
        )

    def _title(self, content: str) -> str:
        """A heading's text without its markup (unless that is all there is), at most 200 characters."""
        title = content[:_MAX_TITLE]
        if 0 < len(_MARKUP.findall(title)) <= _MAX_MARKUP:
            children = (child for token in self._inline.parseInline(title) for child in token.children or ())
            breaks = ("softbreak", "hardbreak")
            shown = "".join(" " if child.type in breaks else _shown(child) for child in children)
            title = shown if shown.strip() else title
        return " ".join(title.split())

    def _counted(self, rule: Rule) -> Rule:
        def counted(state: StateBlock, start: int, end: int, silent: bool) -> bool:
            self._calls_left -= 1
            if self._calls_left < 0:
                raise _TooMuchWork
            return rule(state, start, end, silent)

        return counted


def _cut(block: Block, window: _Window) -> tuple[Block, int]:
    """The front of a block that fills its window, and where the rest goes on: at its last part, or behind it."""
    inner, halfway = block.inner, (window.starts[0] + window.end) // 2
    if inner and inner[-1] > halfway:
        return Block(block.start, inner=inner[:-1]), inner[-1]
    return block, window.end


def _shown(token: Token) -> str:
    return "" if token.type == "html_inline" else token.content


def _abridged(text: str, start: int, end: int) -> str:
    if end - start <= _LINE_HEAD + _LINE_TAIL:
        return text[start:end]
    return text[start : start + _LINE_HEAD] + text[end - _LINE_TAIL : end]
