"""Directories and repositories: their files as sources, and a list of contents that changes with them alone."""

import json
import shutil
import socket
import threading
from base64 import b64decode
from collections.abc import Iterator
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from wsgiref.simple_server import make_server

import pytest
from dulwich import porcelain
from dulwich.index import IndexEntry, commit_tree
from dulwich.objects import S_IFGITLINK, Commit, ObjectID
from dulwich.refs import HEADREF
from dulwich.repo import Repo
from dulwich.server import DictBackend
from dulwich.web import HTTPGitApplication, WSGIRequestHandlerLogger
from urllib3 import HTTPConnectionPool

from muniment.errors import MunimentError
from muniment.model.source import SourceInput
from muniment.settings import Settings
from muniment.sources.registry import find_format, objection
from muniment.sources.trees import open_tree
from muniment.sources.trees import repository as repository_module
from muniment.sources.trees.place import is_repository_url
from muniment.sources.trees.public_addresses import PublicPool, is_public
from muniment.sources.trees.repository import WorkTree, work_tree


def fill(root: Path, files: dict[str, str]) -> None:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)


def listed(source: SourceInput) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(b64decode(source.content_base64 or ""))
    return {each["path"]: each for each in made["entries"]}


@pytest.fixture
def repository(tmp_path: Path) -> Iterator[Path]:
    """A repository with one commit, a changed, a new and some ignored files."""
    root = tmp_path / "atlas"
    fill(
        root,
        {"README.md": "# Atlas\n", "src/a.txt": "one", ".gitignore": "*.log\nbuild/\n!keep.log\n", "keep.log": "k"},
    )
    repo = porcelain.init(str(root))
    with repo:
        porcelain.add(repo, [str(root / name) for name in ("README.md", "src/a.txt", ".gitignore", "keep.log")])
        porcelain.commit(repo, message=b"first", author=b"A <a@b.c>", committer=b"A <a@b.c>")
    fill(root, {"src/a.txt": "changed", "new.txt": "new", "x.log": "x", "build/out.txt": "o", "logo.unknown": "l"})
    yield root


def test_a_directory_is_its_files_and_at_last_the_list_of_all(tmp_path: Path) -> None:
    fill(tmp_path / "docs", {"b.md": "b", "a/c.txt": "c", ".hidden": "h", "d.unknown": "d"})
    tree = open_tree(tmp_path / "docs", Settings())
    *files, contents = tree.sources()
    assert [(each.source_key, each.commit) for each in files] == [("a/c.txt", None), ("b.md", None)]
    assert (contents.source_key, contents.filename) == ("docs/", "docs")
    entries = listed(contents)
    assert {path: each.get("left_out") for path, each in entries.items()} == {
        ".hidden": "hidden", "a/c.txt": None, "b.md": None, "d.unknown": "no reader for .unknown",
    }  # fmt: skip
    assert entries["b.md"]["bytes"] == 1 and entries["b.md"]["source_key"] == "b.md"
    again = list(open_tree(tmp_path / "docs", Settings()).sources())[-1]
    assert again == contents
    fill(tmp_path / "docs", {"b.md": "B"})
    assert list(open_tree(tmp_path / "docs", Settings()).sources())[-1] != contents


def test_a_key_of_its_own_is_the_beginning_of_all(tmp_path: Path) -> None:
    fill(tmp_path, {"a.txt": "a"})
    assert [each.source_key for each in open_tree(tmp_path, Settings(), "manual").sources()] == [
        "manual!/a.txt",
        "manual",
    ]


def test_a_repository_keeps_its_ignored_files_out_and_says_what_is_committed(repository: Path) -> None:
    tree = open_tree(repository, Settings())
    *files, contents = tree.sources()
    (head,) = {each.commit for each in files} - {None}
    assert head is not None and len(head) == 40
    assert {each.source_key: each.commit for each in files} == {
        "README.md": head, "keep.log": head, "new.txt": None, "src/a.txt": None,
    }  # fmt: skip
    assert tree.commit is contents.commit is None  # what is listed is no commit's
    left_out = {path: each["left_out"] for path, each in listed(contents).items() if "left_out" in each}
    assert left_out["x.log"] == left_out["build/"[:-1]] == "ignored by .gitignore"


def test_the_list_has_the_commit_where_nothing_was_changed_added_or_taken_away(repository: Path) -> None:
    fill(repository, {"src/a.txt": "one"})
    (repository / "new.txt").unlink()
    assert open_tree(repository, Settings()).commit is not None
    (repository / "README.md").unlink()
    assert open_tree(repository, Settings()).commit is None


def test_submodules_take_no_commit_from_the_list_unless_they_are_at_another(repository: Path, tmp_path: Path) -> None:
    root = tmp_path / "outer"
    fill(root, {"a.txt": "a"})
    (repository / "new.txt").unlink()
    fill(repository, {"src/a.txt": "one"})
    with porcelain.init(str(root)) as repo, Repo(str(repository)) as inner:
        porcelain.add(repo, [str(root / "a.txt")])
        index = repo.open_index()
        index[b"sub"] = IndexEntry((0, 0), (0, 0), 0, 0, 0o160000, 0, 0, 0, inner.head())
        index.write()
        porcelain.commit(repo, message=b"first", author=b"A <a@b.c>", committer=b"A <a@b.c>")
        head, below = repo.head().decode(), inner.head().decode()
    assert open_tree(root, Settings()).commit == head  # not checked out
    shutil.copytree(repository, root / "sub")
    tree = open_tree(root, Settings())
    assert tree.commit == head
    commits = {file.path: file.commit for file in tree.files}
    assert commits["a.txt"] == head and commits["sub/README.md"] == below
    fill(root / "sub", {"README.md": "changed"})
    assert open_tree(root, Settings()).commit is None


def gitlinks(root: Path, *names: str) -> None:
    """A repository whose one commit has submodules of these names, each at that of an empty one."""
    with porcelain.init(str(root)) as repo:
        tree = commit_tree(repo.object_store, [(name.encode(), ObjectID(b"1" * 40), S_IFGITLINK) for name in names])
        commit = Commit()
        commit.tree, commit.message = tree, b"first"
        commit.author = commit.committer = b"A <a@b.c>"
        commit.author_time = commit.commit_time = commit.author_timezone = commit.commit_timezone = 0
        repo.object_store.add_object(commit)
        repo.refs[HEADREF] = commit.id


def opened(tree: WorkTree) -> list[str]:
    return [path for name, (_, each) in tree.inside.items() for path in (name, *opened(each))]


def test_links_are_no_submodules(repository: Path, tmp_path: Path) -> None:
    root = tmp_path / "outer"
    gitlinks(root, "here", "away", "deep/in", ".", "./here")
    (root / "here").symlink_to(".")
    (root / "away").symlink_to(repository)
    (root / "deep").symlink_to(tmp_path)
    (tmp_path / "in").symlink_to(repository)
    assert opened(work_tree(root)) == []
    (root / "away").unlink()
    shutil.copytree(repository, root / "away")
    assert opened(work_tree(root)) == ["away"]


def test_submodules_of_submodules_are_counted_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "outer"
    gitlinks(root, "a", "b")
    for first in "ab":
        for second in ("", "/a", "/b"):
            fill(root, {f"{first}{second}/.git": f"gitdir: {root}/.git"})
    assert sorted(opened(work_tree(root))) == ["a", "a", "a", "b", "b", "b"]
    monkeypatch.setattr(repository_module, "_MOST_SUBMODULES", 4)
    assert len(opened(work_tree(root))) == 4


def test_files_of_white_space_alone_are_left_out_as_empty(tmp_path: Path) -> None:
    root = tmp_path / "package"
    fill(root, {"__init__.py": "\n", "a.py": "x = 1\n"})
    tree = open_tree(root, Settings())
    assert [file.path for file in tree.files] == ["a.py"]
    assert [(each.path, each.reason) for each in tree.skipped] == [("__init__.py", "empty")]
    assert objection(b" \n\t\n", find_format(None, "a.py"), "a.py") == "empty"


def test_a_bare_repository_is_its_newest_commit(repository: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare.git"
    with porcelain.clone(str(repository), str(bare), bare=True):
        pass
    *files, contents = open_tree(bare, Settings()).sources()
    assert {each.source_key: b64decode(each.content_base64 or "") for each in files} == {
        "bare!/README.md": b"# Atlas\n", "bare!/keep.log": b"k", "bare!/src/a.txt": b"one",
    }  # fmt: skip
    assert contents.source_key == "bare" and all(each.commit == contents.commit for each in files)


@pytest.fixture
def served(repository: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of the repository on a server of this machine, which only this test lets itself be led to."""
    with Repo(str(repository)) as repo:
        application = HTTPGitApplication(DictBackend({"/atlas.git": repo}))
        server = make_server("127.0.0.1", 0, application, handler_class=WSGIRequestHandlerLogger)
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        made = PublicPool.__init__

        def also_http(self: PublicPool, timeout: float) -> None:
            made(self, timeout)
            self.pool_classes_by_scheme["http"] = HTTPConnectionPool

        monkeypatch.setattr(PublicPool, "__init__", also_http)
        yield f"http://127.0.0.1:{server.server_port}/atlas.git"
        server.shutdown()
        thread.join()
        server.server_close()


def test_a_repository_is_fetched_into_memory(served: str) -> None:
    from muniment.sources.trees.repository import fetch_repository

    tree = fetch_repository(served, Settings())
    *files, contents = tree.sources()
    assert (tree.name, contents.source_key) == ("atlas", served)
    assert [each.source_key for each in files] == [
        f"{served}!/{path}" for path in ("README.md", "keep.log", "src/a.txt")
    ]
    assert all(each.commit == tree.commit for each in files)
    for limit in ("max_file_bytes", "max_expanded_bytes"):
        with pytest.raises(MunimentError) as caught:
            fetch_repository(served, Settings(**{limit: 100}))
        assert (caught.value.code, caught.value.facts["limit"]) == ("input.too_large", 100)


@pytest.mark.parametrize("url", ["https://127.0.0.1/a.git", "https://localhost/a.git", "https://[::1]/a.git"])
def test_the_inside_of_a_network_is_no_place_to_fetch_from(url: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(0.2)
        port = listening.getsockname()[1]
        with pytest.raises(MunimentError) as caught:
            open_tree(url.replace("/a.git", f":{port}/a.git"), Settings())
        assert caught.value.code == "source.unreadable"
        with pytest.raises(TimeoutError):
            listening.accept()


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.216.34", True), ("2606:2800:220:1::1", True), ("10.0.0.1", False), ("127.0.0.1", False),
        ("169.254.169.254", False), ("100.64.0.1", False), ("192.0.0.8", False), ("0.0.0.0", False), ("::1", False),
        ("64:ff9b::a00:1", False), ("2002:a00:1::", False), ("2001::1", False), ("::ffff:10.0.0.1", False),
        ("fe80::1", False), ("fc00::1", False), ("224.0.0.1", False), ("::a00:1", False),
    ],
)  # fmt: skip
def test_addresses_are_told_apart(address: str, public: bool) -> None:
    assert is_public(ip_address(address)) is public


def test_repositories_are_known_by_their_addresses() -> None:
    assert is_repository_url("https://example.org/a/b.git") and is_repository_url("git+https://example.org/a")
    assert not is_repository_url("https://example.org/a") and not is_repository_url("http://example.org/a.git")


def test_an_address_with_credentials_is_refused() -> None:
    with pytest.raises(MunimentError) as caught:
        open_tree("https://me:secret@example.org/a.git", Settings())
    assert caught.value.code == "input.invalid" and "secret" not in repr(caught.value)
