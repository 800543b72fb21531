"""Where trees are: a directory, or a git repository by path or address."""

from pathlib import Path

from muniment.errors import MunimentError
from muniment.settings import Settings
from muniment.sources.trees.files import collect_files
from muniment.sources.trees.repository import bare_tree, fetch_repository, work_tree
from muniment.sources.trees.tree import Tree, TreeFile, member_key


def is_repository_url(place: str) -> bool:
    """Whether a place is the address of a git repository: ``https://….git``, or any address behind ``git+``."""
    return place.startswith("git+https://") or (place.startswith("https://") and place.rstrip("/").endswith(".git"))


def open_tree(place: str | Path, settings: Settings, source_key: str | None = None) -> Tree:
    """The tree at a path or address.

    A directory's files are its files but for what ``collect_files`` leaves out and, in a git repository, what its
    ``.gitignore`` files do; a file that is as it was committed has the commit in its locators, and the list has it
    where all are. Its sources' keys are the paths below it, and the list's key is its name with ``/`` behind it; with
    a ``source_key`` that is the list's key, and theirs are ``<source_key>!/<path>``, as they are of a repository that
    is fetched: then the key is its address.

    Raises ``source.unreadable`` where there is no directory or no repository, and as ``fetch_repository``.
    """
    if isinstance(place, str) and is_repository_url(place):
        return fetch_repository(place.removeprefix("git+"), settings, source_key)
    path = Path(place)
    if not path.is_dir():
        raise MunimentError("source.unreadable", f"{path} is no directory.")
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
    if any(each.commit is None for each in tree.files) or known.lacks(_seen(tree)):
        tree.commit = None
    return tree


def _seen(tree: Tree) -> set[str]:
    """The paths of all that is there, read or not; of a directory that is passed over, its own."""
    return {each.path for each in tree.files} | {each.path for each in tree.skipped}
