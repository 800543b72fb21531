"""Exports in JSON: what those of all products have in common, and reaching into them by JSON pointer (RFC 6901)."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from muniment.errors import MunimentError
from muniment.sources.charset import decode_text
from muniment.sources.conversations.turns import Found, Talk, Turn, conversations, piece_of
from muniment.sources.decode import require_words
from muniment.sources.parsed import Origin, Parsed, Part

_HEAD = 65_536
Path = tuple[str | int, ...]
"""The names and numbers that lead to a value."""


@dataclass(frozen=True, slots=True)
class Told:
    """A conversation as an export tells it: its key, its title and its messages, each with the path that leads to it.

    ``elsewhere`` counts the messages of branches that are not the one that counts, ``left_out`` by their kinds what
    else is no turn; ``parts`` are the sources that the conversation as a whole brought.
    """

    key: str
    title: str | None
    messages: Iterable[tuple[Path, Mapping[str, Any]]]
    elsewhere: int = 0
    left_out: Mapping[str, int] = field(default_factory=dict)
    parts: Sequence[Part] = ()


def _no_parts(message: Mapping[str, Any], pointer: str) -> Iterable[Part]:
    return ()


def _nothing(message: Mapping[str, Any]) -> Iterable[str]:
    return ()


@dataclass(frozen=True, slots=True)
class JsonExport:
    """How the export of one product is read.

    ``told`` gives its conversations, ``text`` what a message says, ``turn`` a message with its text and place as a
    turn, or None for one that nobody is to see, ``parts`` what is attached to it and has text; ``beside`` what else
    stands in it and is no text, once for each.
    """

    product: str
    told: Callable[[Any, Origin], Iterable[Told]]
    text: Callable[[Mapping[str, Any]], str]
    turn: Callable[[Mapping[str, Any], str, dict[str, Any]], Turn | None]
    parts: Callable[[Mapping[str, Any], str], Iterable[Part]] = _no_parts
    beside: Callable[[Mapping[str, Any]], Iterable[str]] = _nothing

    def read(self, data: bytes, origin: Origin) -> Parsed:
        """A turn each message, conversation by conversation; what is left out is counted in notes.

        Raises ``source.format_unsupported`` for other JSON, ``input.json_invalid`` and ``input.empty_text``.
        """
        export, notes = load_json(data)
        found = Found(notes=notes)
        silent = elsewhere = 0
        left_out: Counter[str] = Counter()
        for told in self.told(export, origin):
            talk = Talk(f"{self.product.lower()}:{told.key}", told.title)
            elsewhere += told.elsewhere
            left_out.update(told.left_out)
            found.parts += told.parts
            for path, message in told.messages:
                pointer = pointer_to(*path)
                found.parts += self.parts(message, pointer)
                left_out.update(self.beside(message))
                text = self.text(message)
                turn = self.turn(message, text, {"pointer": pointer}) if text.strip() else None
                silent += not text.strip()
                talk.turns += [] if turn is None else [turn]
            found.talks.append(talk)
        if not found.talks:
            raise not_this(self.product)
        if silent:
            found.notes.append(f"{silent} messages without text are left out.")
        if elsewhere:
            found.notes.append(
                f"{elsewhere} messages stand in branches that do not lead to the last, and are left out."
            )
        found.notes += [f"{count} {what} are left out." for what, count in sorted(left_out.items()) if count]
        return conversations(found, origin)

    def locate(self, data: bytes, locator: Mapping[str, Any]) -> str:
        """The text of the message that a locator points at. Raises ``source.unreadable`` where nothing is there."""
        try:
            message = object_of(at_pointer(load_json(data)[0], locator["pointer"]))
        except (KeyError, IndexError, TypeError, ValueError):
            raise MunimentError("source.unreadable", "The locator leads to nothing in the source.") from None
        return piece_of(self.text(message), locator)


def load_json(data: bytes) -> tuple[Any, list[str]]:
    """The value of a JSON text, and notes on its encoding. Of a name that an object has twice the last counts; numbers
    that are none become null.

    Raises ``input.json_invalid`` (facts ``line``, ``column`` where they are known) and what ``decode_text`` raises.
    """
    text, notes = decode_text(data)
    require_words(text)
    try:
        return json.loads(text, parse_constant=lambda _: None), notes
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


def numbered(value: Any, path: Path) -> Iterable[tuple[Path, dict[str, Any]]]:
    """The objects of a list, each with its path; none where the value is no list."""
    return (((*path, number), object_of(each)) for number, each in enumerate(list_of(value)))


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


def names_in(value: Any, key: str) -> list[str]:
    """What the objects of a list have under a key, where that is a name."""
    return [name for each in list_of(value) if (name := name_of(object_of(each).get(key)))]


def about(**known: str | None) -> dict[str, str | int | float | bool]:
    """The metadata of a turn: what is known of it."""
    return {name: value for name, value in known.items() if value}


def head_of(data: bytes) -> bytes:
    """The beginning of the bytes without a byte order mark or white space, for telling what they are."""
    return data[:_HEAD].removeprefix(b"\xef\xbb\xbf").lstrip()


def not_this(what: str) -> MunimentError:
    """The error for JSON that is no such export."""
    return MunimentError("source.format_unsupported", f"This JSON is no export of {what}.")
