"""What was found in a directory or a git repository, as sources: each file, and at last the list of all contents."""

from base64 import b64encode
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final

from muniment.model.source import SourceInput
from muniment.sources.archives import MANIFEST
from muniment.sources.archives.manifest import Entry, make_manifest
from muniment.sources.trees.files import SkippedFile

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
    """What was found. ``key`` is that of the list of contents; ``skipped`` is in the list, with its reasons.

    ``commit`` is the one that all of it is of; None where any file was changed, added or taken away since.
    """

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


def member_key(key: str, path: str) -> str:
    """The key of a file of a tree with a key of its own; a long one ends in its digest."""
    whole = f"{key}!/{path}"
    if len(whole) <= _MAX_KEY:
        return whole
    digest = sha256(whole.encode()).hexdigest()[:16]
    return f"{whole[: _MAX_KEY - 17]}~{digest}"
