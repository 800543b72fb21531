"""Proper names and identifiers by rule: what two records must share to be about the same thing.

The names make edges of the graph, so a wrong one costs more than a missed one. Scripts without capitals give
identifiers alone.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from itertools import dropwhile
from operator import itemgetter
from typing import NamedTuple

from muniment.extraction.identifiers import MAX_LENGTH, identifier_in

MAX_NAMES = 16
_MAX_WORDS = 5
_MAX_ACRONYM = 6
_GERMAN_SHARE = 0.08
_WRAPPED_LINE = 60  # characters of a line behind which a single line end is no end of a sentence

# a stretch of small ASCII words, each with one space behind it; a token; line ends; an end of a sentence
_TOKEN = re.compile(r"(?:[a-z]++ )+|[^\s()\[\]{}<>\"“”„«»,;|*`!?…。、]+|[\r\n]+|[!?…。]")
_EDGE = ".:'’‘_~#&=-–—"  # noqa: RUF001
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")  # noqa: RUF001
_POSSESSIVE = re.compile(r"['’](?:s|S)?$")  # noqa: RUF001
_QUOTED = re.compile(r"“([^“”\r\n]{2,80})”|\"([^\"\r\n]{2,80})\"|«([^«»\r\n]{2,80})»")
_CONTRACTION = re.compile(r"'(?:s|d|ll|re|ve|m)$")
_CONNECTORS = frozenset("of de da do del della di du van von der den la le el al bin ibn".split())  # noqa: SIM905
_GERMAN = frozenset("und der das nicht ist ein eine einen mit dem auf im für den sich wir ich".split())  # noqa: SIM905
_INFLECTED = (
    "ing",
    "ly",
    "ed",
    "tion",
    "tions",
    "ness",
    "ment",
    "ments",
    "ities",
    "ship",
    "ful",
    "less",
    "able",
    "ous",
)
_OPENING = re.compile(r"[\"“„«(\[{*`|]")
_STRETCHED = re.compile(r"(.)\1\1")
_ARTICLES = frozenset(["the", "a", "an"])
_BETWEEN = _CONNECTORS | {"the"}
_HONORIFICS = frozenset(["mr", "mrs", "ms", "dr", "prof"])


class _Piece(NamedTuple):
    """A token with what the rules ask of it, or a stretch of small words, which ends with a space."""

    text: str
    start: int
    opens: bool
    """Whether a sentence, line or quotation begins here, so that a capital means little."""
    closes: bool
    """Whether no name goes on behind it."""


@cache
def common_words() -> dict[str, str]:
    """Each word that a capital does not make a name, with its kind.

    ``always``: never at an end of a name. ``opening``: not where it opens a sentence. ``alone``: not by itself.
    A word of several kinds has the first of them.
    """
    words: dict[str, str] = {}
    kind = ""
    for line in files("muniment.extraction").joinpath("common_words.txt").read_text("utf-8").splitlines():
        if line.startswith("["):
            kind = line[1 : line.index("]")]
        elif not line.startswith("#"):
            for word in line.split():
                words.setdefault(word, kind)
    return words


def names_in(text: str) -> list[str]:
    """The names and identifiers of a text, casefolded, white space collapsed; at most 16, in order of appearance.

    Where there are more, those said oftenest stay, and of these the first. Linear in the text.
    """
    quoted = list(_titles(text))
    pieces = list(_pieces(text))
    found: list[tuple[int, str]] = [(start, title) for start, _, title in quoted]
    found += _identifiers(pieces)
    found += _proper_names(pieces, quoted)
    counts = Counter(name for _, name in found)
    first: dict[str, int] = {}
    for start, name in sorted(found):
        first.setdefault(name, start)
    kept = sorted(first, key=lambda name: (-counts[name], first[name]))[:MAX_NAMES]
    return sorted(kept, key=lambda name: first[name])


def _pieces(text: str) -> Iterator[_Piece]:
    opens, behind, line = True, 0, 0
    for match in _TOKEN.finditer(text):
        token = match.group()
        if token[-1] == " ":  # most of most texts, and none of it a name
            opens = opens or _OPENING.search(text, behind, match.start()) is not None
            yield from _small_words(token, match.start(), opens)
            opens, behind = False, match.end() - 1
            continue
        if token[0] in "\r\n":
            wrapped = len(token.replace("\r\n", "\n")) == 1 and match.start() - line >= _WRAPPED_LINE
            opens, line = opens or not wrapped, match.end()
            continue
        if token[0] in "!?…。":
            opens = True
            continue
        between = text[behind : match.start()]
        behind = match.end()
        opens = opens or (between != " " and _OPENING.search(between) is not None)
        core = token.strip(_EDGE)
        if not core:
            opens = opens or token[0] in ".-–—#:"  # noqa: RUF001
            continue
        tail = token[len(token.rstrip(_EDGE)) :]
        abbreviated = tail == "." and ((len(core) == 1 and core.isalpha()) or core.casefold() in _HONORIFICS)
        ends = ("." in tail or ":" in tail) and not abbreviated
        broken = not text[match.end() : match.end() + 1].isspace() or ends
        start = match.start() + token.find(core)
        yield _Piece(core, start, opens, broken)
        opens = ends


def _small_words(stretch: str, start: int, opens: bool) -> Iterator[_Piece]:
    """One piece, unless a name may go on behind all of the words."""
    words = stretch.split()
    if not _BETWEEN.issuperset(words):
        yield _Piece(stretch, start, opens, False)
        return
    for word in words:
        yield _Piece(word, start, opens, False)
        start, opens = start + len(word) + 1, False


def _identifiers(pieces: Iterable[_Piece]) -> Iterator[tuple[int, str]]:
    for piece in pieces:
        if piece.text[-1] == " ":
            continue
        name = identifier_in(piece.text)
        if name is not None and name not in common_words():
            yield piece.start, name


def _titles(text: str) -> Iterator[tuple[int, int, str]]:
    """Start, end and name of what stands in quotation marks and is written like a title."""
    for match in _QUOTED.finditer(text):
        words = next(group for group in match.groups() if group is not None).strip(" ,.").split()
        if 1 <= len(words) <= 8 and _is_title(words):
            if len(words) > 1 and words[0].casefold() in _ARTICLES:
                words = words[1:]
            yield match.start(), match.end(), " ".join(words).casefold()


def _is_title(words: list[str]) -> bool:
    if not all(_WORD.fullmatch(word.strip(":,&-")) or word.isdecimal() for word in words):
        return False
    content = [word for word in words if word.casefold() not in _CONNECTORS | _ARTICLES]
    capitals = all(word[0].isupper() or not word[0].isalpha() for word in content if len(word) > 3)
    said = [word for word in content if word.casefold() not in common_words()]
    return words[0][0].isupper() and capitals and (len(words) > 1 or bool(said)) and bool(content)


def _proper_names(pieces: list[_Piece], quoted: list[tuple[int, int, str]]) -> list[tuple[int, str]]:
    """Runs of capitalised words; only runs of several where the language, German, gives every noun a capital."""
    runs = [run for run in _runs(pieces) if not _inside(quoted, run[0].start)]
    words = [word for piece in pieces for word in piece.text.split(" ") if word]
    german = sum(word.casefold() in _GERMAN for word in words)
    nouns = german > 2 and german > _GERMAN_SHARE * len(words)
    names = []
    for run in runs:
        name = _name(run)
        if name is not None and not (nouns and " " not in name):
            names.append((run[0].start, name))
    return names


def _inside(spans: list[tuple[int, int, str]], place: int) -> bool:
    before = bisect_right(spans, place, key=itemgetter(0))
    return before > 0 and place < spans[before - 1][1]


def _runs(pieces: list[_Piece]) -> Iterator[list[_Piece]]:
    """Neighbouring capitalised words, with the small words between them that names have."""
    run: list[_Piece] = []
    small: list[_Piece] = []
    for piece in pieces:
        if run and piece.opens:
            yield run
            run, small = [], []
        if _is_capitalised(piece.text):
            run += [*small, piece]
            small = []
        elif run and ((piece.text in _CONNECTORS and not small) or (piece.text == "the" and len(small) == 1)):
            small.append(piece)
        elif run:
            yield run
            run, small = [], []
        if run and piece.closes:
            yield run
            run, small = [], []
    if run:
        yield run


def _is_capitalised(text: str) -> bool:
    return text[0].isupper() and len(text) <= MAX_LENGTH and _WORD.fullmatch(_bare(text)) is not None


def _bare(text: str) -> str:
    return _POSSESSIVE.sub("", text)


def _name(run: list[_Piece]) -> str | None:
    shouted = len(run) > 1 and all(_bare(word.text).isupper() for word in run)
    words = list(dropwhile(_is_no_beginning, run))
    while words and (_kind(words[-1]) == "always" or words[-1].text in _CONNECTORS):
        words.pop()
    if not words or len(words) > _MAX_WORDS or shouted:
        return None
    if len(words) == 1:
        only, bare = words[0], _bare(words[0].text)
        foreign = only.opens and not bare[0].isascii()
        if foreign or _kind(only) or len(bare) < 2 or (len(bare) > _MAX_ACRONYM and bare.isupper()):
            return None
    return " ".join([*(word.text for word in words[:-1]), _bare(words[-1].text)]).casefold()


def _is_no_beginning(piece: _Piece) -> bool:
    """Whether a name cannot begin with it."""
    kind, word = _kind(piece), piece.text.casefold()
    if kind == "always" or word in _HONORIFICS or piece.text in _CONNECTORS or (piece.opens and word in _GERMAN):
        return True
    return piece.opens and (kind == "opening" or word.endswith(_INFLECTED))


def _kind(piece: _Piece) -> str | None:
    word = piece.text.casefold().replace("’", "'")  # noqa: RUF001
    plain = _CONTRACTION.sub("", word)
    common = common_words()
    kind = common.get(word) or common.get(word.replace("'", "")) or common.get(plain)
    if kind is None and piece.opens and plain.endswith("s"):
        kind = common.get(plain[:-1])
    if kind is None and _STRETCHED.search(plain):
        kind = "always"
    return kind
