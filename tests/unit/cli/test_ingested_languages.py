"""The language of what is ingested from the command line."""

from pathlib import Path

from muniment.cli.commands.evidence import _batches
from muniment.settings import Settings


def _languages(path: Path, language: str | None) -> list[str | None]:
    batches = _batches([str(path)], None, None, language, Settings())
    return [source.language for batch in batches for source in batch if source.filename in ("a.txt", "b.txt")]


def test_every_file_has_the_language_that_is_given(tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("Alle Häuser stehen leer.")
    assert _languages(tmp_path, "german") == ["german"] * 2
    assert _languages(tmp_path, None) == [None] * 2
    assert _languages(tmp_path / "a.txt", "german") == ["german"]
