"""What somebody just said, put right by the same person: I meant Ravenna, not Rome. No, not Rome, Ravenna.

The right value takes the place of the wrong one in the statement that it was in, for the time that this told of, and
what was wrong is denied for the same time. Rather nothing where it is not plain which statement is meant.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Final

from muniment.extraction.grounding import sentence_of
from muniment.extraction.rules.phrases import name_at
from muniment.extraction.sentences import Sentence
from muniment.extraction.statements import Span, Statement
from muniment.extraction.turns import Turn

TURNS_BACK: Final = 6
"""How many turns before are looked at, whoever said them."""
_SORRY: Final = (
    r"(?:(?:oh|oops|sorry|no|wait|ah|er|um|hmm|well|correction|my\s+mistake|my\s+bad|pardon|excuse\s+me|actually|scratch\s+that|i\s+misspoke"
    r"|typo|never\s?mind(?:\s+that)?|nvm|just\s+kidding|jk)[\s,.:;!—–-]+)*"  # noqa: RUF001
)
_PART: Final = r"[\w&'’/+-]+(?:\.[\w&'’/+-]+)*"  # noqa: RUF001
_VALUE: Final = rf"{_PART}(?:\s+{_PART}){{0,4}}?"
_PREP: Final = r"(?:(?:in|at|to|for|from|with|by|the|an?)\s+)*"
_END: Final = r"\s*(?:,?\s+(?:of\s+course|sorry|obviously|my\s+mistake|my\s+bad))?[\s.!)]*$"
_IT_IS: Final = r"(?:it(?:['’]s|\s+is|\s+was)\s+)?"  # noqa: RUF001
_FORMS: Final = tuple(
    re.compile(rf"{_SORRY}{form}{_END}", re.IGNORECASE)
    for form in (
        rf"i\s+(?:meant|mean)(?:\s+to\s+(?:say|write|type))?[\s:,]+{_PREP}(?P<new>{_VALUE}),?\s+(?:and\s+)?(?:not|instead\s+of|rather\s+than)\s+{_PREP}(?P<old>{_VALUE})",
        rf"i\s+(?:meant|mean)(?:\s+to\s+(?:say|write|type))?[\s:,]+(?:not\s+){_PREP}(?P<old>{_VALUE}),?\s+but\s+{_PREP}(?P<new>{_VALUE})",
        rf"i\s+(?:said|wrote|typed)\s+{_PREP}(?P<old>{_VALUE}),?\s+(?:but\s+(?:i\s+)?meant|when\s+i\s+meant|instead\s+of)\s+{_PREP}(?P<new>{_VALUE})",
        rf"{_IT_IS}not\s+{_PREP}(?P<old>{_VALUE})(?:,\s*|\s*;\s*|,?\s+)(?:but\s+|it(?:['’]s|\s+is|\s+was)\s+|rather\s+){_PREP}(?P<new>{_VALUE})",  # noqa: RUF001
        rf"{_IT_IS}not\s+{_PREP}(?P<old>{_VALUE}),\s*{_PREP}(?P<new>{_VALUE})",
        rf"\*?{_IT_IS}{_PREP}(?P<new>{_VALUE})\*?,?\s+not\s+{_PREP}(?P<old>{_VALUE})",
        rf"i\s+meant(?:\s+to\s+(?:say|write|type)|(?!\s+to\b))[\s:,]+{_PREP}(?P<new>{_VALUE})",
        rf"(?:correction|typo)\s*[:,]\s*{_PREP}(?P<new>{_VALUE})",
    )
)  # fmt: skip
_STARRED: Final = re.compile(
    rf"(?:\*\s?{_PREP}(?P<before>{_VALUE})\*?|{_PREP}(?P<behind>{_VALUE})\*){_END}", re.IGNORECASE
)
"""A word put right by a star, as people write it who mistyped: *Rome."""
_PARTS: Final = re.compile(r"[\w&'’/+-]+")  # noqa: RUF001
_ALIKE: Final = 0.6
"""Least likeness of a word and what it was mistyped as: Rome and Room have 0.75, Rome and Bonn 0.25."""
_PLAIN: Final = re.compile(r"i\s", re.IGNORECASE)
_MAY: Final = re.compile(r"\bmean(?:t)?\b|\bcorrection\b|\btypo\b|\bnot\b|\binstead\b|^\s*\*|\*\s*$", re.IGNORECASE)
# behind "I meant" stands no value but what was to be done, or another sentence
_NO_VALUE: Final = re.compile(
    r"(?:to|yesterday|today|tomorrow|tonight|next|last|later|now|earlier|soon|\d\S*|it|that|this|what|how|i|you|he|she|we|they|well|no|every\w*|no\w*|some\w*|any\w*|ask\w*|as|for|by|sure|really|just|only)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Mending:
    """A value that is put right, ``old`` where it was named, and the characters of the turn that say so.

    With ``starred`` the value stands alone, and what it takes the place of is spelt much like it.
    """

    new: str
    old: str | None
    span: Span
    starred: bool = False


@dataclass(frozen=True, slots=True)
class Said:
    """A statement that stands before, and in which turn."""

    statement: Statement
    turn: Turn


def may_mend(text: str) -> bool:
    """Whether it is worth to look for what a text puts right."""
    return _MAY.search(text) is not None


def mending_in(turn: Turn, sentence: Sentence) -> Mending | None:
    """What a sentence puts right, where that is all that it says."""
    if turn.first_person is None or sentence.asks or not may_mend(sentence.text):
        return None
    whole = Span(turn.record_no, sentence.start, sentence.start + len(sentence.text.rstrip()))
    starred = _STARRED.fullmatch(sentence.text.strip()) if sentence.text.strip() == turn.text.strip() else None
    if starred is not None and " not " not in sentence.text:
        return Mending(starred.group("before") or starred.group("behind"), None, whole, starred=True)
    for form in _FORMS:
        match = form.match(sentence.text)
        if match is None:
            continue
        new, old = match.group("new"), match.groupdict().get("old")
        alone = old is None and new[0].islower() and _PLAIN.match(sentence.text) is not None
        if (
            alone  # "I meant dinner": nobody says sorry for anything
            or _NO_VALUE.match(new)
            or (old is not None and _NO_VALUE.match(old))
            or new.casefold() == (old or "").casefold()
        ):
            return None
        return Mending(new, old, whole)
    return None


def wrong_of(mending: Mending, said: Sequence[Said], previous: int | None) -> Said | None:
    """The statement that is put right, among those of the same person, the latest last; None where that is not plain.

    With the old value named it is the last that has it. Without, the person's last turn, the record ``previous``, must
    state one thing alone, whose value is of the same form.
    """
    if mending.old is not None:
        old = mending.old.casefold()
        return next((each for each in reversed(said) if each.statement.object.casefold() == old), None)
    last = [each for each in said if each.turn.record_no == previous]
    if mending.starred:
        return _misspelt(mending.new, last)
    alike = [each for each in last if _form(each.statement.object) == _form(mending.new)]
    return alike[0] if len(last) == 1 and alike else None


def mended(mending: Mending, wrong: Said, turn: Turn) -> Iterator[Statement]:
    """The statement with the right value, and from another turn than its own the denial of the wrong one."""
    old, here = wrong.statement, wrong.turn.record_no == turn.record_no
    if old.negated:
        return
    begin = old.event_from
    if begin is None and old.event_to is None and old.kind == "statement" and not here:
        begin = wrong.turn.said_at  # what it told of began with its telling
    spans = (mending.span, *old.spans)
    yield replace(
        old, object=mending.new, text=old.text.replace(old.object, mending.new), spans=spans, event_from=begin
    )
    if not here:
        denied = replace(old, negated=True, spans=spans, event_from=begin)
        yield replace(denied, text=sentence_of(denied))


def taken_back(span: Span, said: Sequence[Said], previous: int | None) -> Iterator[Statement]:
    """The denial of all that the person's last turn, the record ``previous``, stated; of what it denied, that it is so.

    ``span`` are the words that take it back.
    """
    for each in said:
        old = each.statement
        if each.turn.record_no != previous:
            continue
        begin = old.event_from
        if begin is None and old.event_to is None and old.kind == "statement":
            begin = each.turn.said_at
        turned = replace(old, negated=not old.negated, spans=(span, *old.spans), event_from=begin)
        yield turned if old.ends else replace(turned, text=sentence_of(turned))


def _misspelt(new: str, last: Sequence[Said]) -> Said | None:
    """The statement whose value is spelt most like the new one, where no other word of its turn is more so."""
    if not last:
        return None
    alike = sorted(last, key=lambda each: _likeness(new, each.statement.object), reverse=True)
    best = _likeness(new, alike[0].statement.object)
    words = [word for word in _PARTS.findall(last[0].turn.text) if word not in alike[0].statement.object]
    if best < _ALIKE or any(_likeness(new, word) >= best for word in words):
        return None
    return None if len(alike) > 1 and _likeness(new, alike[1].statement.object) >= best else alike[0]


def _likeness(one: str, other: str) -> float:
    """How alike two names are spelt, between 0 and 1; 1 where one opens or closes the other as whole words."""
    one, other = one.casefold(), other.casefold()
    if one == other:
        return 0.0
    if f" {one} ".find(f" {other} ") >= 0 or f" {other} ".find(f" {one} ") >= 0:
        return 1.0
    return SequenceMatcher(None, one, other, autojunk=False).ratio()


def _form(value: str) -> tuple[bool, bool]:
    """Whether a value is written as a name is, and whether with a capital at all."""
    return name_at(value, 0) == (0, len(value)), value[0].isupper()
