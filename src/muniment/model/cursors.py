"""Cursors of lists: opaque to the caller, a place in an order of numbers inside."""

import base64
import binascii

from muniment.errors import MunimentError

_VERSION = "1"
_NUMBERS = 2**63  # what the database counts to
_MOST = 2**128  # an identifier as a number


def write_cursor(*place: int) -> str:
    """The cursor of the page after this place: one number, or several where the order is by several."""
    told = ":".join(map(str, (_VERSION, *place)))
    return base64.urlsafe_b64encode(told.encode()).decode().rstrip("=")


def read_cursor(cursor: str | None, *, default: int) -> int:
    """The place in the cursor, ``default`` without one; raises ``input.invalid`` for what is none of ours."""
    (place,) = read_place(cursor, default)
    return place


def read_place(cursor: str | None, *default: int) -> tuple[int, ...]:
    """As ``read_cursor``, for as many numbers as ``default`` has; the last of several may be an identifier."""
    if cursor is None:
        return default
    try:
        told = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode("ascii").split(":")
        version, *place = told[0], *map(int, told[1:])
    except (binascii.Error, ValueError):
        version, place = "", []
    bounds = [_NUMBERS] * (len(default) - 1) + [_NUMBERS if len(default) == 1 else _MOST]
    if (
        version != _VERSION
        or len(place) != len(default)
        or not all(0 <= n < b for n, b in zip(place, bounds, strict=True))
    ):
        raise MunimentError("input.invalid", "the cursor is none that a list gave", field="cursor")
    return tuple(place)
