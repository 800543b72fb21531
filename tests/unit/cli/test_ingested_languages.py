"""The language of what is ingested from the command line."""

from pathlib import Path

from muniment.cli.commands.evidence import _sources


def test_every_file_has_the_language_that_is_given(tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("Alle Häuser stehen leer.")
    assert [source.language for source in _sources([str(tmp_path)], None, None, None, "german")] == ["german"] * 2
    assert [source.language for source in _sources([str(tmp_path)], None, None, None, None)] == [None] * 2
