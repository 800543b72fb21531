"""From text to the tokens that time expressions are read from. Linear in the text."""

import re
from typing import Final, Literal, NamedTuple

from muniment.extraction.time.korean_words import KOREAN_WORD
from muniment.extraction.time.unspaced import UNSPACED_DAY

Kind = Literal[
    "date", "years", "clock", "decade", "quarter", "half", "isoweek", "ordinal", "number", "word", "mark", "opaque"
]

# No alternative can give a character back that it has passed more than a few times: the time is linear.
_TOKEN: Final = re.compile(
    r"""
    (?P<isoweek>(?<![\w./:-])\d{4}(?:-?w\d{2}|\ w\d{1,2})(?![\w/-])|(?<![\w./:-])w\d{1,2}[ /]\d{4}(?![\w/-]|[.:]\d))
  | (?P<date>(?<![\da-zA-Z./:$_-])(?:
        \d{4}\ ?[年년](?:\ ?\d{1,2}\ ?[月월](?:\ ?\d{1,2}\ ?[日号號일]|(?!\d))|(?!\d))
      | \d{1,2}\ ?[月월]\ ?\d{1,2}\ ?[日号號일]
      )
    | (?<![\w./:-])(?:
        \d{4}-\d{1,2}-\d{1,2}(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?
      | \d{4}/\d{1,2}/\d{1,2}
      | \d{1,2}(?P<separator>[./-])\d{1,2}(?P=separator)(?:\d{4}|\d{2})
      | \d{4}-\d{2}
      )(?![%0-9a-zA-Z_/]|[.:,-][\w]))
  | (?P<years>(?<![\w./:$-])\d{4}[-\u2013]\d{4}(?![\w/]|[.:-]\w))
  | (?P<clock>(?<![\w.:$])(?:\d{1,2}(?::\d{2}(?::\d{2})?)?\ ?(?:[ap]m\b|[ap]\.m\.)|\d{1,2}:\d{2}(?::\d{2})?(?![\w:])))
  | (?P<decade>(?<![\w$])['\u2019]?\d{1,3}0['\u2019]?s\b)
  | (?P<quarter>\bq[1-4]\b)
  | (?P<half>\bh[12]\b)
  | (?P<ordinal>(?<![\w.,$])\d{1,2}(?:st|nd|rd|th|er|ère|ème|e|º|ª)\b)
  | (?P<number>\d+)
  | (?P<word>[^\W\d_]+(?:['\u2019-][^\W\d_]+)*)
  | (?P<opaque>\x00+)
  | (?P<mark>[^\w\s]|_)
    """,
    re.IGNORECASE | re.VERBOSE,
)
_UNSPACED_FROM: Final = "\u2e80"
_CHUNK: Final = re.compile(r"\S+")
_PATH_SIGNS: Final = re.compile(r"[/\\@_]")
_WHOLE: Final = frozenset({"avant-hier", "week-end", "après-midi", "saint-sylvestre"})
_PLAIN_SLASH: Final = re.compile(
    r"[(\[\"']*(?:\d{1,4}/\d{1,2}/\d{2,4}|(?:[kKcC]?[wW]|[qQhHtT])?\d{1,2}/\d{4}|[^\W\d_]+/[^\W\d_]+)[.,;:!?)\]\"']*"
)


class Token(NamedTuple):
    """A piece of the text [first, last), in lower case, with straight apostrophes, a word without the 's at its end."""

    kind: Kind
    text: str
    first: int
    last: int
    capital: bool


def tokens_of(text: str) -> list[Token]:
    """The tokens of a text. Paths, addresses and identifiers are opaque: a date inside one is none."""
    shown = _without_paths(text) if _PATH_SIGNS.search(text) else text
    found: list[Token] = []
    for match in _TOKEN.finditer(shown):
        kind: Kind = match.lastgroup  # type: ignore[assignment]  # every alternative has a name
        raw, first = match.group(), match.start()
        if kind == "word" and "-" in raw and raw.lower() not in _WHOLE:
            found += _parts(raw, first)
        elif kind == "word" and raw[-1] >= _UNSPACED_FROM and UNSPACED_DAY.search(raw):
            found += _unspaced(raw, first)
        elif kind == "word" and raw[-1] >= _UNSPACED_FROM and (korean := KOREAN_WORD.fullmatch(raw)) is not None:
            end = korean.end("stem")
            found += [_token("word", raw[:end], first), _token("word", raw[end:], first + end)]
        else:
            found.append(_token(kind, raw, first))
    return found


def _token(kind: Kind, raw: str, first: int) -> Token:
    shown = raw.lower()
    if "\u2019" in shown or "'" in shown:
        shown = shown.replace("\u2019", "'")
        if kind == "word":
            shown = shown.removesuffix("'s")
    return Token(kind, shown, first, first + len(raw), raw[:1].isupper())


def _parts(raw: str, first: int) -> list[Token]:
    """A word with hyphens: its parts, so that "mid-June" and "May-July" are read, with their hyphens between."""
    found: list[Token] = []
    for part in re.split(r"(-)", raw):
        found.append(_token("mark" if part == "-" else "word", part, first))
        first += len(part)
    return found


def _unspaced(raw: str, first: int) -> list[Token]:
    """A run of a script that does not part words: the days in it, and what stands between them."""
    found: list[Token] = []
    end = 0
    for match in UNSPACED_DAY.finditer(raw):
        if match.start() > end:
            found.append(_token("word", raw[end : match.start()], first + end))
        found.append(_token("word", match.group(), first + match.start()))
        end = match.end()
    return [*found, _token("word", raw[end:], first + end)] if end < len(raw) else found


def _without_paths(text: str) -> str:
    pieces: list[str] = []
    end = 0
    for match in _CHUNK.finditer(text):
        chunk = match.group()
        if _PATH_SIGNS.search(chunk) and not _PLAIN_SLASH.fullmatch(chunk):
            pieces += [text[end : match.start()], "\x00" * len(chunk)]
            end = match.end()
    return "".join([*pieces, text[end:]])
