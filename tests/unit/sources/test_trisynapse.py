"""Trisynapse's store: what is kept of each piece of evidence, what is left out, and which files it is."""

import importlib.util
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from muniment.errors import MunimentError
from muniment.settings import Settings
from muniment.sources import Parsed, read_source
from muniment.sources.registry import choose_format
from muniment.sources.trees.files import collect_files

_PATH = Path(__file__).parents[2] / "conformance/sources/fixtures/trisynapse.py"


def _stores() -> Any:
    spec = importlib.util.spec_from_file_location("fixtures_of_trisynapse", _PATH)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


STORES = _stores()


def _read(data: bytes) -> Parsed:
    return read_source(
        data, kind="file", filename="trace.sqlite3", media_type=None, source_key="trace.sqlite3", settings=Settings()
    )


def test_ids_times_speakers_and_evidence_are_kept() -> None:
    parsed = _read(STORES.store())
    told = {chunk.text: chunk for chunk in parsed.chunks}
    asked, answered, fact = told["Who has the ladder?"], told["Ben has it."], told["Ben has the ladder"]
    assert (asked.speaker, asked.role, asked.at) == ("Anna", None, datetime(2026, 1, 31, 9, 1, tzinfo=UTC))
    assert asked.locator["message_id"] == asked.locator["delta"] == "d_0001"
    assert asked.metadata["external_key"] == "message:chat:m-1"
    assert answered.speaker == "Cem" and answered.metadata["locator"] == '{"kind": "message", "index": 1}'
    assert fact.role == "fact" and fact.metadata["evidence"] == "d_0002" and fact.metadata["confidence"] == 0.8
    assert [fact.metadata[name] for name in ("subject", "relation", "object")] == ["Ben", "has", "ladder"]
    assert told["The rope is red."].at is None and "written_at" in told["The rope is red."].metadata
    assert told["Chapter one."].role == "document" and told["Chapter one."].metadata["user_id"] == "anna"


def test_conversations_are_namespaces_and_episodes_so_that_a_later_store_adds_what_is_new() -> None:
    talks = _read(STORES.store()).conversations
    assert talks is not None
    assert [(talk.key, talk.title) for talk in talks] == [
        ("trisynapse:project=roof/chat", "chat"), ("trisynapse:project=roof/user=anna/item:book", "The book"),
    ]  # fmt: skip


def test_stores_of_the_first_version_are_read_too() -> None:
    parsed = _read(STORES.FIXTURES["old.db"]())
    assert [chunk.text for chunk in parsed.chunks] == ["It rains."]
    assert parsed.conversations is not None and parsed.conversations[0].key == "trisynapse:weather"


def test_what_was_retracted_or_removed_is_left_out_and_counted() -> None:
    parsed = _read(STORES.store())
    assert not any("Nobody" in chunk.text or "REMOVED" in chunk.text for chunk in parsed.chunks)
    assert parsed.notes[0] == "2 that were retracted or removed are left out."
    assert any("2 namespaces" in note for note in parsed.notes) and any(
        "1 sources have" in note for note in parsed.notes
    )


def test_other_files_of_sqlite_are_not_taken_for_it(tmp_path: Path) -> None:
    other = STORES.of_other_tables("create table notes (text text);")
    assert choose_format(other, None, "notes.db").format is None
    assert choose_format(b"SQLite format 3\0" + bytes(4000), None, "a.sqlite3").format is None
    (tmp_path / "notes.db").write_bytes(other)
    (tmp_path / "trace.db").write_bytes(STORES.store())
    found = collect_files(tmp_path)
    assert [source.filename for source in found.sources] == ["trace.db"]
    assert [(skipped.path, skipped.reason) for skipped in found.skipped] == [
        ("notes.db", "no reader for what is in it")
    ]


@pytest.mark.parametrize("name", ["a view without end", "half", "noise"])
def test_what_is_no_store_is_refused_by_name(name: str) -> None:
    with pytest.raises(MunimentError) as caught:
        _read(STORES.HOSTILE[name]())
    assert caught.value.code in ("source.format_unsupported", "source.damaged")
