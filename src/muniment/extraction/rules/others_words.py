# ruff: noqa: E501
"""What of a text its speaker did not say: what is forwarded, quoted, pasted or handed over."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import Final

Range = tuple[int, int]
"""Characters [start, end) of the text."""

_FORWARDED: Final = re.compile(r"\W*(?:subject\s*:\s*)?(?:fwd?|fw|forwarded|wg|tr|rv)\s*:", re.IGNORECASE)
_MARK: Final = re.compile(
    r"^[ \t>*_-]*(?:(?:begin\s+)?(?:forwarded|original)\s+(?:message|mail|e-?mail)\b|\[?forwarded(?:\s+\w+)?\s+(?:from|by|message|via)\b|(?:fwd?|fw)\s*:).*$",
    re.IGNORECASE | re.MULTILINE,
)
_WROTE: Final = re.compile(r"^[ \t]*On\b[^\n]{4,160}(?:\n[^\n]{1,100})?\bwrote:[ \t]*$", re.MULTILINE)
_HEAD: Final = re.compile(
    r"^[ \t*]*From:[ \t*]*(?P<from>[^\n]{1,200})\n(?:[ \t*]*(?:Sent|Date|To|Cc|Subject|Reply-To):[^\n]*\n){1,6}",
    re.IGNORECASE | re.MULTILINE,
)
_FENCE: Final = re.compile(r"^[ \t]*(`{3,}|~{3,})[^\n]*\n.*?(?:^[ \t]*\1[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_QUOTED_LINE: Final = re.compile(r"^[ \t]*(?:>|&gt;|\|[ \t])[^\n]*$", re.MULTILINE)
_CURLED: Final = re.compile(r"[“„«][^”»“\n]{0,600}[”»“]?")
_STRAIGHT: Final = re.compile(r"(?<![^\s(\[,:;—–-])\"(?=\S)[^\"\n]{0,600}(?:\"|$)", re.MULTILINE)  # noqa: RUF001
_SINGLE: Final = re.compile(r"(?<![^\s(\[,:;—–-])['‘](?=\w)[^\n]{0,300}?(?<=[\w.,!?])['’](?!\w)")  # noqa: RUF001


def others_words(text: str, speaker: str | None) -> list[Range]:
    """Where in a text words stand that are not its speaker's own, in order, apart from each other. Linear in the text.

    A forwarded or answered mail goes on to the end; not so where its head names the speaker. What is marked by ">" or
    quotation marks ends with them.
    """
    if _FORWARDED.match(text):
        return [(0, len(text))]
    found = [match.span() for match in _MARK.finditer(text)][:1]
    found = [(start, len(text)) for start, _ in found]
    found += _answered(text)
    found += [(match.start(), len(text)) for match in _HEAD.finditer(text) if not _names(match.group("from"), speaker)]
    for pattern in (_FENCE, _QUOTED_LINE, _CURLED, _STRAIGHT, _SINGLE):
        found += [match.span() for match in pattern.finditer(text)]
    return _apart(sorted(found))


def is_in(ranges: Sequence[Range], place: int) -> bool:
    """Whether a place is in one of the ranges, which are in order and apart."""
    before = bisect_right(ranges, place, key=itemgetter(0))
    return before > 0 and place < ranges[before - 1][1]


def _apart(found: Sequence[Range]) -> list[Range]:
    """Ranges in order, those that meet as one."""
    apart: list[Range] = []
    for start, end in found:
        if apart and start <= apart[-1][1]:
            apart[-1] = (apart[-1][0], max(end, apart[-1][1]))
        else:
            apart.append((start, end))
    return apart


def _answered(text: str) -> Iterator[Range]:
    """Behind "On Monday Tom wrote:" all is Tom's, unless each of his lines is marked as his."""
    for match in _WROTE.finditer(text):
        behind = text[match.end() :].lstrip()
        yield match.start(), match.end() if behind.startswith((">", "&gt;")) else len(text)


def _names(head: str, speaker: str | None) -> bool:
    return speaker is not None and speaker.strip() != "" and speaker.casefold() in head.casefold()
