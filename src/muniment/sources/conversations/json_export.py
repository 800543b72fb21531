"""Exports in JSON: read as a whole, and reached into by JSON pointer (RFC 6901)."""

import json
from collections.abc import Mapping
from typing import Any

from muniment.errors import MunimentError
from muniment.sources.decode import decode, require_words

_HEAD = 65_536


def load_json(data: bytes) -> Any:
    """The value of a JSON text; of a name that an object has twice the last counts. Numbers that are none become null.

    Raises ``input.json_invalid`` (facts ``line``, ``column`` where they are known) and what ``decode`` raises.
    """
    text = decode(data)
    require_words(text)
    try:
        return json.loads(text, parse_constant=lambda _: None)
    except json.JSONDecodeError as error:
        detail = f"Line {error.lineno}, column {error.colno}: {error.msg}."
        raise MunimentError("input.json_invalid", detail, line=error.lineno, column=error.colno) from None
    except RecursionError:
        raise MunimentError("input.json_invalid", "The JSON is nested too deep.") from None
    except ValueError:  # an integer of thousands of digits
        raise MunimentError("input.json_invalid", "The JSON has a number that is too long.") from None


def at_pointer(value: Any, pointer: str) -> Any:
    """What stands at a pointer. Raises ``KeyError``, ``IndexError`` or ``TypeError`` where nothing does."""
    for part in pointer.split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        value = value[int(name)] if isinstance(value, list) else value[name]
    return value


def pointer_to(*parts: str | int) -> str:
    """The pointer that leads through these names and numbers."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)


def text_of(value: Any) -> str:
    """A string, or an empty one for anything else."""
    return value if isinstance(value, str) else ""


def object_of(value: Any) -> dict[str, Any]:
    """An object, or an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def list_of(value: Any) -> list[Any]:
    """A list, or an empty one for anything else."""
    return value if isinstance(value, list) else []


def name_of(value: Any) -> str | None:
    """A string that is not blank, or a whole number as one; None for anything else."""
    if isinstance(value, str):
        return value if value.strip() else None
    return str(value) if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**20 else None


def head_of(data: bytes) -> bytes:
    """The beginning of the bytes without a byte order mark or white space, for telling what they are."""
    return data[:_HEAD].removeprefix(b"\xef\xbb\xbf").lstrip()


def not_this(what: str) -> MunimentError:
    """The error for JSON that is no such export."""
    return MunimentError("source.format_unsupported", f"This JSON is no export of {what}.")


def pointed(data: bytes, locator: Mapping[str, Any]) -> Any:
    """What a locator points at in the bytes. Raises ``source.unreadable`` where nothing is there."""
    try:
        return at_pointer(load_json(data), locator["pointer"])
    except (KeyError, IndexError, TypeError, ValueError):
        raise MunimentError("source.unreadable", "The locator leads to nothing in the source.") from None
