"""Telling packages apart by the names of their members, without opening them."""

_BEGINNING = b"PK\x03\x04"
_DIRECTORY = 256 * 1024


def has_member(data: bytes, name: bytes) -> bool:
    """Whether the bytes are a ZIP file near whose end, where the directory is, a member's name stands."""
    return data.startswith(_BEGINNING) and name in data[-_DIRECTORY:]
