"""Finding the files under a path that can be ingested."""

import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import ValidationError

from muniment.errors import MunimentError
from muniment.model.source import SourceInput
from muniment.sources.decode import has_mark
from muniment.sources.registry import extension, find_format

_PROBE_BYTES = 8192
_PROBE_BYTES_EXACT = 1024 * 1024


@dataclass(frozen=True, slots=True)
class SkippedFile:
    """A file or directory that was passed over, by its path below the one that was named, and why."""

    path: str
    reason: str


@dataclass(slots=True)
class CollectedFiles:
    """What was found, both in the order of the paths."""

    sources: list[SourceInput] = field(default_factory=list)
    skipped: list[SkippedFile] = field(default_factory=list)


Ignored = Callable[[str], bool]
"""Whether a path below the directory is left out; that of a directory ends in ``/``."""


def collect_files(path: Path, ignored: Ignored = lambda _: False) -> CollectedFiles:
    """The sources under ``path``: the file itself, or each readable file below the directory.

    The ``source_key`` is the path below the directory, with ``/`` everywhere; of a file named itself, its name.
    Below a directory, what is ``ignored``, hidden, a symbolic link, no regular file, empty, binary or of a format
    without a reader is skipped and said so. Links are not followed: they may lead round in circles or out of the
    directory.
    A file that was named itself is taken as it is. Raises ``source.unreadable`` where there is nothing at ``path``.
    """
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from None
    found = CollectedFiles()
    if not stat.S_ISDIR(mode):
        _add(found, path, path.name)
        return found
    try:
        entries = _sorted(path)
    except OSError as error:
        raise _unreadable(path, error) from None
    for key, entry in _walk(entries, "", found, ignored):
        reason = _objection(entry)
        if reason is None:
            _add(found, Path(entry.path), key)
        else:
            found.skipped.append(SkippedFile(key, reason))
    return found


def _walk(
    entries: list[os.DirEntry[str]], prefix: str, found: CollectedFiles, ignored: Ignored
) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Every entry that is no directory, depth first and sorted, without recursion: trees can be deep."""
    stack = [(prefix, iter(entries))]
    while stack:
        prefix, siblings = stack[-1]
        entry = next(siblings, None)
        if entry is None:
            stack.pop()
            continue
        key = prefix + entry.name
        if entry.name.startswith("."):
            found.skipped.append(SkippedFile(key, "hidden"))
        elif ignored(key + "/" if entry.is_dir(follow_symlinks=False) else key):
            found.skipped.append(SkippedFile(key, "ignored by .gitignore"))
        elif not entry.is_dir(follow_symlinks=False):
            yield key, entry
        else:
            try:
                stack.append((key + "/", iter(_sorted(Path(entry.path)))))
            except OSError as error:
                found.skipped.append(SkippedFile(key, _because(error)))


def _sorted(path: Path) -> list[os.DirEntry[str]]:
    with os.scandir(path) as entries:
        return sorted(entries, key=lambda entry: entry.name)


def _objection(entry: os.DirEntry[str]) -> str | None:
    """Why an entry below a directory is not read, or None."""
    if entry.is_symlink():
        return "symbolic link"
    if not entry.is_file(follow_symlinks=False):
        return "no regular file"
    chosen = find_format(None, entry.name)
    if chosen is None:
        return f"no reader for {extension(entry.name)}"
    try:
        with open(entry.path, "rb") as file:
            head = file.read(_PROBE_BYTES_EXACT if chosen.exact else _PROBE_BYTES)
    except OSError as error:
        return _because(error)
    if not head or (head.isspace() and len(head) < _PROBE_BYTES):
        return "empty"
    if chosen.exact and chosen.sniff is not None and not chosen.sniff(head):
        return "no reader for what is in it"
    return "binary" if b"\0" in head and not has_mark(head) and not chosen.isolated else None


def _add(found: CollectedFiles, path: Path, key: str) -> None:
    try:
        key.encode()
        found.sources.append(SourceInput(kind="file", path=path, filename=path.name, source_key=key))
    except (UnicodeEncodeError, ValidationError):
        shown = key.encode("utf-8", "backslashreplace").decode()
        found.skipped.append(SkippedFile(shown, "its path is too long for a source key or has control characters"))


def _because(error: OSError | ValueError) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or "cannot be read"


def _unreadable(path: Path, error: OSError | ValueError) -> MunimentError:
    return MunimentError("source.unreadable", f"{path}: {_because(error)}.")
