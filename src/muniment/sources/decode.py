"""Bytes to text. Nothing is normalised: an offset into the text is an offset into what the author wrote."""

import codecs

from muniment.errors import MunimentError

# UTF-32 little-endian begins with the mark of UTF-16 little-endian, so it is looked for first.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

_HEAD = 8192
_CONTROLS = bytes(byte for byte in range(32) if byte not in b"\t\n\v\f\r\x1b") + b"\x7f"
_NO_CONTROLS = bytes(byte for byte in range(256) if byte not in _CONTROLS)


def decode(data: bytes) -> str:
    """The text of ``data``: in the encoding of its byte order mark, which is dropped, else strictly UTF-8.

    Line ends stay as they are. Raises ``input.encoding_invalid`` (fact ``byte``: the offset in ``data`` of the first
    bad byte) and ``input.nul_byte`` (fact ``character``: its offset in the text).
    """
    mark, encoding = mark_of(data)
    try:
        text = str(memoryview(data)[len(mark) :], encoding)
    except UnicodeDecodeError as error:
        byte = error.start + len(mark)
        raise MunimentError(
            "input.encoding_invalid", f"Byte {byte} does not belong to {encoding.upper()} text.", byte=byte
        ) from None
    reject_nul(text)
    return text


def decode_head(head: bytes) -> str:
    """The text that bytes begin with, in the encoding of their mark or UTF-8; what is cut or wrong is left out."""
    mark, encoding = mark_of(head)
    return head[len(mark) :].decode(encoding, "ignore")


def mark_of(data: bytes) -> tuple[bytes, str]:
    """The byte order mark that bytes begin with, and its encoding; without one nothing, and UTF-8."""
    return next(((mark, encoding) for mark, encoding in _MARKS if data.startswith(mark)), (b"", "utf-8"))


def has_mark(data: bytes) -> bool:
    """Whether the bytes begin with a byte order mark, and so may be text in spite of the zero bytes in it."""
    return mark_of(data)[0] != b""


def reject_nul(text: str, **facts: object) -> None:
    """Raises ``input.nul_byte`` where the text holds U+0000, which PostgreSQL cannot store."""
    character = text.find("\0")
    if character >= 0:
        raise MunimentError("input.nul_byte", f"Character {character} is NUL.", character=character, **facts)


def require_words(text: str, **facts: object) -> None:
    """Raises ``input.empty_text`` where the text is nothing or white space."""
    if not text or text.isspace():
        raise MunimentError("input.empty_text", "There is no text in it.", **facts)


def looks_like_text(data: bytes) -> bool:
    """Whether the first bytes can be text: they have a byte order mark, or no NUL and few other control characters."""
    head = data[:_HEAD]
    if has_mark(head):
        return True
    return b"\0" not in head and len(head.translate(None, _NO_CONTROLS)) <= len(head) // 100
