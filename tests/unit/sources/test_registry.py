"""A source is read by its media type, else by its extension, else as text."""

import bz2
import gzip
import io
import lzma
from importlib.metadata import EntryPoint

import pytest
from PIL import Image

from muniment.errors import MunimentError
from muniment.settings import Settings
from muniment.sources import Parsed, read_source, registry
from muniment.sources.parsed import Origin

SHOUT = registry.Format("shout", ("text/x-shout", "text/plain"), (".shout", ".md"), lambda data, origin: shout(origin))


def shout(origin: Origin) -> Parsed:
    return Parsed("data", origin.media_type, None, origin.language, [])


def read(
    kind: str = "file", filename: str | None = None, media_type: str | None = None, language: str = "english"
) -> Parsed:
    return read_source(
        b"# Hello", kind=kind, filename=filename, media_type=media_type, source_key="k", settings=Settings(),
        language=language,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("filename", "media_type", "chosen"),
    [
        (None, None, "text/plain"),
        ("README", None, "text/plain"),
        ("a.MD", None, "text/markdown"),
        ("dir.md/a.txt", None, "text/plain"),
        ("a.txt", "text/markdown; charset=utf-8", "text/markdown"),
        ("a.md", "TEXT/Plain", "text/plain"),
        ("a.md", "application/octet-stream", "text/markdown"),
        ("a.md", "", "text/markdown"),
        ("a.py", "text/plain", "text/plain"),
        (None, "text/x-markdown", "text/markdown"),
    ],
)
def test_the_format_is_chosen(filename: str | None, media_type: str | None, chosen: str) -> None:
    assert read(filename=filename, media_type=media_type).media_type == chosen


@pytest.mark.parametrize("beginning", [b"%PDF-1.4\n", b"{\\rtf1 "])
def test_text_that_begins_as_no_text_does_is_what_it_begins_as_unless_it_is_said_to_be_text(beginning: bytes) -> None:
    data = beginning + b"1 0 obj << /Type /Catalog >> endobj"
    name = "pdf" if beginning.startswith(b"%") else "rtf"
    for filename in ("report", "report.txt"):
        format_, note = registry.choose_format(data, None, filename)
        assert format_ is not None and format_.name == name
        assert note == f"By its name this is plain text, by its bytes {name}."
    for media_type, filename in (("text/plain", "report.txt"), (None, None), (None, "a.md")):
        format_, note = registry.choose_format(data, media_type, filename)
        assert format_ is not None and format_.media_types[0] in ("text/plain", "text/markdown") and note is None
    format_, _ = registry.choose_format(b"See " + data, None, "report.txt")
    assert format_ is registry.PLAIN_TEXT


@pytest.mark.parametrize(
    ("filename", "media_type"), [("a.unknown", None), ("a.md", "application/x-unknown"), (None, "video/mp4")]
)
def test_a_format_without_a_reader_is_refused(filename: str | None, media_type: str | None) -> None:
    with pytest.raises(MunimentError) as caught:
        read(filename=filename, media_type=media_type)
    assert caught.value.code == "source.format_unsupported"
    assert ".md" in caught.value.facts["extensions"] and "text/plain" in caught.value.facts["media_types"]


def test_a_kind_without_a_reader_is_refused() -> None:
    with pytest.raises(MunimentError) as caught:
        read(kind="url")
    assert caught.value.code == "source.kind_unsupported"


@pytest.mark.parametrize("language", ["", "English", "a-b", "x" * 64, "english; drop"])
def test_a_language_that_can_be_no_configuration_is_refused(language: str) -> None:
    assert read(language="simple").language == "simple"
    with pytest.raises(MunimentError) as caught:
        read(language=language)
    assert caught.value.code == "input.invalid"


def test_other_distributions_add_formats_but_take_none_away(monkeypatch: pytest.MonkeyPatch) -> None:
    points = [
        EntryPoint("broken", "no_such_module:FORMAT", registry.ENTRY_POINT_GROUP),
        EntryPoint("wrong", "json:dumps", registry.ENTRY_POINT_GROUP),
        EntryPoint("shout", f"{__name__}:SHOUT", registry.ENTRY_POINT_GROUP),
    ]
    monkeypatch.setattr(registry, "entry_points", lambda group: points)
    registry.formats.cache_clear()
    try:
        assert read(filename="a.shout").media_type == "text/x-shout"
        assert read(filename="a.md").media_type == "text/markdown"
        assert read(media_type="text/plain").media_type == "text/plain"
    finally:
        monkeypatch.undo()
        registry.formats.cache_clear()


@pytest.mark.parametrize(
    ("data", "filename", "media_type", "chosen"),
    [
        (b"<html><body><table><tr><td>Item</td></tr></table>", "a.xls", None, "html"),
        (b"\xef\xbb\xbf \n<table border=1><tr><td>Item</td></tr></table>", "a.xls", None, "html"),
        (b"<!-- x -->\n<meta charset=utf-8><table></table>", "a.xlsx", None, "html"),
        (b"Item\tPrice\nSpade\t5\n", "a.xls", None, "tsv"),
        ("Item\tPrice\nSpade\t5\n".encode("utf-16"), "a.xls", None, "tsv"),
        (b"Item;Price\nSpade;5\n", "a.csv", "application/vnd.ms-excel", "csv"),
        (
            b'<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"/>',
            "a.xls",
            None,
            "xml",
        ),
        (bytes.fromhex("d0cf11e0a1b11ae1") + bytes(600) + "Workbook".encode("utf-16-le"), "a.xls", None, "xls"),
        (bytes.fromhex("d0cf11e0a1b11ae1") + bytes(600), "a.xls", None, "xls"),
        (b"\x09\x08\x08\x00\x00\x05", "a.xls", None, "xls"),
        (b"<p>words", "a.docx", None, "docx"),
    ],
)
def test_what_programs_export_for_a_spreadsheet_is_read_as_what_it_is(
    data: bytes, filename: str, media_type: str | None, chosen: str
) -> None:
    found, note = registry.choose_format(data, media_type, filename)
    assert found is not None and found.name == chosen
    assert (note is None) == (chosen in ("xls", "docx"))


def test_an_image_has_the_media_type_that_it_is_of_whatever_its_name_says() -> None:
    for form, media_type in (("PNG", "image/png"), ("JPEG", "image/jpeg"), ("WEBP", "image/webp")):
        file = io.BytesIO()
        Image.new("RGB", (40, 30), "red").save(file, form)
        for filename in ("a.png", "a.jpg"):
            parsed = read_source(
                file.getvalue(), kind="file", filename=filename, media_type=None, source_key="k", settings=Settings()
            )
            assert parsed.media_type == media_type


def test_a_compressed_file_has_the_media_type_of_its_compression() -> None:
    for pack, media_type in ((gzip.compress, "application/gzip"), (bz2.compress, "application/x-bzip2"),
                             (lzma.compress, "application/x-xz")):  # fmt: skip
        parsed = read_source(
            pack(b"The quay."), kind="file", filename="a.txt.gz", media_type=None, source_key="k", settings=Settings()
        )
        assert parsed.media_type == media_type
