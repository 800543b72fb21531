"""What the HTML of a mail says that its plain text does not: both should say the same, and often do not."""

import re

from muniment.sources.conversations.mail_body import passages

_ADDRESS = re.compile(r"<?\b(?:https?|mailto|tel):[^\s<>\"]+>?|\[\d{1,3}\]", re.IGNORECASE)
_BASE = 10_000_000  # characters that are searched for the lines of any mail,
_EACH = 100  # and for each that the HTML has: in all it takes a time that is linear in the mail
_NO_WORD = re.compile(r"[\W_]+")


def html_only(plain: str, marked: str) -> tuple[str, int]:
    """The lines of the text of HTML that the plain text does not say, of its sender's own words; and how many more
    there are among what it quotes.

    Compared are letters and numbers, without addresses of links and their numbers; wherever they stand, but in mails
    where that would take long at last line by line.
    """
    told = _Told(plain, _BASE + _EACH * len(marked))
    seen: set[str] = set()
    own: list[str] = []
    quoted = 0
    for passage in passages(marked):
        for line in marked[max(passage.opened, passage.span[0]) : passage.span[1]].split("\n"):
            words = _words(line)
            if not words or words in seen:
                continue
            seen.add(words)
            if words not in told:
                quoted += passage.quoted
                own += [] if passage.quoted else [line.strip()]
    return "\n".join(own), quoted


class _Told:
    """What a plain text says, to look for lines in; those that stand in the order of the text are found at once."""

    def __init__(self, plain: str, most: int) -> None:
        self._lines = {_words(line) for line in plain.split("\n")}
        self._words = _words(plain)
        self._at = 0
        self._left = most

    def __contains__(self, words: str) -> bool:
        if words in self._lines:
            return True
        for start, end in ((self._at, len(self._words)), (0, self._at + len(words) - 1)):
            if self._left <= 0:
                return False
            found = self._words.find(words, start, end)
            self._left -= max(0, (end if found < 0 else found) - start)
            if found >= 0:
                self._at = found + len(words)
                return True
        return False


def _words(text: str) -> str:
    return _NO_WORD.sub("", _ADDRESS.sub("", text)).casefold()
