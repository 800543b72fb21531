"""Lists behind a verb, each member an object of its own: I work at Acme and Zeta, I speak French, German and Dutch."""

import re
from collections.abc import Sequence
from typing import Final

from muniment.extraction.rules.phrases import name_at
from muniment.extraction.time.spans import TimeSpan

MOST: Final = 6
_NEXT: Final = re.compile(
    r"(?P<comma>,)?\s+(?:(?P<and>and|or|nor|&)\s+)?(?:(?:also|both|in|at|for|to|with)\s+)?(?:the\s+)?"
)
_COMMA: Final = re.compile(r",")
# firms and countries whose name holds an "and"; and what behind one makes it the name of a firm
_ONE_NAME: Final = frozenset(
    (
        "bosnia herzegovina", "trinidad tobago", "antigua barbuda", "kitts nevis", "tome principe", "turks caicos",
        "tyne wear", "johnson johnson", "ernst young", "marks spencer", "procter gamble", "barnes noble",
        "smith wesson", "bang olufsen", "dolce gabbana", "simon schuster", "crate barrel", "bath works",
        "abercrombie fitch", "black decker", "harry sally", "standard poor", "brighton hove", "stoke trent",
    )
)  # fmt: skip
_OF_A_FIRM: Final = frozenset(("sons", "daughters", "co", "company", "partners", "brothers", "associates", "young"))
# what may stand behind a list: behind anything else its last member may be what another clause is about
_ENDS: Final = re.compile(
    r"\s*(?:$|[.;:!)]|,\s*(?:but|so|and\s+I\b|which|where)|\s(?:in|on|at|since|as|from|with|until|during|now|today|these|right|too|fluently"
    r"|well|but|because|so|every|for|all|both|this|last|next|again|together|by|before|after|quite|very|pretty|a\s+(?:bit|little))\b)"
)
_IS: Final = re.compile(r"\s+(?:is|was|are|were|has|have|will|can|does|did|'s|’s)\b")  # noqa: RUF001


def one_name(sentence: str, found: tuple[int, int]) -> tuple[int, int]:
    """A name to its end, where an "and" is part of it: Ernst and Young, Bosnia and Herzegovina, Smith and Sons."""
    behind = re.match(r"\s+(?:and|&)\s+", sentence[found[1] :])
    other = None if behind is None else name_at(sentence, found[1] + behind.end())
    if other is None or not other[1] > found[1]:
        return found
    first, second = sentence[found[0] : found[1]].casefold().split(), sentence[other[0] : other[1]].casefold().split()
    if f"{first[-1]} {second[0]}" in _ONE_NAME or (len(second) == 1 and second[0].rstrip(".") in _OF_A_FIRM):
        return found[0], other[1]
    return found


def names_listed(sentence: str, found: tuple[int, int], times: Sequence[TimeSpan]) -> list[tuple[int, int]]:
    """The names of a list that begins with one at ``found``; that one alone where it is no sure list of names.

    A list ends with an "and", and behind it is nothing of which its last member could be the subject.
    """
    members, place, closed = [found], found[1], False
    while len(members) < MOST and not closed:
        match = _NEXT.match(sentence, place)
        if match is None or not (match.group("comma") or match.group("and")):
            break
        following = name_at(sentence, match.end())
        if following is None or any(time.first < following[1] and following[0] < time.last for time in times):
            break
        following = one_name(sentence, following)
        members.append(following)
        place, closed = following[1], match.group("and") is not None
    timed = any(0 <= time.first - place <= 4 for time in times)
    ends = timed or (_ENDS.match(sentence, place) is not None and not _IS.match(sentence, place))
    return members if closed and ends else [found]


def words_listed(sentence: str, end: int, members: re.Pattern[str]) -> list[tuple[int, int]]:
    """The further members of a list of words of one kind that goes on at ``end``: languages, instruments."""
    found: list[tuple[int, int]] = []
    while len(found) < MOST:
        match = _NEXT.match(sentence, end)
        if match is None or not (match.group("comma") or match.group("and")):
            break
        member = members.match(sentence, match.end())
        if member is None:
            break
        found.append(member.span())
        end = member.end()
    return found
