"""What an English verb says of the time beside it: whether it lies ahead or behind."""

from typing import Final, Literal

from muniment.extraction.time.reader import Reader
from muniment.extraction.time.tense_words import (
    ADJECTIVES_AHEAD,
    AFTER_IS,
    BEFORE_IS,
    DETERMINERS,
    HELPERS_AHEAD,
    IMPERATIVES,
    IRREGULAR_PAST,
    KEPT_FROM,
    NOT_BEFORE_SETTING,
    NOT_PAST,
    NOUNS_AHEAD,
    PAST_HELPERS,
    PRESENT_BE,
    PRESENT_HAVE,
    SETTING,
    SETTING_SINGULAR,
    WISHES,
)

Tense = Literal["ahead", "back"]
_NEAR: Final = 4  # tokens
_PERSONS: Final = frozenset(["i", "we", "you", "they"])
_WITH_HAS: Final = frozenset(["been", "gone", "got", "done", "had", "become", "seen", "taken", "come"])
_COUNTED_AWAY: Final = frozenset(["ago", "back"])


def english_verb(reader: Reader, j: int, clause: tuple[int, int]) -> Tense | None:
    """What the word at j says as a verb of its clause, None where it says nothing of a time."""
    word = reader.word(j)
    if not word:
        return None
    if word in PAST_HELPERS or (word == "used" and reader.word(j + 1) == "to"):
        return "back"
    if word in HELPERS_AHEAD or word.endswith("'ll"):
        return "back" if reader.word(j + 1) == "have" and word in ("should", "might", "must") else "ahead"
    if word in ADJECTIVES_AHEAD and reader.word(j - 1) not in _PERSONS | {"he", "she", "it"}:
        return None if _governed(reader, j, clause) else "ahead"
    if word in WISHES or (word in ("would", "i'd", "we'd") and reader.word(j + 1) in ("like", "love", "prefer")):
        return None if _after(reader, j, clause, ("did", "didn't")) or reader.word(j - 1) in DETERMINERS else "ahead"
    if _is_past(reader, j):
        return _past(reader, j, clause)
    if _is(reader, j):
        return _present_be(reader, j, clause)
    if word in PRESENT_HAVE or word.endswith("'ve"):
        return _present_have(reader, j, clause)
    return _present(reader, j, clause)


def english_noun(reader: Reader, j: int) -> Tense | None:
    """What a word says of a time where no verb does: a deadline or an appointment is ahead."""
    return "ahead" if reader.word(j) in NOUNS_AHEAD else None


def _is_past(reader: Reader, j: int) -> bool:
    word = reader.word(j)
    if reader.capital(j) and j and not reader.mark(j - 1, ".!?;,:"):
        return False
    if word in IRREGULAR_PAST:
        return True
    return len(word) > 3 and word.endswith("ed") and word not in NOT_PAST


def _past(reader: Reader, j: int, clause: tuple[int, int]) -> Tense | None:
    """A past tense, or a participle, of which the verb before it decides."""
    if reader.word(j - 1) in DETERMINERS:
        return None
    if _own_text(reader, j - 1).endswith("'s") and reader.word(j) in _WITH_HAS:
        return "back"
    return None if _governed(reader, j, clause) else "back"


def _governed(reader: Reader, j: int, clause: tuple[int, int]) -> bool:
    """Whether a verb that says more stands closely before: is planned, will be held, will have finished, was due."""
    for k in range(j - 1, max(clause[0], j - _NEAR) - 1, -1):
        word = reader.word(k)
        if word in ("be", "get", "gets", "being", "was", "were", "had") or word in HELPERS_AHEAD or _is(reader, k):
            return True
        if word.endswith("'ll"):
            return True
        if word in PRESENT_HAVE or word.endswith("'ve") or word in _PERSONS or word in DETERMINERS:
            return word in PRESENT_HAVE and _after(reader, k, clause, ("will", "to"))
    return False


def _after(reader: Reader, j: int, clause: tuple[int, int], words: tuple[str, ...]) -> bool:
    return any(reader.word(k) in words for k in range(max(clause[0], j - _NEAR), j))


def _own_text(reader: Reader, j: int) -> str:
    """The word at j as it is written, with its 's."""
    if not reader.word(j):
        return ""
    token = reader.tokens[j]
    return reader.text[token.first : token.last].lower().replace("\u2019", "'")


def _is(reader: Reader, j: int) -> bool:
    word = reader.word(j)
    if word in PRESENT_BE:
        return True
    if not word or not _own_text(reader, j).endswith("'s") or word == "let":
        return False
    behind = reader.word(j + 1)
    return word in BEFORE_IS or behind in AFTER_IS or (behind.endswith("ing") and word in BEFORE_IS)


def _present_be(reader: Reader, j: int, clause: tuple[int, int]) -> Tense | None:
    """Is on, are flying; not "it's great to hear about the trip", nor "here is the photo from"."""
    between = [reader.word(k) for k in range(j + 1, clause[1])]
    if "about" in between:
        return None
    if "from" in between:
        at = between.index("from")
        if at and between[at - 1] in KEPT_FROM:
            return "back"
    return "ahead"


def _present_have(reader: Reader, j: int, clause: tuple[int, int]) -> Tense | None:
    """A perfect is behind; "I have an exam", "we have to leave" are ahead."""
    for k in range(j + 1, min(clause[1], j + _NEAR)):
        if reader.word(k) in DETERMINERS or reader.word(k) in ("to", "no"):
            break
        if _is_past(reader, k) or reader.word(k) in ("had", "come", "read", "put", "set", "run"):
            return "back"
    return "back" if _after(reader, j, clause, ("did", "didn't")) else "ahead"


def _present(reader: Reader, j: int, clause: tuple[int, int]) -> Tense | None:
    """Opens, we leave, let's, please, see you, submit it."""
    word, before = reader.word(j), reader.word(j - 1) if j > clause[0] else ""
    if word == "please" or _own_text(reader, j) == "let's":
        return "ahead"
    if word in SETTING_SINGULAR and before and before not in NOT_BEFORE_SETTING - {"this", "that", "her"}:
        return None if _after(reader, j, clause, ("did", "didn't")) else "ahead"
    if word in IMPERATIVES and (j == clause[0] or before in ("please", "don't")):
        return "ahead" if word != "see" or reader.word(j + 1) in ("you", "u", "ya", "them") else None
    plural = before in _PERSONS or (before.endswith("s") and before not in NOT_BEFORE_SETTING)
    if word in SETTING and plural and not _after(reader, j, clause, ("did", "didn't", "to")):
        return "ahead"
    return None
