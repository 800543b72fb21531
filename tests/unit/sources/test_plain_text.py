"""Plain text becomes packed paragraphs that say exactly where they stand."""

import pytest

from muniment.errors import MunimentError
from muniment.settings import Settings
from muniment.sources import Parsed, read_source


def read(text: str | bytes, **changes: object) -> Parsed:
    data = text.encode() if isinstance(text, str) else text
    given: dict[str, object] = {"kind": "text", "filename": None, "media_type": None, "source_key": "note"}
    given["settings"] = Settings(chunk_characters=200)
    return read_source(data, **(given | changes))  # type: ignore[arg-type]


def test_short_paragraphs_share_a_chunk_with_their_exact_place() -> None:
    parsed = read("\n  First line\r\nsecond.\r\n\r\nNext.  \n\n")
    assert [chunk.text for chunk in parsed.chunks] == ["First line\r\nsecond.\r\n\r\nNext."]
    assert parsed.chunks[0].locator == {
        "kind": "source_key", "source_key": "note", "lines": [2, 5], "chars": [3, 31], "chunk": 0,
    }  # fmt: skip
    assert (parsed.modality, parsed.media_type, parsed.title, parsed.language) == (
        "document", "text/plain", None, "english",
    )  # fmt: skip


def test_paragraphs_that_do_not_fit_together_are_parted_at_the_blank_line() -> None:
    first, second = "a" * 150, "b" * 100
    parsed = read(f"{first}\n \t\n{second}")
    assert [chunk.text for chunk in parsed.chunks] == [first, second]
    assert [chunk.locator["lines"] for chunk in parsed.chunks] == [[1, 1], [3, 3]]


def test_a_single_line_end_of_two_characters_is_no_blank_line() -> None:
    first, second = "a" * 150, "b" * 100
    parsed = read(f"{first}\r\n{second}")
    assert [chunk.locator["lines"] for chunk in parsed.chunks] == [[1, 1], [2, 2]]
    assert [chunk.locator["chars"] for chunk in parsed.chunks] == [[0, 150], [152, 252]]


def test_a_lone_carriage_return_ends_a_line() -> None:
    assert read("one\rtwo\r\rthree").chunks[0].locator["lines"] == [1, 4]


def test_a_long_paragraph_is_cut_between_sentences() -> None:
    sentence = "The harbour office keeps the tide tables of the last hundred years in a cupboard."
    parsed = read(" ".join([sentence] * 6))
    assert len(parsed.chunks) == 3
    assert all(chunk.text == f"{sentence} {sentence}" for chunk in parsed.chunks)


def test_a_text_without_spaces_is_cut_after_its_own_full_stops() -> None:
    sentence = "港湾事務所は百年分の潮位表を戸棚に保管している。"
    parsed = read(sentence * 20)
    assert all(chunk.text.endswith("。") and len(chunk.text) <= 200 for chunk in parsed.chunks)


def test_no_character_is_parted_from_its_marks() -> None:
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    for unit in ("e\u0301", family, "\U0001f1eb\U0001f1f7", "\U0001f44d\U0001f3fd"):
        parsed = read(unit * 400)
        assert all(len(chunk.text) % len(unit) == 0 for chunk in parsed.chunks), unit


def test_a_file_is_located_by_its_key_and_name() -> None:
    parsed = read("Hello.", kind="file", filename="a.txt", source_key="notes/a.txt", title="Greeting")
    chunk = parsed.chunks[0]
    assert (chunk.locator["kind"], chunk.locator["source_key"], chunk.locator["filename"]) == (
        "file", "notes/a.txt", "a.txt",
    )  # fmt: skip
    assert chunk.fields == {"title": "Greeting", "path": "notes/a.txt"}


@pytest.mark.parametrize(
    ("data", "code", "facts"),
    [
        (b"", "input.empty_text", {}),
        (" \r\n\t\u00a0\u2003".encode(), "input.empty_text", {}),
        (b"\xef\xbb\xbfab\xff", "input.encoding_invalid", {"byte": 5}),
        (b"\xff\xfea\x00b", "input.encoding_invalid", {"byte": 4}),
        (b"ab\x00c", "input.nul_byte", {"character": 2}),
        (b"a" * 1001, "input.too_large", {"size": 1001, "limit": 1000, "setting": "MUNIMENT_MAX_TEXT_BYTES"}),
    ],
)
def test_what_is_no_text_is_refused_by_name(data: bytes, code: str, facts: dict[str, object]) -> None:
    with pytest.raises(MunimentError) as caught:
        read(data, settings=Settings(max_text_bytes=1000))
    assert (caught.value.code, caught.value.facts) == (code, facts)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_names_the_encoding_and_is_not_part_of_the_text(encoding: str) -> None:
    chunk = read("Größe 漢字".encode(encoding)).chunks[0]
    assert (chunk.text, chunk.locator["chars"]) == ("Größe 漢字", [0, 8])
