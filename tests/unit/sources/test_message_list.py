"""A JSON list of messages becomes turns that say where in the file they stand."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from muniment.errors import MunimentError
from muniment.settings import Settings
from muniment.sources import Parsed, read_source
from muniment.sources.message_list import parse_message_list, read_message_list
from muniment.sources.parsed import Origin

HELLO = {"role": "user", "content": "Hello."}


def read(text: str | bytes, **limits: Any) -> Parsed:
    return read_source(
        text.encode() if isinstance(text, str) else text, kind="file", filename="chat.json", media_type=None,
        source_key="team/chat.json", settings=Settings(**limits),
    )  # fmt: skip


def refusal(text: str | bytes, **limits: Any) -> tuple[str, dict[str, Any]]:
    origin = Origin("file", "chat.json", "chat.json", "application/json", None, "english", Settings(**limits))
    with pytest.raises(MunimentError) as caught:
        read_message_list(text.encode() if isinstance(text, str) else text, origin)
    return caught.value.code, caught.value.facts


def test_each_message_is_a_turn_with_its_place_in_the_file() -> None:
    text = (
        '[{"role": "user", "content": "Who has the \\u006bey?", "id": "m1"},\r\n'
        ' {"speaker": "Maya", "content": " I do.\\n", "at": "2026-05-01T09:00:00+02:00", "metadata": {"n": 1}}]\n'
    )
    parsed = read(text)
    assert (parsed.modality, parsed.media_type) == ("conversation", "application/json")
    first, second = parsed.chunks
    assert first.locator == {
        "kind": "file", "source_key": "team/chat.json", "filename": "chat.json", "lines": [1, 1], "chars": [1, 65],
        "chunk": 0, "position": 0, "message_id": "m1",
    }  # fmt: skip
    assert (first.text, first.role, first.speaker, first.at) == ("Who has the key?", "user", None, None)
    assert json.loads(text[slice(*second.locator["chars"])])["speaker"] == "Maya"
    assert (second.locator["lines"], second.locator["position"]) == ([2, 2], 1)
    assert (second.text, second.speaker, second.metadata) == (" I do.\n", "Maya", {"n": 1})
    assert second.at is not None and second.at.astimezone(UTC) == datetime(2026, 5, 1, 7, tzinfo=UTC)
    assert parsed.messages == parse_message_list(text.encode())
    assert second.fields == {"path": "team/chat.json"}


@pytest.mark.parametrize(
    "value",
    [{"a": 1}, 1, "text", None, [1, 2], [[]], [{"content": "x"}], [{"role": "user"}], [{"role": "u", "content": 1}]],
)
def test_other_json_is_no_list_of_messages(value: Any) -> None:
    assert read(json.dumps(value)).modality == "data"
    assert refusal(json.dumps(value))[0] == "source.format_unsupported"


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("[", 1, 2),
        ('[{"role": "user",\n "content": }]', 2, 13),
        (json.dumps([HELLO])[:-1], 1, 39),
        (json.dumps([HELLO]) + " x", 1, 41),
        ("[" + json.dumps(HELLO) + ",]", 1, 40),
        ("[" + json.dumps(HELLO) + " " + json.dumps(HELLO) + "]", 1, 40),
        ("{", 1, 2),
        ("hello", 1, 1),
        ("[" * 100_000, 1, 2),
        ('[{"role": "user", "content": "x", "metadata": {"n": NaN}}]', 1, 2),
        ('[{"role": "user", "content": "x", "metadata": {"n": ' + "9" * 10_000 + "}}]", 1, 2),
        ('[{"role": "user", "content": "x", "content": "y"}]', 1, 2),
    ],
)
def test_what_is_no_json_is_refused_with_its_place(text: str, line: int, column: int) -> None:
    assert refusal(text) == ("input.json_invalid", {"line": line, "column": column})


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"content": " \n"}, "input.empty_text"),
        ({"content": "a\0b"}, "input.nul_byte"),
        ({"content": "\ud800"}, "input.encoding_invalid"),
        ({"metadata": {"\udc00": 1}}, "input.encoding_invalid"),
        ({"at": "2026-05-01T09:00:00"}, "input.time_without_zone"),
        ({"at": "2026-05-01"}, "input.time_without_zone"),
        ({"at": "yesterday"}, "input.time_invalid"),
        ({"at": 1_700_000_000}, "input.time_invalid"),
        ({"content": 3}, "input.message_invalid"),
        ({"role": None}, "input.message_invalid"),
        ({"role": "a\nb"}, "input.message_invalid"),
        ({"position": -1}, "input.message_invalid"),
        ({"unknown": 1}, "input.message_invalid"),
        ({"content": "x" * 2000}, "input.too_large"),
    ],
)
def test_a_bad_message_is_named_by_its_index(change: dict[str, Any], code: str) -> None:
    found, facts = refusal(json.dumps([HELLO, HELLO | change]), max_message_bytes=1000)
    assert (found, facts["index"]) == (code, 1)


@pytest.mark.parametrize("text", [json.dumps([HELLO])[:-1], "[" + json.dumps(HELLO) + ",]"])
def test_a_broken_list_of_messages_is_not_taken_for_other_data(text: str) -> None:
    with pytest.raises(MunimentError) as caught:
        read(text)
    assert caught.value.code == "input.json_invalid"


def test_an_item_that_is_no_object_is_named_by_its_index() -> None:
    assert refusal(json.dumps([HELLO, "x"])) == ("input.message_invalid", {"index": 1})


@pytest.mark.parametrize("text", ["", " \n", "[]", " [ \n] "])
def test_nothing_is_refused_as_empty(text: str) -> None:
    assert refusal(text)[0] == "input.empty_text"


def test_too_many_messages_name_the_limit() -> None:
    facts = {"limit": 3, "setting": "MUNIMENT_MAX_MESSAGES_PER_REQUEST"}
    assert refusal(json.dumps([HELLO] * 4), max_messages_per_request=3) == ("input.too_many", facts)
    assert len(read(json.dumps([HELLO] * 3), max_messages_per_request=3).chunks) == 3


@examples(deadline=None, max_examples=60)
@given(
    st.lists(
        st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1).filter(str.strip),
        min_size=1,
    ),
    st.sampled_from([None, 0, 2, "\t"]),
    st.booleans(),
)
def test_contents_come_back_as_they_were_and_lie_in_order(contents: list[str], indent: Any, ascii_only: bool) -> None:
    text = json.dumps([{"role": "user", "content": each} for each in contents], indent=indent, ensure_ascii=ascii_only)
    parsed = read(text)
    assert [chunk.text for chunk in parsed.chunks] == contents
    behind = 0
    for position, chunk in enumerate(parsed.chunks):
        start, end = chunk.locator["chars"]
        assert start >= behind and json.loads(text[start:end])["content"] == contents[position]
        behind = end
