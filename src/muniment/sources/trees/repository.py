"""Git repositories: what is committed, what is ignored, and fetching the newest commit of a public one."""

import re
import stat
from collections.abc import Callable, Mapping, Set
from contextlib import suppress
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import Any, Final

from dulwich.client import HttpGitClient
from dulwich.errors import GitProtocolError, HangupException, NotGitRepository, ObjectFormatException
from dulwich.ignore import IgnoreFilterManager
from dulwich.object_store import MemoryObjectStore
from dulwich.objects import Blob, Commit, ObjectID
from dulwich.refs import HEADREF, Ref
from dulwich.repo import BaseRepo, MemoryRepo, Repo
from pydantic import ValidationError
from urllib3.exceptions import HTTPError

from muniment.errors import MunimentError
from muniment.model.source import SourceInput
from muniment.settings import Settings
from muniment.sources.registry import choose_format, objection
from muniment.sources.trees.files import SkippedFile
from muniment.sources.trees.public_addresses import PublicPool
from muniment.sources.trees.tree import Tree, TreeFile, member_key

_TIMEOUT: Final = 60.0
_BROKEN: Final = (GitProtocolError, HangupException, NotGitRepository, ObjectFormatException, HTTPError, OSError)
_FAULTS: Final = (*_BROKEN, KeyError, ValueError, AssertionError)
_SUBMODULE: Final = 0o160000
_MOST_SUBMODULES: Final = 1000
_DEEPEST: Final = 8  # submodules of submodules
_CONTROLS: Final = dict.fromkeys([*range(32), 127], "?")
_CREDENTIALS: Final = re.compile(r"//[^/@]*@")


@dataclass(slots=True)
class WorkTree:
    """What git knows of a directory; nothing where it is in no repository.

    ``inside`` are the repositories in it that are submodules and here, by their paths, each with the commit that it
    should be at.
    """

    ignored: Callable[[str], bool]
    commit: str | None
    committed: Mapping[str, bytes]
    inside: Mapping[str, tuple[str, "WorkTree"]] = field(default_factory=dict)

    def commit_of(self, below: str, path: Path) -> str | None:
        """The newest commit, where the file is in it as it is here; that of the submodule in which it is."""
        name = self._submodule_of(below)
        if name is not None:
            return self.inside[name][1].commit_of(below.removeprefix(f"{name}/"), path)
        known = self.committed.get(below)
        with suppress(OSError):
            if known is not None and Blob.from_string(path.read_bytes()).id == known:
                return self.commit
        return None

    def lacks(self, seen: Set[str]) -> bool:
        """Whether something that is committed is not among the paths ``seen``, nor in a directory that is; or whether a
        submodule that is here is at another commit, or lacks something."""
        below: dict[str, set[str]] = {name: set() for name in self.inside}
        for path in seen if below else ():
            if (name := self._submodule_of(path)) is not None:
                below[name].add(path.removeprefix(f"{name}/"))
        if any(tree.commit != commit or tree.lacks(below[name]) for name, (commit, tree) in self.inside.items()):
            return True
        return any(
            path not in seen and not any(str(each) in seen for each in PurePosixPath(path).parents)
            for path in self.committed
        )

    def _submodule_of(self, below: str) -> str | None:
        """The submodule that a path is in, by a look-up for each directory above it."""
        if not self.inside:
            return None
        above = map(str, reversed(PurePosixPath(below).parents))
        return next((each for each in above if each in self.inside), None)


@dataclass(slots=True)
class _Depth:
    """How deep in submodules a repository is, and which are open of the whole tree: of these all, not of each
    repository, there are at most so many."""

    opened: set[Path] = field(default_factory=set)
    level: int = 0


def work_tree(path: Path, depth: _Depth | None = None) -> WorkTree:
    """What git knows of a directory with a ``.git`` in it, at a ``depth`` of submodules."""
    depth = depth or _Depth({path.resolve()})
    try:
        repository = Repo(str(path)) if (path / ".git").exists() else None
    except _FAULTS:
        repository = None
    if repository is None:
        return WorkTree(lambda _: False, None, {})
    with repository:
        rules = IgnoreFilterManager.from_repo(repository)
        commit, committed = None, dict[str, ObjectID]()
        inside: dict[str, tuple[str, WorkTree]] = {}
        with suppress(*_FAULTS):  # without a commit
            head = repository.head()
            entries = list(repository.object_store.iter_tree_contents(_tree_of(repository, head)))
            known = [(entry.path.decode(errors="replace"), entry) for entry in entries]
            committed = {name: entry.sha for name, entry in known if entry.mode != _SUBMODULE}
            linked = {name: entry.sha for name, entry in known if entry.mode == _SUBMODULE}
            inside = _submodules(path, linked, depth)
            commit = head.decode()
    return WorkTree(lambda below: bool(rules.is_ignored(below)), commit, committed, inside)


def _submodules(path: Path, linked: Mapping[str, bytes], depth: _Depth) -> dict[str, tuple[str, WorkTree]]:
    """The submodules that are checked out: one that is not has nothing here that could be of another commit.

    Links are not followed, as they are not for files: they lead round in circles, or out of the tree.
    """
    found: dict[str, tuple[str, WorkTree]] = {}
    here = path.resolve()
    for name, sha in linked.items():
        if depth.level >= _DEEPEST or len(depth.opened) > _MOST_SUBMODULES:
            break
        place = here / name
        plain = {"", ".", ".."}.isdisjoint(name.split("/")) and place.resolve() == place
        if plain and place not in depth.opened and (place / ".git").exists():
            depth.opened.add(place)
            found[name] = (sha.decode(), work_tree(place, _Depth(depth.opened, depth.level + 1)))
    return found


def bare_tree(path: Path, source_key: str | None) -> Tree | None:
    """The newest commit of a repository without files of its own; None for any other directory."""
    if not ((path / "HEAD").is_file() and (path / "objects").is_dir()):
        return None
    try:
        with Repo(str(path)) as repository:
            name = path.resolve().name.removesuffix(".git")
            return _committed(repository, repository.head(), name, source_key or name)
    except _FAULTS:
        return None


def fetch_repository(url: str, settings: Settings, source_key: str | None = None) -> Tree:
    """The newest commit of a public repository, fetched into memory without its history.

    Only public addresses are spoken to, by https. Raises ``source.unreadable``, and ``input.too_large`` where the
    commit has more than ``max_file_bytes`` packed or ``max_expanded_bytes`` unpacked.
    """
    shown = _CREDENTIALS.sub("//", url)
    if shown != url:
        raise MunimentError("input.invalid", "The address of a repository holds no credentials.", field="url")
    repository = MemoryRepo()
    store = _BoundedStore(settings)
    repository.object_store = store
    client = HttpGitClient(url, pool_manager=PublicPool(timeout=_TIMEOUT), quiet=True)
    try:
        pack = _Pack(settings.max_file_bytes)
        fetched = client.fetch_pack("", _head, repository.get_graph_walker(), pack.write, depth=1)
        pack.seek(0)
        store.add_thin_pack(pack.read, None)
        head = fetched.refs[HEADREF]
        if head is None:
            raise KeyError
        name = url.rstrip("/").rsplit("/", 1)[-1].removesuffix(".git")
        return _committed(repository, head, name, source_key or shown.removesuffix("/"))
    except _FAULTS:
        raise MunimentError(
            "source.unreadable", f"There is no public repository that can be read at {shown}."
        ) from None


def _head(refs: Mapping[Ref, ObjectID], depth: int | None = None) -> list[ObjectID]:
    return [refs[HEADREF]]


class _BoundedStore(MemoryObjectStore):
    """Objects in memory, and no more of them than a source may have."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self._left = settings.max_expanded_bytes

    def add_object(self, obj: Any) -> None:
        self._left -= obj.raw_length()
        if self._left < 0:
            raise _too_large(self._settings.max_expanded_bytes, "MUNIMENT_MAX_EXPANDED_BYTES")
        super().add_object(obj)


class _Pack(BytesIO):
    """What is fetched, and no more of it than a source may have."""

    def __init__(self, limit: int) -> None:
        super().__init__()
        self._limit = limit

    def write(self, data: Any) -> int:
        if self.tell() + len(data) > self._limit:
            raise _too_large(self._limit, "MUNIMENT_MAX_FILE_BYTES")
        return super().write(data)


def _tree_of(repository: BaseRepo, head: ObjectID) -> ObjectID:
    commit = repository[head]
    if not isinstance(commit, Commit):
        raise KeyError
    tree: ObjectID = commit.tree
    return tree


def _committed(repository: BaseRepo, head: ObjectID, name: str, key: str) -> Tree:
    """The files of a commit, read from the repository's objects."""
    tree = Tree(name, key, commit=head.decode())
    for entry in repository.object_store.iter_tree_contents(_tree_of(repository, head)):
        path = entry.path.decode(errors="replace")
        blob = repository.object_store[entry.sha] if stat.S_ISREG(entry.mode) else None
        reason = _objection(path, entry.mode, blob)
        if reason is not None or blob is None:
            tree.skipped.append(SkippedFile(path, reason or "no regular file"))
            continue
        try:
            source = SourceInput(kind="file", filename=PurePosixPath(path).name, source_key=member_key(key, path))
        except ValidationError:
            tree.skipped.append(SkippedFile(path.translate(_CONTROLS), "its path has control characters"))
            continue
        tree.files.append(TreeFile(path, source, blob.as_raw_string, tree.commit))
    return tree


def _objection(path: str, mode: int, blob: Any) -> str | None:
    if stat.S_ISLNK(mode):
        return "symbolic link"
    if blob is None:
        return "another repository" if mode == _SUBMODULE else "no regular file"
    if any(part.startswith(".") for part in path.split("/")):
        return "hidden"
    data = blob.as_raw_string()
    return objection(data, choose_format(data, None, path).format, path)


def _too_large(limit: int, setting: str) -> MunimentError:
    return MunimentError(
        "input.too_large", f"The repository has more than {limit} bytes.", limit=limit, setting=setting
    )
