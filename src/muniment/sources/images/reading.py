"""Optical character recognition by tesseract, where the system has it."""

import shutil
import subprocess
from typing import Final

Box = tuple[int, int, int, int]

_SECONDS: Final = 100.0
_PARAGRAPH, _LINE = 3, 4  # columns of its table
_LEFT, _TOP, _WIDTH, _HEIGHT, _SURE, _TEXT = 6, 7, 8, 9, 10, 11
_LEAST_SURE: Final = 30.0


class Unreadable(Exception):
    """Why nothing could be read, as a sentence."""


def visible_text(png: bytes) -> list[tuple[Box, str]]:
    """The paragraphs that are read on an image, each with its box in pixels: left, top, right, bottom.

    About a second a page, in one thread. Raises ``Unreadable``.
    """
    command = shutil.which("tesseract")
    if command is None:
        raise Unreadable("the system has no tesseract.")
    try:
        done = subprocess.run(
            [command, "stdin", "stdout", "tsv"], input=png, capture_output=True, timeout=_SECONDS,
            env={"OMP_THREAD_LIMIT": "1", "PATH": "/usr/bin:/bin"},
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        raise Unreadable("tesseract did not end in time, or could not be run.") from None
    if done.returncode != 0:
        raise Unreadable("tesseract could not read it.")
    return _paragraphs(done.stdout.decode("utf-8", "replace"))


def _paragraphs(table: str) -> list[tuple[Box, str]]:
    found: dict[tuple[str, ...], list[list[str]]] = {}
    for row in table.splitlines()[1:]:
        columns = row.split("\t")
        if len(columns) == _TEXT + 1 and columns[_TEXT].strip() and _sure(columns[_SURE]):
            found.setdefault(tuple(columns[1 : _PARAGRAPH + 1]), []).append(columns)
    return [(_around(words), _text(words)) for words in found.values()]


def _sure(told: str) -> bool:
    try:
        return float(told) >= _LEAST_SURE
    except ValueError:
        return False


def _around(words: list[list[str]]) -> Box:
    left = [(int(word[_LEFT]), int(word[_TOP]), int(word[_WIDTH]), int(word[_HEIGHT])) for word in words]
    return (
        min(x for x, _, _, _ in left), min(y for _, y, _, _ in left),
        max(x + width for x, _, width, _ in left), max(y + height for _, y, _, height in left),
    )  # fmt: skip


def _text(words: list[list[str]]) -> str:
    lines: dict[str, list[str]] = {}
    for word in words:
        lines.setdefault(word[_LINE], []).append(word[_TEXT].strip())
    return "\n".join(" ".join(line) for line in lines.values())
