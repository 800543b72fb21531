"""What the commands print: tables for people, or JSON for programs; never both."""

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any, Final, TypeVar

from pydantic import BaseModel
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from muniment.errors import MunimentError

# Rich's own escape writes a backslash more where a text ends in one, and loses one before a bracket: what the markup
# would obey stands for itself as a character of private use, which no safe text has, until the markup has been read.
_HIDDEN: Final = str.maketrans({"[": "\ue000", "\\": "\ue001"})
_SHOWN: Final = str.maketrans({"\ue000": "[", "\ue001": "\\"})

_Found = TypeVar("_Found")


class TextConsole(Console):
    """A console that prints what ``safe`` has been through word for word, in markup and in the cells of tables."""

    def render_str(self, text: str, **options: Any) -> Text:
        """The text with its markup read, and what ``safe`` hid from it put back."""
        read = super().render_str(text, **options)
        read.plain = read.plain.translate(_SHOWN)
        return read


# what goes into a pipe or a file is not cut to the width of a terminal that is not there
console = TextConsole(highlight=False, emoji=False, soft_wrap=True, width=None if sys.stdout.isatty() else 240)
complaints = TextConsole(stderr=True, highlight=False, emoji=False, soft_wrap=True)


def print_json(value: BaseModel | Sequence[BaseModel] | dict[str, Any]) -> None:
    """One JSON document on standard output."""
    plain: Any
    if isinstance(value, BaseModel):
        plain = value.model_dump(mode="json")
    elif isinstance(value, dict):
        plain = value
    else:
        plain = [item.model_dump(mode="json") for item in value]
    sys.stdout.write(json.dumps(plain, ensure_ascii=False, indent=2, default=_plain) + "\n")


def _plain(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)


def print_error(error: MunimentError, *, as_json: bool) -> None:
    """An error on standard error: its code, its sentence and its facts."""
    if as_json:
        document = {"code": error.code, "title": error.kind.title, "detail": error.detail, "facts": error.facts}
        sys.stderr.write(json.dumps(document, ensure_ascii=False, default=str) + "\n")
        return
    complaints.print(f"[bold red]{error.code}[/]: {safe(error.detail)}")
    for name, value in error.facts.items():
        complaints.print(f"  {safe(name)}: {safe(value)}")


def table(*columns: str) -> Table:
    """An empty table with these columns; all cells must be escaped or safe."""
    made = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        made.add_column(column, overflow="fold")
    return made


def safe(value: object) -> str:
    """Text of others, with nothing in it that the terminal or the markup would obey; for a ``TextConsole`` alone."""
    shown = "".join(
        char if char.isprintable() or char in "\n\t" else "\N{REPLACEMENT CHARACTER}" for char in str(value)
    )
    return shown.translate(_HIDDEN)


def counted(number: int, noun: str) -> str:
    """``1 record``, ``2 records``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def first_of(found: list[_Found], limit: int) -> list[_Found]:
    """The first ``limit`` of what was found; where there is more, standard error says how to see it."""
    if len(found) > limit:
        complaints.print(f"[dim]the first {limit} of more: --limit shows them[/]")
    return found[:limit]


def place(locator: dict[str, Any]) -> str:
    """A locator in a few words, e.g. ``notes.md, lines 3-9, Setup > Linux``."""
    parts = [
        str(locator.get("filename") or locator.get("source_key") or locator.get("group_id") or locator.get("kind"))
    ]
    parts += [f"{name} {locator[name]}" for name in ("turn", "page", "slide", "figure") if name in locator]
    if "lines" in locator:
        first, last = locator["lines"]
        parts.append(f"line {first}" if first == last else f"lines {first}-{last}")
    if locator.get("heading"):
        parts.append(" > ".join(locator["heading"]))
    if locator.get("describes", "image") != "image":
        parts.append(f"{str(locator['describes']).replace('_', ' ')} in a model's words")
    return safe(", ".join(parts))


@contextmanager
def progress(description: str, total: int | None, *, quiet: bool) -> Iterator[Any]:
    """A progress bar on standard error, as a function that takes how many more are done; silent with ``quiet``."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=complaints, transient=True, disable=quiet) as bar:
        task = bar.add_task(description, total=total)

        def advance(done: int = 1, of: int | None = None) -> None:
            if of is not None:
                bar.update(task, total=of)
            bar.advance(task, done)

        yield advance
