"""Telling served context from new statements, by sentences in a form that survives quoting.

Pure: which sentences were served, the database knows.
"""

import re
from collections.abc import Collection
from typing import Final

LEAST_SENTENCE: Final = 20  # characters; what is shorter may be said by anybody at any time
LEAST_SERVED: Final = 40  # characters of a text that must have been served before it counts as such
MOSTLY: Final = 0.8  # of its characters
MARK: Final = "served_by"
"""The metadata by which a caller says that a text is what a query run (``q_…``) gave."""

_MACHINES: Final = frozenset({"assistant", "system", "developer", "tool", "function", "ai", "bot", "agent"})
_END = re.compile(
    r"""(?<=[.!?\u2026\u3002\uff01\uff1f])[\])}'\u2019]*\s+   # the end of a sentence
      | [:;]\s | ["\u201c\u201d\u201e\u00ab\u00bb]            # what comes before and after a quotation
      | \n\s*\n | \n(?=\s*(?:[-*\u2022>\#|]|\d+[.)]\s))       # paragraphs, and items of a list
    """,
    re.VERBOSE,
)
_WORD = re.compile(r"\w+")


def sentences(text: str) -> list[str]:
    """The sentences of a text, as words in small letters with single spaces; without those that have no word."""
    said = (" ".join(_WORD.findall(part.casefold())) for part in _END.split(text) if part)
    return [sentence for sentence in said if sentence]


def telling(text: str) -> list[str]:
    """Those long enough to be known again, each once; and lines of which some are not, whole, since a date and a name
    before them tell them apart: *[since 2026-02-23]: Eva moved to Berlin.*"""
    whole = [line for line, short in map(_line, text.splitlines()) if short]
    return [each for each in dict.fromkeys([*sentences(text), *whole]) if len(each) >= LEAST_SENTENCE]


def is_served(text: str, known: Collection[str]) -> bool:
    """Whether a text is wholly or mostly sentences and lines that were served. One that quotes a little and goes on is
    not."""
    served, rest = 0, []
    for each in text.splitlines():
        line, _ = _line(each)
        if line in known:
            served += len(line)
        else:
            rest.append(each)
    lengths = [(len(each), each in known) for each in sentences("\n".join(rest))]
    total = served + sum(length for length, _ in lengths)
    served += sum(length for length, found in lengths if found)
    return served >= max(LEAST_SERVED, MOSTLY * total)


def _line(line: str) -> tuple[str, bool]:
    """The words of a line, and whether some of its sentences are too short to be known by themselves."""
    parts = sentences(line)
    return " ".join(parts), any(len(part) < LEAST_SENTENCE for part in parts)


def says_it_again(text: str, of: str, *, speaker: str | None, role: str | None) -> bool:
    """Whether a person repeats word for word what is ``of`` the same speaker and role. Programs only hand it back."""
    who = (speaker or role or "").casefold()
    return bool(who) and who not in _MACHINES and sentences(text) == sentences(of)
