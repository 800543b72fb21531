"""Text out of documents, made storable."""

import re

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_SPACES = re.compile(r"\s+")


def storable(text: str) -> str:
    """The text without what PostgreSQL cannot store (NUL, halves of surrogate pairs), stripped."""
    return _UNSTORABLE.sub("", text).strip()


def fold(text: str) -> str:
    """The text on one line, white space as single spaces, without what cannot be stored."""
    return _SPACES.sub(" ", _UNSTORABLE.sub("", text)).strip()
