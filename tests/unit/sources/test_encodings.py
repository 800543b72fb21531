# ruff: noqa: RUF001
"""Text in other encodings than UTF-8: read by a guess that is said, and no byte of it lost without a word."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.errors import MunimentError
from muniment.settings import Settings
from muniment.sources import Parsed, read_source
from muniment.sources.charset import decode_text
from muniment.sources.registry import choose_format, locate_in

_SAID = {
    "windows-1252": "Der Schlüssel hängt über der Tür, größer als früher. Où est la clé ? Elle est restée à l’école.\n",
    "shift_jis": "鍵はドアの上に掛かっています。昨日、学校に忘れてきました。\n雨が降る前に梯子を返してください。\n",
    "gb18030": "钥匙挂在门上面，比以前大。昨天我把它忘在学校了。\n请在下雨之前把梯子还回来。\n",
    "euc-kr": "열쇠는 문 위에 걸려 있습니다. 어제 학교에 두고 왔습니다.\n비가 오기 전에 사다리를 돌려주세요.\n",
    "windows-1251": "Ключ висит над дверью, он больше, чем раньше. Вчера я забыл его в школе.\nВерните лестницу.\n",
}
_OF = {"a.txt": str, "a.md": "# Note\n\n{}".format, "a.csv": "name,said\nAnna,\"{}\"\n".format,
       "a.html": "<html><body><p>{}</p></body></html>".format,
       "a.json": lambda said: json.dumps({"said": said}, ensure_ascii=False)}  # fmt: skip


def _read(data: bytes, filename: str = "a.txt") -> Parsed:
    return read_source(data, kind="file", filename=filename, media_type=None, source_key="key", settings=Settings())


@pytest.mark.parametrize("filename", _OF)
@pytest.mark.parametrize("encoding", _SAID)
def test_text_of_another_encoding_is_read_and_the_guess_is_said(encoding: str, filename: str) -> None:
    said = _SAID[encoding]
    parsed = _read(_OF[filename](said * 3).encode(encoding), filename)
    words = said.split()[0]
    assert any(words in chunk.text for chunk in parsed.chunks)
    assert any("guess" in note for note in parsed.notes), parsed.notes
    assert not any("\ufffd" in chunk.text for chunk in parsed.chunks)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "utf-32"])
@pytest.mark.parametrize("filename", ["a.txt", "a.md", "a.csv", "a.json"])
def test_a_mark_is_no_guess(encoding: str, filename: str) -> None:
    parsed = _read(_OF[filename](_SAID["windows-1252"]).encode(encoding), filename)
    assert "Schlüssel" in parsed.chunks[0].text and parsed.notes == []


def test_what_is_guessed_from_begins_where_the_text_stops_being_ascii() -> None:
    text = "plain words\n" * 20_000 + _SAID["shift_jis"] * 3
    assert decode_text(text.encode("shift_jis"))[0] == text


def test_a_damaged_byte_is_shown_and_counted_and_the_rest_stays_utf8() -> None:
    data = "Größe 漢字, und so weiter. ".encode() * 4
    damaged = data[:30] + b"\xff" + data[30:] + b"\xe6\xbc"
    text, notes = decode_text(damaged)
    assert text.count("漢字") == 4 and text.count("\ufffd") == 2
    (note,) = notes
    assert "2 of these" in note and "byte 30" in note


def test_one_bad_byte_makes_no_other_encoding_of_a_text_with_few_characters_that_are_not_ascii() -> None:
    text, notes = decode_text(b"plain words\n" * 500 + "Größe\n".encode() + b"caf\xe9\n" + b"plain words\n" * 500)
    assert "Größe\ncaf\ufffd\n" in text and len(notes) == 1 and "1 of these" in notes[0]


def test_a_damaged_byte_behind_a_mark_is_counted_from_the_beginning_of_the_file() -> None:
    text, notes = decode_text(b"\xef\xbb\xbf" + "Größe, Maß und Übermaß sind größer".encode() * 4 + b"\xff")
    assert text.endswith("größer\ufffd") and len(notes) == 1


def test_what_is_no_text_is_refused() -> None:
    with pytest.raises(MunimentError) as caught:
        decode_text(b"\xff\xfe" + b"\x00\xd8" * 40)
    assert caught.value.code == "input.encoding_invalid"


@pytest.mark.parametrize("filename", _OF)
def test_a_locator_leads_to_guessed_text(filename: str) -> None:
    data = _OF[filename](_SAID["gb18030"] * 30).encode("gb18030")
    chosen = choose_format(data, None, filename).format
    for chunk in _read(data, filename).chunks:
        located = locate_in(data, chosen, chunk.locator, Settings())
        assert located is not None and located.split() == chunk.text.split()


@given(st.binary(min_size=1, max_size=300))
@settings(deadline=None, max_examples=60)
def test_any_bytes_are_text_with_notes_or_an_error(data: bytes) -> None:
    try:
        text, notes = decode_text(data)
    except MunimentError as error:
        assert error.code in ("input.encoding_invalid", "input.nul_byte")
        return
    try:
        assert data.decode("utf-8-sig") == text
    except UnicodeDecodeError:
        assert notes or data[:2] in (b"\xff\xfe", b"\xfe\xff")
    assert (text, notes) == decode_text(data)


def test_an_encoding_that_is_declared_is_said_so() -> None:
    parsed = _read(
        '<html><head><meta charset="windows-1252"></head><body><p>Größe</p></body></html>'.encode("cp1252"), "a.html"
    )
    assert parsed.notes == ["Read as windows-1252, which it declares."]
