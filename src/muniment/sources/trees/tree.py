"""A directory, or a git repository by path or URL, as sources: each file, and at last the list of all contents."""

from base64 import b64encode
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Final

from muniment.errors import MunimentError
from muniment.model.source import SourceInput
from muniment.settings import Settings
from muniment.sources.archives import MANIFEST
from muniment.sources.archives.manifest import Entry, make_manifest
from muniment.sources.trees.files import SkippedFile, collect_files

_MAX_KEY: Final = 256
_BATCH: Final = 16
_BATCH_BYTES: Final = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class TreeFile:
    """A file of a tree: its path below it, its source, how its bytes are read, and the commit that they are of."""

    path: str
    source: SourceInput
    read: Callable[[], bytes]
    commit: str | None = None


@dataclass(slots=True)
class Tree:
    """What was found. ``key`` is that of the list of contents; ``skipped`` is in the list, with its reasons."""

    name: str
    key: str
    files: list[TreeFile] = field(default_factory=list)
    skipped: list[SkippedFile] = field(default_factory=list)
    commit: str | None = None

    def sources(self) -> Iterator[SourceInput]:
        """The sources one by one, their contents read as they are asked for; the list of contents comes last.

        What the list no longer names since an earlier time is archived by it. A file that cannot be read is in the
        list, so that what was stored of it stays.
        """
        listed: list[Entry] = [Entry(each.path, left_out=each.reason) for each in self.skipped]
        for file in self.files:
            key = file.source.source_key
            try:
                data = file.read()
            except OSError:
                listed.append(Entry(file.path, left_out="cannot be read", source_key=key))
                continue
            listed.append(Entry(file.path, len(data), source_key=key, sha256=sha256(data).hexdigest()))
            changes = {"commit": file.commit}
            if file.source.path is None:
                changes["content_base64"] = b64encode(data).decode()
            yield file.source.model_copy(update=changes)
        listed.sort(key=lambda each: each.path)
        made = make_manifest(self.name, listed, self.commit)
        yield SourceInput(
            kind="file", content_base64=b64encode(made).decode(), filename=self.name, source_key=self.key,
            media_type=MANIFEST.media_types[0], commit=self.commit,
        )  # fmt: skip

    def batches(self) -> Iterator[list[SourceInput]]:
        """The sources in requests that are small enough to be sent."""
        batch: list[SourceInput] = []
        size = 0
        for source in self.sources():
            batch.append(source)
            size += len(source.content_base64 or "") if source.path is None else source.path.stat().st_size
            if len(batch) == _BATCH or size >= _BATCH_BYTES:
                yield batch
                batch, size = [], 0
        if batch:
            yield batch


def is_repository_url(place: str) -> bool:
    """Whether a place is the address of a git repository: ``https://….git``, or any address behind ``git+``."""
    return place.startswith("git+https://") or (place.startswith("https://") and place.rstrip("/").endswith(".git"))


def open_tree(place: str | Path, settings: Settings, source_key: str | None = None) -> Tree:
    """The tree at a path or address.

    A directory's files are its files but for what ``collect_files`` leaves out and, in a git repository, what its
    ``.gitignore`` files do; a file that is as it was committed has the commit in its locators. Its sources' keys are
    the paths below it, and the list's key is its name with ``/`` behind it; with a ``source_key`` that is the list's
    key, and theirs are ``<source_key>!/<path>``, as they are of a repository that is fetched: then the key is its
    address.

    Raises ``source.unreadable`` where there is no directory or no repository, and as ``fetch_repository``.
    """
    if isinstance(place, str) and is_repository_url(place):
        from muniment.sources.trees.repository import fetch_repository

        return fetch_repository(place.removeprefix("git+"), settings, source_key)
    path = Path(place)
    if not path.is_dir():
        raise MunimentError("source.unreadable", f"{path} is no directory.")
    from muniment.sources.trees.repository import bare_tree, work_tree

    bare = bare_tree(path, source_key)
    if bare is not None:
        return bare
    known = work_tree(path)
    found = collect_files(path, known.ignored)
    name = path.resolve().name or "directory"
    tree = Tree(name, source_key or f"{name}/", skipped=found.skipped, commit=known.commit)
    for source in found.sources:
        on_disk, below = source.path, source.source_key
        assert on_disk is not None and below is not None
        if source_key is not None:
            source = source.model_copy(update={"source_key": member_key(source_key, below)})
        tree.files.append(TreeFile(below, source, on_disk.read_bytes, known.commit_of(below, on_disk)))
    return tree


def member_key(key: str, path: str) -> str:
    """The key of a file of a tree with a key of its own; a long one ends in its digest."""
    whole = f"{key}!/{path}"
    if len(whole) <= _MAX_KEY:
        return whole
    digest = sha256(whole.encode()).hexdigest()[:16]
    return f"{whole[: _MAX_KEY - 17]}~{digest}"
