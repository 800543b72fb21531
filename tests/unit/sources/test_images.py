"""What is read on an image stands in its box; what nothing reads says so."""

import importlib.util
import stat
from pathlib import Path

import pytest

from muniment.settings import Settings
from muniment.sources.images.image import locate_image, read_image
from muniment.sources.images.reading import Unreadable, visible_text
from muniment.sources.parsed import Origin

TABLE = (
    "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n"
    "5\t1\t1\t1\t1\t1\t10\t5\t20\t6\t96.1\tRoof\n5\t1\t1\t1\t1\t2\t32\t5\t10\t6\t91\tplan\n"
    "5\t1\t1\t1\t2\t1\t10\t12\t20\t6\t90\tSouth\n5\t1\t2\t1\t1\t1\t1\t20\t5\t5\t88\t12\n5\t1\t2\t1\t1\t2\t9\t20\t5\t5\t3\tnoise\n"
)
ORIGIN = Origin("file", "k", "a.png", "image/png", None, "english", Settings())


def _picture() -> bytes:
    path = Path(__file__).parents[2] / "conformance/sources/fixtures/image.py"
    spec = importlib.util.spec_from_file_location("fixtures_of_image", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    data: bytes = module.FIXTURES["a.png"]()
    return data


def _tesseract(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """A program in the place of tesseract."""
    program = tmp_path / "tesseract"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(program.stat().st_mode | stat.S_IEXEC)
    monkeypatch.setattr("muniment.sources.images.reading.shutil.which", lambda _: str(program))


def test_what_is_read_stands_in_its_box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "table").write_text(TABLE)
    _tesseract(tmp_path, monkeypatch, f"cat > /dev/null; cat {tmp_path / 'table'}")
    parsed = read_image(_picture(), ORIGIN)
    assert [(chunk.text, chunk.locator["box"]) for chunk in parsed.chunks] == [
        ("Roof plan\nSouth", [10, 5, 42, 18]), ("12", [1, 20, 6, 25]),
    ]  # fmt: skip
    assert parsed.modality == "image" and parsed.chunks[0].fields["visible_text"] == "Roof plan\nSouth"
    assert [locate_image(_picture(), chunk.locator) for chunk in parsed.chunks] == ["Roof plan\nSouth", "12"]


def test_what_nothing_reads_is_kept_and_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("muniment.sources.images.reading.shutil.which", lambda _: None)
    parsed = read_image(_picture(), ORIGIN)
    assert [chunk.text for chunk in parsed.chunks] == ["PNG image, 40 x 30 pixels"]
    assert "no tesseract" in parsed.notes[0] and parsed.metadata["image_width"] == 40


@pytest.mark.parametrize("script", ["exit 3", "cat > /dev/null; echo no table"])
def test_a_tesseract_that_fails_harms_nothing(script: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _tesseract(tmp_path, monkeypatch, script)
    assert [chunk.text for chunk in read_image(_picture(), ORIGIN).chunks] == ["PNG image, 40 x 30 pixels"]


def test_without_a_program_nothing_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("muniment.sources.images.reading.shutil.which", lambda _: None)
    with pytest.raises(Unreadable):
        visible_text(b"")
