"""Headers of mail, decoded by us: each in one pass over at most so many characters, whatever it is made of."""

import base64
import binascii
import codecs
import quopri
import re
from datetime import UTC, datetime
from email.message import Message as Mail
from email.utils import parsedate_to_datetime

MAX_HEADER = 8_192
"""Characters of a header that are looked at."""
_WORD = re.compile(r"=\?([A-Za-z0-9._:+-]{1,40})(?:\*[A-Za-z-]{0,20})?\?([bBqQ])\?([^?\s]{0,2000})\?=")
_IDENTIFIER = re.compile(r"<([^<>\s]{1,998})>")
_ADDRESS = re.compile(r"<([^<>]{0,320})>")
_FOLD = re.compile(r"[\r\n\t ]+")
_COMMENT = re.compile(r"\(([^()]{0,200})\)")


def header(mail: Mail, name: str) -> str:
    """A header as text, its encoded words decoded, its folds as spaces; empty where there is none."""
    raw = mail.get(name)
    return "" if raw is None else decoded(str(raw))


def decoded(raw: str) -> str:
    """A header's value as text: encoded words (RFC 2047) decoded, those next to each other joined."""
    raw = _FOLD.sub(" ", as_text(raw[:MAX_HEADER]))
    shown: list[str] = []
    waiting, charset, at = b"", "", 0
    for word in _WORD.finditer(raw):
        between = raw[at : word.start()]
        if waiting and (between.strip() or word[1].lower() != charset):
            shown.append(to_text(waiting, charset))
            waiting = b""
        if between.strip() or not at:
            shown.append(between)
        waiting, charset, at = waiting + _bytes(word[2], word[3]), word[1].lower(), word.end()
    if waiting:
        shown.append(to_text(waiting, charset))
    return "".join([*shown, raw[at:]]).strip()


def to_text(data: bytes, charset: str | None) -> str:
    """Bytes as text of a charset; of one that nobody knows as UTF-8, or where they are none as Latin 1."""
    try:
        known = codecs.lookup(charset or "utf-8")
        if known._is_text_encoding:  # not base64, zip and such, that Python calls codecs too
            return str(data, known.name, "replace")
    except (LookupError, ValueError):
        pass
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def as_text(raw: str) -> str:
    """A header whose bytes were no ASCII, which the parser keeps as surrogates, as text."""
    if raw.isascii():
        return raw
    return to_text(raw.encode("utf-8", "surrogateescape"), "utf-8") if _surrogates(raw) else raw


def person(value: str) -> str | None:
    """Who an address is of: the name before it, else in a comment behind it, else the address."""
    first = value[:MAX_HEADER].split(">", 1)[0] + (">" if ">" in value[:MAX_HEADER] else "")
    address = _ADDRESS.search(first)
    name = (first[: address.start()] if address else "").strip().strip('"').replace('\\"', '"').strip()
    if name:
        return name
    if address is None and (comment := _COMMENT.search(first)) and comment[1].strip():
        return comment[1].strip()
    return (address[1] if address else first.split(",")[0]).strip() or None


def address(value: str) -> str | None:
    """The first address in a header, where it stands in angle brackets."""
    found = _ADDRESS.search(value[:MAX_HEADER])
    return found[1].strip() or None if found else None


def identifiers(value: str) -> list[str]:
    """The message ids in a header, in order."""
    return _IDENTIFIER.findall(_FOLD.sub(" ", value[: 4 * MAX_HEADER]))


def sent_at(value: str) -> tuple[datetime | None, datetime | None]:
    """A date with its zone, or one without: the other is None, as both are where it is no date."""
    try:
        at = parsedate_to_datetime(value[:128].strip())
    except (TypeError, ValueError, IndexError, OverflowError):
        return None, None
    if at.tzinfo is not None:
        return at, None
    return (at.replace(tzinfo=UTC), None) if value.strip().endswith("-0000") else (None, at)


def _surrogates(raw: str) -> bool:
    return any("\udc80" <= character <= "\udcff" for character in raw)


def _bytes(encoding: str, text: str) -> bytes:
    data = text.encode("ascii", "replace")
    if encoding in "qQ":
        return quopri.decodestring(data.replace(b"_", b" "), header=False)
    try:
        return base64.b64decode(data + b"=" * (-len(data) % 4))
    except (binascii.Error, ValueError):
        return data
