"""Where to cut source code: before each definition, with what is said directly above it, and between statements.

The text is parsed by tree-sitter; a text with syntax errors has a tree too. Parsing counts its own steps and gives up
after so many, and trees are walked without recursion but for classes in classes.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import import_module

from tree_sitter import Language, Node, Parser, Point

from muniment.sources.code.definitions import Definition, Definitions, members
from muniment.sources.code.languages import CodeLanguage

MAX_BYTES = 2 * 1024 * 1024
MAX_LINE = 50_000
MAX_STEPS = 400_000
_MAX_NESTED = 32
_OPENING = 120  # bytes
_READ = 65_536
_IMPORT_BYTES = 4000
_REQUIRE = re.compile(rb"""\b(?:require(?:_relative|_once)?|include(?:_once)?|@import|import|alias|use|source|using|"""
                      rb"""Import-Module)\b|^\.[ \t]""")  # fmt: skip
_IMPORTED = re.compile(r"[\w@$./\\:~-]*\w")
_NO_NAMES = frozenset(
    [
        "import",
        "from",
        "as",
        "use",
        "using",
        "require",
        "require_relative",
        "require_once",
        "include",
        "include_once",
        "static",
        "function",
        "const",
        "type",
        "extern",
        "crate",
        "package",
        "local",
        "var",
        "let",
        "pub",
        "self",
        "super",
        "source",
        "alias",
        "only",
        "except",
        "namespace",
        "global",
        "Import-Module",
        "def",
    ]
)
_MOST_IMPORTS = 300


@dataclass(frozen=True, slots=True)
class Cut:
    """A piece begins at the byte ``at``. ``whole`` pieces stay alone; others of one symbol may share a chunk.

    ``inner`` are bytes at which a piece that does not fit is better cut than elsewhere.
    """

    at: int
    symbol: str
    whole: bool
    inner: tuple[int, ...] = ()


@dataclass(slots=True)
class Outline:
    """The cuts of a text in their order, what it imports, and the first line that its grammar does not know."""

    cuts: list[Cut] = field(default_factory=list)
    imports: list[str] = field(default_factory=list)
    error_line: int | None = None


class TooIntricate(Exception):
    """Parsing took more steps than are allowed."""


def outline_of(data: bytes, language: CodeLanguage, size: int) -> Outline:
    """The outline of UTF-8 text, for pieces of ``size`` characters. Raises ``TooIntricate``."""
    root = _parse(data, language)
    walk = _Walk(data, language, size)
    walk.take(root.named_children, "", 0)
    walk.outline.error_line = _first_error(root)
    return walk.outline


@cache
def _language(module: str, function: str) -> Language:
    return Language(getattr(import_module(module), function)())


def _parse(data: bytes, language: CodeLanguage) -> Node:
    steps = 0

    def progress(_offset: int, _error: bool) -> bool:
        nonlocal steps
        steps += 1
        return steps > MAX_STEPS

    def read(offset: int, _point: Point) -> bytes:
        return data[offset : offset + _READ]

    try:
        tree = Parser(_language(*language.grammar)).parse(read, progress_callback=progress)
    except ValueError:
        raise TooIntricate from None
    if tree is None:
        raise TooIntricate
    return tree.root_node


class _Walk:
    """Goes through the nodes of a file and of what is parted in it. ``_row`` is the line where the last node ended."""

    def __init__(self, data: bytes, language: CodeLanguage, size: int) -> None:
        self.outline = Outline()
        self._data = data
        self._definitions = Definitions(data, language)
        self._language = language
        self._size = size
        self._row = -1
        self._imported: dict[str, None] = {}

    def take(self, nodes: Iterable[Node], path: str, depth: int) -> None:
        """The nodes under the symbol ``path``. A comment belongs to what begins in the line below it."""
        lead: Node | None = None
        lead_row = -1
        for node in _through_errors(nodes):
            if "comment" in node.type or node.type in self._language.leads:
                if lead is None and node.start_point.row == self._row:
                    continue  # behind something, in its line
                if lead is not None and node.start_point.row - lead_row > 1:
                    self._cut(lead, path)
                    lead = None
                lead, lead_row = lead or node, _last_row(node)
                self._row = lead_row
                self._note_import(node)
                continue
            if lead is not None and node.start_point.row - lead_row > 1:
                self._cut(lead, path)
                lead = None
            self._one(node, lead or node, path, depth)
            lead, self._row = None, _last_row(node)
        if lead is not None:
            self._cut(lead, path)

    def _one(self, node: Node, first: Node, path: str, depth: int) -> None:
        """A node that is no comment; its text begins with ``first``."""
        found = self._definitions.of(node)
        if found is None:
            self._note_import(node)
            self._cut(first, path, inner=node)
            return
        symbol = _joined(path, found.name)
        if self._stays_whole(found, node.end_byte - first.start_byte, depth):
            self._cut(first, symbol, inner=node, whole=True)
            return
        before = len(self.outline.cuts)
        self._cut(first, symbol)
        self._row = -1
        self.take(members(found.inner), symbol, depth + 1)
        if found.kind == "space":
            self._join_opening(before)

    def _join_opening(self, number: int) -> None:
        """The line that opens a namespace goes with the first thing in it."""
        cuts = self.outline.cuts
        if len(cuts) > number + 1 and cuts[number + 1].at - cuts[number].at <= _OPENING:
            cuts[number + 1] = replace(cuts[number + 1], at=cuts[number].at)
            del cuts[number]

    def _stays_whole(self, found: Definition, length: int, depth: int) -> bool:
        if found.kind == "function" or depth >= _MAX_NESTED:
            return True
        return found.kind == "class" and length <= self._size

    def _cut(self, first: Node, symbol: str, inner: Node | None = None, whole: bool = False) -> None:
        cuts: tuple[int, ...] = ()
        if inner is not None and inner.end_byte - first.start_byte > self._size:
            cuts = tuple(sorted({*_boundaries(inner, self._size), first.start_byte}))
        self.outline.cuts.append(Cut(first.start_byte, symbol, whole, cuts))

    def _note_import(self, node: Node) -> None:
        if len(self._imported) >= _MOST_IMPORTS or node.end_byte - node.start_byte > _IMPORT_BYTES:
            return
        text = self._data[node.start_byte : node.end_byte]
        if node.type in self._language.imports or (not self._language.imports and _REQUIRE.match(text)) or (
            b"require(" in text and node.end_byte - node.start_byte < _IMPORT_BYTES // 10
        ):  # fmt: skip
            for word in _IMPORTED.findall(text.decode("utf-8", "replace")):
                if word not in _NO_NAMES:
                    self._imported[word] = None
            self.outline.imports = list(self._imported)


def _through_errors(nodes: Iterable[Node]) -> Iterator[Node]:
    """The nodes, and instead of what the grammar does not know what was known in it."""
    for node in nodes:
        if node.type == "ERROR" and any(each.is_named for each in node.named_children[:1]):
            yield from node.named_children
        else:
            yield node


def _boundaries(node: Node, size: int) -> Iterator[int]:
    """Where the parts of a node begin that do not fit together into ``size``, as far down as is needed."""
    stack = [node]
    while stack:
        for child in stack.pop().named_children:
            yield child.start_byte
            if child.end_byte - child.start_byte > size:
                stack.append(child)


def _last_row(node: Node) -> int:
    end = node.end_point
    return end.row - 1 if end.column == 0 and end.row > node.start_point.row else end.row


def _first_error(root: Node) -> int | None:
    if not root.has_error:
        return None
    node = root
    while not node.is_error and not node.is_missing:
        inner = next((each for each in node.children if each.has_error), None)
        if inner is None:
            break
        node = inner
    return int(node.start_point.row) + 1


def _joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path and name else path or name


def characters(data: bytes, places: Iterable[int]) -> Iterator[int]:
    """The characters at which bytes of UTF-8 stand; ``places`` ascend."""
    at = count = 0
    for place in places:
        count += len(data[at:place].decode("utf-8", "ignore"))
        at = place
        yield count
