"""What the HTML of a mail says that its plain text does not: both should say the same, and often do not."""

import re

from muniment.sources.conversations.mail_body import passages

_ADDRESS = re.compile(r"<?\b(?:https?|mailto|tel):[^\s<>\"]+>?|\[\d{1,3}\]", re.IGNORECASE)
_LONG = 200_000  # characters, in which looking for each line would take long
_NO_WORD = re.compile(r"[\W_]+")


def html_only(plain: str, marked: str) -> tuple[str, int]:
    """The lines of the text of HTML that the plain text does not say, of its sender's own words; and how many more
    there are among what it quotes.

    Compared are letters and numbers, without addresses of links and their numbers; with a long text line by line.
    """
    told = _words(plain)
    lines = {_words(line) for line in plain.split("\n")} if len(told) > _LONG else set()
    seen: set[str] = set()
    own: list[str] = []
    quoted = 0
    for passage in passages(marked):
        for line in marked[max(passage.opened, passage.span[0]) : passage.span[1]].split("\n"):
            words = _words(line)
            if not words or words in seen or (words in lines if len(told) > _LONG else words in told):
                continue
            seen.add(words)
            quoted += passage.quoted
            own += [] if passage.quoted else [line.strip()]
    return "\n".join(own), quoted


def _words(text: str) -> str:
    return _NO_WORD.sub("", _ADDRESS.sub("", text)).casefold()
