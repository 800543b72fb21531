"""Cursors of lists: opaque to the caller, a place in an order of numbers inside."""

import base64
import binascii

from muniment.errors import MunimentError


def write_cursor(place: int) -> str:
    """The cursor of the page after this place."""
    return base64.urlsafe_b64encode(f"1:{place}".encode()).decode().rstrip("=")


def read_cursor(cursor: str | None, *, default: int) -> int:
    """The place in the cursor, ``default`` without one; raises ``input.invalid`` for what is none of ours."""
    if cursor is None:
        return default
    try:
        version, _, place = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode("ascii").partition(":")
        number = int(place)
    except (binascii.Error, ValueError):
        version, number = "", 0
    if version != "1" or not 0 <= number < 2**63:
        raise MunimentError("input.invalid", "the cursor is none that a list gave", field="cursor")
    return number
