"""Directories are walked in order, safely, and what is passed over is said."""

import os
from pathlib import Path

import pytest

from muniment.errors import MunimentError
from muniment.sources.trees.files import collect_files


def fill(root: Path, **files: bytes) -> None:
    for name, data in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def test_files_come_sorted_with_keys_below_the_directory(tmp_path: Path) -> None:
    fill(tmp_path, **{"b.md": b"b", "a/z.txt": b"z", "a/README": b"r", "a/b/c.json": b"[]"})
    found = collect_files(tmp_path)
    assert [(source.source_key, source.filename) for source in found.sources] == [
        ("a/README", "README"), ("a/b/c.json", "c.json"), ("a/z.txt", "z.txt"), ("b.md", "b.md"),
    ]  # fmt: skip
    assert all(source.kind == "file" and source.path is not None and source.path.is_file() for source in found.sources)
    assert found.skipped == []


def test_what_is_passed_over_is_named_with_its_reason(tmp_path: Path) -> None:
    fill(
        tmp_path,
        **{".git/config": b"x", ".env": b"x", "a.unknown": b"what", "empty.md": b"", "zero.txt": b"a\0b"},
        **{"ok.txt": b"x"},
    )
    fill(tmp_path, **{"wide.txt": "wide".encode("utf-16")})
    os.mkfifo(tmp_path / "pipe.txt")
    found = collect_files(tmp_path)
    assert [source.source_key for source in found.sources] == ["ok.txt", "wide.txt"]
    assert [(skipped.path, skipped.reason) for skipped in found.skipped] == [
        (".env", "hidden"), (".git", "hidden"), ("a.unknown", "no reader for .unknown"), ("empty.md", "empty"),
        ("pipe.txt", "no regular file"), ("zero.txt", "binary"),
    ]  # fmt: skip


def test_links_are_not_followed_round_in_circles_or_out_of_the_directory(tmp_path: Path) -> None:
    fill(tmp_path, **{"secret.txt": b"secret", "root/a.txt": b"a"})
    (tmp_path / "root/loop").symlink_to(tmp_path / "root")
    (tmp_path / "root/out.txt").symlink_to(tmp_path / "secret.txt")
    (tmp_path / "root/gone.txt").symlink_to(tmp_path / "nothing")
    found = collect_files(tmp_path / "root")
    assert [source.source_key for source in found.sources] == ["a.txt"]
    assert {(skipped.path, skipped.reason) for skipped in found.skipped} == {
        ("loop", "symbolic link"), ("out.txt", "symbolic link"), ("gone.txt", "symbolic link"),
    }  # fmt: skip


def test_a_link_that_was_named_itself_is_followed(tmp_path: Path) -> None:
    fill(tmp_path, **{"root/a.txt": b"a"})
    (tmp_path / "link").symlink_to(tmp_path / "root")
    assert [source.source_key for source in collect_files(tmp_path / "link").sources] == ["a.txt"]


def test_a_file_that_was_named_itself_is_taken_as_it_is(tmp_path: Path) -> None:
    fill(tmp_path, **{".hidden.pdf": b"a\0b"})
    assert [source.source_key for source in collect_files(tmp_path / ".hidden.pdf").sources] == [".hidden.pdf"]


def test_a_path_that_leads_nowhere_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(MunimentError) as caught:
        collect_files(tmp_path / "nothing")
    assert caught.value.code == "source.unreadable"


def test_names_that_cannot_be_keys_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "new\nline.txt").write_bytes(b"x")
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.txt")).write_bytes(b"x")
    found = collect_files(tmp_path)
    assert found.sources == []
    assert [skipped.path for skipped in found.skipped] == ["new\nline.txt", "\\udcff.txt"]


def test_a_deep_tree_is_walked(tmp_path: Path) -> None:
    deep = tmp_path / "/".join(["d"] * 120)
    deep.mkdir(parents=True)
    (deep / "x.txt").write_bytes(b"x")
    assert collect_files(tmp_path).sources[0].source_key == "d/" * 120 + "x.txt"
