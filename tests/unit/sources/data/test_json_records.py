"""JSON becomes records whose pointers lead to the values that their texts hold."""

import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from muniment.settings import Settings
from muniment.sources import Parsed, read_source

SIZE = 200


def read(text: str, filename: str = "a.json") -> Parsed:
    return read_source(
        text.encode(), kind="file", filename=filename, media_type=None, source_key="k",
        settings=Settings(chunk_characters=SIZE),
    )  # fmt: skip


def resolve(value: Any, pointer: str) -> Any:
    for step in pointer.split("/")[1:]:
        step = step.replace("~1", "/").replace("~0", "~")
        value = value[int(step)] if isinstance(value, list) else value[step]
    return value


def test_an_object_that_fits_is_one_record() -> None:
    (chunk,) = read('{"a": {"b": 1},\n "c": []}').chunks
    assert (chunk.locator["pointer"], chunk.locator["lines"], chunk.fields["keys"]) == ("", [1, 2], "a b c")


def test_small_neighbours_share_a_chunk_and_a_large_object_is_cut_between_its_members() -> None:
    value = {"users": [{"id": n, "name": "x" * 40} for n in range(4)], "big": {"one": "y" * 150, "two": "z" * 150}}
    chunks = read(json.dumps(value)).chunks
    assert [(chunk.locator["pointer"], chunk.locator.get("through")) for chunk in chunks] == [
        ("/users/0", "/users/2"),
        ("/users/3", None),
        ("/big/one", None),
        ("/big/two", None),
    ]
    assert [chunk.fields["keys"] for chunk in chunks][1:3] == ["users id name", "big one"]


def test_the_names_of_a_pointer_are_escaped_and_those_that_cannot_be_stored_keep_their_escapes() -> None:
    text = r'{"a/b~c": {"\u00e9": "' + "x" * 200 + r'"}, "\ud800": ["' + "y" * 200 + r'"], "\u0000": 1}'
    pointers = [chunk.locator["pointer"] for chunk in read(text).chunks]
    assert pointers[0] == "/a~1b~0c/é" and r"/\ud800/0" in pointers and pointers[-1] == r"/\u0000"


def test_a_long_value_is_cut_as_text_under_one_pointer() -> None:
    chunks = read(json.dumps({"a": {"log": "so it went on " * 60}})).chunks
    assert len(chunks) > 3 and {chunk.locator["pointer"] for chunk in chunks} == {"/a/log"}


def test_documents_and_lines_are_numbered() -> None:
    text = "\n".join(json.dumps({"n": n, "text": "x" * 70}) for n in range(5)) + '\n{"list": [' + "100, " * 80 + "1]}"
    for filename in ("a.json", "a.jsonl"):
        places = [chunk.locator for chunk in read(text, filename).chunks]
        assert [place["documents"] for place in places[:2]] == [[0, 1], [2, 3]]
        assert places[2]["document"] == 4 and places[2]["pointer"] == ""
        assert places[3]["document"] == 5 and places[3]["pointer"] == "/list/0"
        assert places[-1]["through"] == "/list/80"


def test_a_line_that_is_no_json_stays_and_is_told() -> None:
    parsed = read('{"a": 1}\nStarting up\n{"a": [1, 2}\n{"b": 2}', "a.jsonl")
    assert "Starting up" in parsed.chunks[0].text
    assert parsed.notes == ["2 lines are no JSON and kept as text, the first at line 2, column 1."]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"a": 1,\n "b" 2}', "line 2, column 2"),
        ("[1, 2}", "line 1, column 6"),
        ('{"a": [1 2]}', "line 1, column 10"),
        ('["open]', "line 1, column 2"),
        ("[1", "line 1, column 3"),
    ],
)
def test_what_is_no_json_is_read_as_text_and_the_place_is_told(text: str, place: str) -> None:
    parsed = read(text)
    assert [chunk.text for chunk in parsed.chunks] == [text] and parsed.modality == "data"
    assert place in parsed.notes[0]


def test_what_is_nested_too_deep_is_cut_as_text() -> None:
    parsed = read('{"a":' * 300 + "1" + "}" * 300)
    assert parsed.notes and max(chunk.locator["pointer"].count("/") for chunk in parsed.chunks) <= 64


words = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=120)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | words,
    lambda inner: st.lists(inner, max_size=12) | st.dictionaries(words, inner, max_size=12),
    max_leaves=80,
)


@examples(deadline=None, max_examples=60)
@given(values, st.sampled_from([None, 0, 3]), st.booleans())
def test_any_json_is_covered_and_every_pointer_leads_to_what_the_text_holds(
    value: Any, indent: int | None, ascii_only: bool
) -> None:
    text, behind = json.dumps(value, indent=indent, ensure_ascii=ascii_only), 0
    chunks = read(text).chunks
    firsts = Counter(chunk.locator["pointer"] for chunk in chunks)
    for chunk in chunks:
        start, end = chunk.locator["chars"]
        assert chunk.text == text[start:end] and len(chunk.text) <= SIZE and not text[behind:start].strip()
        behind = end
        first, last = chunk.locator["pointer"], chunk.locator.get("through", chunk.locator["pointer"])
        assert first == last or first.rpartition("/")[0] == last.rpartition("/")[0]
        for found in (resolve(value, first), resolve(value, last)):
            whole = firsts[first] == 1 and not isinstance(found, list | dict)
            assert not whole or json.dumps(found, ensure_ascii=ascii_only) in chunk.text
    assert not text[behind:].strip()
    if len(text) <= SIZE:
        assert [chunk.locator["pointer"] for chunk in chunks] == [""]
