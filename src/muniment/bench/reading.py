"""Reading the files of a benchmark: what is wrong with one is said in words, with the file and the line."""

import gzip
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

from pydantic import ValidationError

from muniment.errors import MunimentError
from muniment.model.refusals import refusals
from muniment.model.source import IngestionRun

Value = TypeVar("Value")
_CODE: Final = "bench.data_invalid"
_MOST_NAMED: Final = 10
_KINDS: Final[Mapping[type, str]] = {
    str: "a text", int: "a whole number", float: "a number", bool: "true or false", list: "a list", dict: "an object",
}  # fmt: skip


def unusable(place: str, problem: str, **facts: Any) -> MunimentError:
    """The error ``bench.data_invalid``: where, and what is wrong there."""
    return MunimentError(_CODE, f"{place}: {problem}", **facts)


def in_words(error: Exception) -> str:
    """What went wrong while a file was read or its values were taken, for people."""
    match error:
        case FileNotFoundError():
            return "there is no such file"
        case gzip.BadGzipFile() | EOFError():
            return "the gzip data are damaged"
        case OSError():
            return f"it cannot be read: {(error.strerror or 'unknown').lower()}"
        case json.JSONDecodeError():
            line = f"line {error.lineno}, " if error.lineno > 1 else ""
            return f"it is not JSON at {line}column {error.colno}: {error.msg}"
        case UnicodeDecodeError():
            return f"it is not UTF-8 at byte {error.start}"
        case KeyError():
            return f'it lacks "{error.args[0]}"'
        case TypeError() | AttributeError() | IndexError():
            return "a value is of another kind than it must be"
        case _:
            return str(error)


@contextmanager
def reading(place: str) -> Iterator[None]:
    """Says where and in words what the block could not read; raises ``bench.data_invalid``."""
    try:
        yield
    except (OSError, EOFError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise unusable(place, in_words(error)) from error


def read_lines(path: Path, called: str | None = None) -> list[tuple[str, dict[str, Any]]]:
    """The objects of a JSON-lines file, gzipped or not, each behind its place; raises ``bench.data_invalid``.

    ``called`` is what the file is called in places, its name where that is left out.
    """
    called = called or path.name
    with reading(called):
        data = path.read_bytes()
        text = (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode()
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        place = f"{called}, line {number}"
        with reading(place):
            value = json.loads(line)
        if not isinstance(value, dict):
            raise unusable(place, "it is no JSON object", line=number)
        found.append((place, value))
    return found


def taken(place: str, item: Mapping[str, Any], name: str, kind: type[Value]) -> Value:
    """The member of an object; raises ``bench.data_invalid`` where it is not there or of another kind."""
    if name not in item:
        raise unusable(place, f'it lacks "{name}"', missing=name)
    value = item[name]
    if not isinstance(value, kind):
        raise unusable(place, f'"{name}" must be {_KINDS[kind]}')
    return value


def taken_question(place: str, item: Mapping[str, Any], name: str = "question") -> str:
    """The text of a question; raises ``bench.data_invalid`` also for one without a word, which cannot be asked."""
    text = taken(place, item, name, str)
    if not text.strip():
        raise unusable(place, f'"{name}" is empty')
    return text


def taken_qid(place: str, item: Mapping[str, Any]) -> str:
    """The id of a question, a text or a whole number; raises ``bench.data_invalid``."""
    return str(item["qid"]) if type(item.get("qid")) is int else taken(place, item, "qid", str)


def taken_ids(place: str, item: Mapping[str, Any], name: str, known: Iterable[str]) -> frozenset[str]:
    """The member as ids that are all among the known ones; raises ``bench.data_invalid``."""
    ids = taken(place, item, name, list)
    if not all(isinstance(each, str) for each in ids):
        raise unusable(place, f'"{name}" must be a list of ids, which are texts')
    known = known if isinstance(known, Mapping | set | frozenset) else set(known)
    unknown = sorted({each for each in ids if each not in known})
    if unknown:
        more = f" and {len(unknown) - _MOST_NAMED} more" if len(unknown) > _MOST_NAMED else ""
        named = ", ".join(f'"{each}"' for each in unknown[:_MOST_NAMED])
        raise unusable(
            place, f'"{name}" names what the corpus does not hold: {named}{more}', unknown=unknown[:_MOST_NAMED]
        )
    return frozenset(ids)


def fitting(place: str, make: Callable[[], Value]) -> Value:
    """What the store takes in, made of a file's values; raises ``bench.data_invalid`` where it takes no such ones."""
    try:
        return make()
    except ValidationError as error:
        raise unusable(place, str(refusals(error)[0])) from None


@contextmanager
def storing(place: str) -> Iterator[None]:
    """Says where what the store does not take stands in the data; raises ``bench.data_invalid``."""
    try:
        yield
    except MunimentError as error:
        if not error.code.startswith("input."):
            raise
        raise unusable(place, f"it was not stored: {error.detail}", because=error.code) from error


def stored(place: str, run: IngestionRun, names: Sequence[str] = ()) -> None:
    """Raises ``bench.data_invalid`` where not all was stored; ``names`` are those of the run's items."""
    for item in run.items:
        if item.error is not None:
            name = f' "{names[item.index]}"' if item.index < len(names) else ""
            raise unusable(f"{place}{name}", f"it was not stored: {item.error.detail}", because=item.error.code)


class Unique:
    """Sees to it that a name is given once in a file."""

    def __init__(self, noun: str) -> None:
        self._noun = noun
        self._places: dict[str, str] = {}

    def take(self, place: str, name: str) -> str:
        """The name; raises ``bench.data_invalid`` where another place has it already."""
        before = self._places.setdefault(name, place)
        if before is not place:
            raise unusable(place, f'the {self._noun} "{name}" is given twice, first in {before}', duplicate=name)
        return name
