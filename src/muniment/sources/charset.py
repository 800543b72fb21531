"""Bytes to text whatever their encoding is: a mark, UTF-8, what the file declares, then a guess, which is said."""

import codecs
import re
from collections.abc import Mapping
from typing import Any, Final

from muniment.errors import MunimentError
from muniment.sources.decode import decode, mark_of, reject_nul

_SAMPLE: Final = 64 * 1024
_SURE: Final = 0.1  # of a guess; below it what is no UTF-8 most likely is what Western Windows writes
_FEW: Final = 8  # characters that fit for each that does not: then the text is of the encoding, and is damaged
_MORE: Final = 2  # characters in UTF-8 for each byte that is not: fewer are in no other text of more than a word
_HIGH: Final = re.compile(rb"[\x80-\xff]")
_LEADS: Final = bytes(range(0xC0, 0x100))
_REPLACED: Final = "\ufffd"
# What calls itself by the first nearly always is the second, which has more characters; browsers read them so too.
_MEANT: Final = {
    "iso8859-1": "cp1252", "ascii": "cp1252", "latin_1": "cp1252", "iso8859-9": "cp1254", "tis_620": "cp874",
    "iso8859-11": "cp874", "shift_jis": "cp932", "gb2312": "gb18030", "gbk": "gb18030", "euc_kr": "cp949",
}  # fmt: skip


def decode_text(data: bytes, declared: str | None = None) -> tuple[str, list[str]]:
    """The text of ``data``, and notes where it is neither marked nor UTF-8, or some of its bytes are damaged.

    In turn: the byte order mark, UTF-8, strictly the encoding ``declared`` by the file (an unknown name is as good as
    none), and what 64 KiB from the first line look like that is not ASCII. Where a few bytes do not belong to the
    encoding, each stands as U+FFFD, and a note counts them. The same bytes always give the same text.

    Raises ``input.nul_byte``, and ``input.encoding_invalid`` where too much of it fits no encoding.
    """
    try:
        return decode(data), []
    except MunimentError as error:
        if error.code != "input.encoding_invalid":
            raise
        invalid = error
    mark, encoding = mark_of(data)
    if mark or _mostly_utf8(data):
        return _replaced(data[len(mark) :], encoding, len(mark), [], invalid)
    known = _codec(declared)
    if known is not None:
        try:
            return _storable(data.decode(known)), [f"Read as {_shown(known)}, which it declares."]
        except UnicodeDecodeError:
            pass
    guess = _codec(_guess(data)) or "cp1252"
    return _replaced(data, guess, 0, [f"Read as {_shown(guess)}, which is a guess: it is no UTF-8."], invalid)


def locate_decoded(data: bytes, locator: Mapping[str, Any]) -> str:
    """The characters that a locator names by ``chars``, of a text that declares no encoding."""
    start, end = locator["chars"]
    return decode_text(data)[0][start:end]


def _replaced(
    data: bytes, encoding: str, before: int, notes: list[str], invalid: MunimentError
) -> tuple[str, list[str]]:
    """The text with U+FFFD for what is no text in its encoding, and a note of how much that is."""
    try:
        return _storable(data.decode(encoding)), notes
    except UnicodeDecodeError as error:
        first = error.start + before
    text = data.decode(encoding, "replace")
    bad = text.count(_REPLACED)
    if bad * _FEW > len(text):
        raise invalid
    note = f"Bytes that are no {_shown(encoding)} stand as U+FFFD, {bad} of these in all, the first for byte {first}."
    return _storable(text), [*notes, note]


def _storable(text: str) -> str:
    reject_nul(text)
    return text


def _mostly_utf8(data: bytes) -> bool:
    """Whether more of what is not ASCII is UTF-8 than is not: in other encodings next to nothing happens to be, and in
    those of two bytes a character less than a fifth."""
    text = data.decode("utf-8", "replace")
    bad = text.count(_REPLACED)
    encoded = text.encode()
    return len(encoded) - len(encoded.translate(None, _LEADS)) - bad >= _MORE * bad


def _codec(name: str | None) -> str | None:
    """Python's name of a text encoding, None for one that it does not know or that is no encoding of text."""
    try:
        found = codecs.lookup((name or "").strip())
    except (LookupError, ValueError):
        return None
    text_encoding = getattr(found, "_is_text_encoding", True)
    return _MEANT.get(found.name, found.name) if text_encoding else None


def _shown(codec: str) -> str:
    """The name by which people know an encoding."""
    number = codec.removeprefix("cp")
    return f"windows-{number}" if number.isdecimal() and number.startswith("125") else codec


def _guess(data: bytes) -> str | None:
    from chardet import detect  # only where it is needed: it takes a while to load

    high = _HIGH.search(data)
    start = 0 if high is None else data.rfind(b"\n", 0, high.start()) + 1
    if high is not None and high.start() - start > _SAMPLE // 2:  # a line without an end in sight
        start = high.start() - high.start() % 4
    found = detect(data[start : start + _SAMPLE])
    sure = found["encoding"] is not None and found["confidence"] >= _SURE
    return str(found["encoding"]) if sure else "cp1252"
