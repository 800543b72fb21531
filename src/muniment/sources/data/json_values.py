"""Walking through JSON text: where its objects, lists and values begin and end, without building them.

Everything that JSON allows is followed, and beyond it what files in use have: comments, a comma behind the last
member, NaN and infinities, names given twice. Objects and lists without others inside are taken in one step. Work and
memory are linear in the text, whatever it nests.
"""

import json
import re

from muniment.sources.data.records import Name, RecordCutter

_STRING = r'"[^"\\\n\r]*+(?:\\.[^"\\\n\r]*+)*+"'
_SCALAR = rf"(?:{_STRING}|-?+\d++(?:\.\d++)?+(?:[eE][+-]?+\d++)?+|true|false|null|NaN|-?+Infinity)"
_WS = r"[ \t\r\n]*+"
_MEMBER = rf"{_STRING}{_WS}:{_WS}{_SCALAR}{_WS}"
_FLAT_OBJECT = rf"\{{{_WS}(?:{_MEMBER}(?:,{_WS}{_MEMBER})*+)?+\}}"
_FLAT_LIST = rf"\[{_WS}(?:{_SCALAR}{_WS}(?:,{_WS}{_SCALAR}{_WS})*+)?+\]"
_ATOM = re.compile(_SCALAR)
_FLAT = re.compile(rf"{_FLAT_OBJECT}|{_FLAT_LIST}")
_SPACE = re.compile(r"(?:[ \t\r\n]++|//[^\r\n]*+|/\*(?:[^*]++|\*(?!/))*+\*/)*+")
_KEY = re.compile(rf"({_STRING}){_WS}:")
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")

KEYS = re.compile(rf'"([^"\\\x00-\x1f]{{1,100}})"{_WS}:')
"""The names of members, without those that are escaped or long."""


class NotJson(Exception):
    """The text is no JSON: why, and where."""

    def __init__(self, why: str, at: int) -> None:
        super().__init__(why)
        self.why = why
        self.at = at


class JsonWalk:
    """Walks over values in the text before ``end``. For each open list it counts the items, for an object it has -1."""

    def __init__(self, text: str, cutter: RecordCutter, end: int | None = None) -> None:
        self._text = text
        self._cutter = cutter
        self._end = len(text) if end is None else end
        self._counts: list[int] = []
        self._fresh = False

    def value(self, at: int, cut: int) -> int:
        """Walks over the value at ``at``, whose text begins at ``cut``; returns where it ends. Raises ``NotJson``."""
        at = self._begin(at, cut, "")
        while self._counts:
            at = self.space(at)
            mark = self._text[at : at + 1] if at < self._end else ""
            if mark in ("]", "}"):
                at = self._close(at, mark)
            elif self._fresh:
                at = self._member(at, at)
            elif mark == ",":
                at = self._member(self.space(at + 1), at + 1)
            else:
                raise NotJson("expected a comma or an end", at)
        return at

    def space(self, at: int) -> int:
        """Where the white space and comments at ``at`` end."""
        found = _SPACE.match(self._text, at, self._end)
        return found.end() if found else at

    def _begin(self, at: int, cut: int, name: Name) -> int:
        """A value begins at ``at``: steps over it, or into it."""
        text, opening = self._text, self._text[at : at + 1]
        self._fresh = False
        if opening in ("{", "["):
            flat = _FLAT.match(text, at, min(self._end, cut + self._cutter.size))
            if flat is not None:
                self._cutter.leaf(cut, flat.end(), name)
                return flat.end()
            self._cutter.open(cut, name)
            self._counts.append(0 if opening == "[" else -1)
            self._fresh = True
            return at + 1
        atom = _ATOM.match(text, at, self._end)
        if atom is None:
            raise NotJson("expected a value", at)
        self._cutter.leaf(cut, atom.end(), name)
        return atom.end()

    def _member(self, at: int, cut: int) -> int:
        """The next member at ``at``, or the end of the container behind a last comma."""
        mark = self._text[at : at + 1] if at < self._end else ""
        if mark in ("]", "}"):
            return self._close(at, mark)
        count = self._counts[-1]
        if count >= 0:
            self._counts[-1] += 1
            return self._begin(at, cut, count)
        key = _KEY.match(self._text, at, self._end)
        if key is None:
            raise NotJson("expected a name and a colon", at)
        return self._begin(self.space(key.end()), cut, pointer_step(key[1]))

    def _close(self, at: int, mark: str) -> int:
        if (self._counts.pop() >= 0) != (mark == "]"):
            raise NotJson(f"{mark} ends something else", at)
        self._fresh = False
        self._cutter.close(at + 1)
        return at + 1


def pointer_step(quoted: str) -> str:
    """The step of a JSON pointer (RFC 6901) for a name in its quotes.

    A name with a NUL or half a surrogate pair in it, which PostgreSQL cannot store, keeps its escapes.
    """
    name = quoted[1:-1]
    if "\\" in name:
        try:
            decoded = json.loads(quoted, strict=False)
            name = name if _UNSTORABLE.search(decoded) else decoded
        except ValueError:
            pass  # an escape that JSON does not have: as it is written
    return pointer_name(name)


def pointer_name(name: str) -> str:
    """The step of a JSON pointer for a name. What PostgreSQL cannot store becomes U+FFFD."""
    return "/" + _UNSTORABLE.sub("\ufffd", name).replace("~", "~0").replace("/", "~1")
