"""Who takes part in the visible conversations, and which of them a question names."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

_WORD = re.compile(r"[^\W_]+")
_DATE_OPENERS = "in on of during since by until before after early late mid last next this every"
_ALSO_WORDS = """
will may might can mark bill rose hope faith grace joy art rich june april august dawn summer autumn sunny
jack frank drew chase grant max ray van
"""
_DAY = re.compile(r"\d{1,2}(?:st|nd|rd|th)?")
_BESIDE = frozenset({"and", "or", "s"})  # behind the first word: "Rose and Will, who has a dog?", "May's sister"
_BEHIND = frozenset({"has", "had", "is", "was", "said", "says", "told", "does", "did", "likes", "lives", "works"})
_ASKING = frozenset({"will", "may", "might", "can", "mark", "hope", "grant", "bill"})
_DATE_BEFORE = frozenset(_DATE_OPENERS.split())
ORDINARY_NAMES = frozenset(_ALSO_WORDS.split())
"""Names that are ordinary words too."""
_ROLES = frozenset({"user", "assistant", "system", "tool", "human", "bot", "agent", "ai"})
_LONGEST_STEM = 40  # characters
_FIRST_PERSON = frozenset({"i", "my", "me", "mine", "we", "our", "ours", "us"})


def speakers_named(question: str, speakers: Iterable[str]) -> dict[str, str]:
    """The speakers that the question names, each with the name as it stands there.

    A speaker is named by the whole name or by one part of it (``Caroline`` for ``Caroline Smith``), in any case;
    a part that is also an ordinary word (Will, May) only when it is capitalised, not part of a date, and, as the first
    word, when what follows shows that it is somebody. Roles such as ``user`` are nobody's names.
    """
    words = list(_WORD.finditer(question))
    said = {word.group().casefold() for word in words}
    found: dict[str, str] = {}
    for speaker in speakers:
        parts = _parts(speaker)
        if said.isdisjoint(parts) or " ".join(parts) in _ROLES:
            continue
        at = _whole_name_at(words, parts)
        if at is None:
            at = next(((i, i) for i in range(len(words)) if _names(words, i, parts)), None)
        if at is not None:
            found[speaker] = question[words[at[0]].start() : words[at[1]].end()]
    return found


@lru_cache(maxsize=16_384)
def _parts(speaker: str) -> tuple[str, ...]:
    return tuple(part.casefold() for part in _WORD.findall(speaker))


def _whole_name_at(words: Sequence[re.Match[str]], parts: tuple[str, ...]) -> tuple[int, int] | None:
    if len(parts) < 2:
        return None
    folded = tuple(word.group().casefold() for word in words)
    for first in range(len(folded) - len(parts) + 1):
        if folded[first : first + len(parts)] == parts:
            return first, first + len(parts) - 1
    return None


def _names(words: Sequence[re.Match[str]], index: int, parts: tuple[str, ...]) -> bool:
    word = words[index].group()
    folded = word.casefold()
    if folded not in parts or len(folded) < 2:
        return False
    if folded not in ORDINARY_NAMES:
        return True
    following = words[index + 1].group().casefold() if index + 1 < len(words) else ""
    if not word[0].isupper() or following.isdigit():
        return False
    if index == 0:
        return following in _BESIDE or (following in _BEHIND and folded not in _ASKING)
    before = words[index - 1].group().casefold()
    return before not in _DATE_BEFORE and _DAY.fullmatch(before) is None


def name_parts(named: Iterable[str]) -> frozenset[str]:
    """The words of names, case folded."""
    return frozenset(part.casefold() for name in named for part in _WORD.findall(name))


def of_name(term: str, parts: Iterable[str]) -> bool:
    """Whether a term is one of these parts of names, or may be the stem of one."""
    word = term.removeprefix("~")
    return any(part == word or (len(word) > 2 and part.startswith(word)) for part in parts)


def terms_of(words: Iterable[str]) -> frozenset[str]:
    """The terms that stand for these words, to look many up in: each, and behind ``~`` whatever may be its stem."""
    given = frozenset(words)
    stems = (f"~{word[:end]}" for word in given for end in (*range(3, min(len(word), _LONGEST_STEM)), len(word)))
    return given.union(stems)


def without_names(question: str, named: Iterable[str]) -> str:
    """The question to embed: without the names, their possessives, and the blanks they leave.

    Names pull the vector towards every turn that greets somebody. A question of nothing but names stays as it is.
    """
    text = question
    for name in sorted(set(named), key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?:['\u2019]s?)?(?!\w)", " ", text)
    text = re.sub(r"\s+", " ", text).strip()
    return text if _WORD.search(text) else question


def in_first_person(question: str) -> bool:
    """Whether the question says I, my, we or our."""
    return any(word.casefold() in _FIRST_PERSON for word in _WORD.findall(question))
