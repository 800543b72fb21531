"""Telling packages apart by the names of their members, without opening them."""

_BEGINNING = b"PK\x03\x04"
_DIRECTORY = 256 * 1024


def has_member(data: bytes, name: bytes) -> bool:
    """Whether the bytes are a ZIP file near whose end, where the directory is, a member's name stands."""
    return data.startswith(_BEGINNING) and name in data[-_DIRECTORY:]


def declares(data: bytes, kind: bytes) -> bool:
    """Whether the bytes are a package that names its type in its first member, ``mimetype``, not compressed."""
    return data.startswith(_BEGINNING) and data[30:38] == b"mimetype" and kind in data[38:200]
