"""What may enter: each check, its code, and the facts by which a program can tell."""

import time
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.errors import MunimentError
from muniment.log.admission import (
    admit_name,
    admit_source,
    admit_text,
    admit_time,
    content_hash,
    raw_content,
)
from muniment.log.metadata import admit_metadata, metadata_text
from muniment.model.source import SourceInput
from muniment.settings import Settings

SETTINGS = Settings()


@given(st.text())
def test_a_text_is_admitted_exactly_where_it_can_be_stored_and_says_something(text: str) -> None:
    storable = "\x00" not in text and not any("\ud800" <= character <= "\udfff" for character in text)
    try:
        assert admit_text(text, 10_000, "S") == text.encode()
        admitted = True
    except MunimentError:
        admitted = False
    assert admitted == (storable and bool(text.strip()))


def test_a_limit_counts_bytes_not_characters() -> None:
    assert len(admit_text("é" * 5, 10, "MUNIMENT_X")) == 10
    with pytest.raises(MunimentError) as refused:
        admit_text("é" * 5 + "a", 10, "MUNIMENT_X")
    assert refused.value.facts == {"limit": 10, "setting": "MUNIMENT_X", "bytes": 11}


def test_a_time_keeps_its_instant_and_offset() -> None:
    at = datetime(2026, 3, 29, 1, 30, tzinfo=timezone(timedelta(hours=-3, minutes=-30)))
    said = admit_time(at, SETTINGS)
    assert said is not None and (said.at, said.offset) == (datetime(2026, 3, 29, 5, 0, tzinfo=UTC), -210)
    assert admit_time(None, SETTINGS) is None


def test_a_time_may_be_ahead_by_the_skew_of_clocks_and_no_more() -> None:
    settings = SETTINGS.model_copy(update={"max_clock_skew": 60.0})
    now = time.time()
    assert admit_time(datetime.fromtimestamp(now + 30, UTC), settings)
    with pytest.raises(MunimentError) as refused:
        admit_time(datetime.fromtimestamp(now + 120, UTC), settings)
    assert (refused.value.code, refused.value.facts["setting"]) == ("input.time_in_future", "MUNIMENT_MAX_CLOCK_SKEW")


@pytest.mark.parametrize(
    ("at", "code"),
    [
        (datetime(2026, 1, 1), "input.time_without_zone"),
        (datetime.max.replace(tzinfo=timezone(timedelta(hours=-5))), "input.time_invalid"),
        (datetime.min.replace(tzinfo=timezone(timedelta(hours=5))), "input.time_invalid"),
    ],
)
def test_a_time_that_cannot_be_kept_is_refused(at: datetime, code: str) -> None:
    with pytest.raises(MunimentError) as refused:
        admit_time(at, SETTINGS)
    assert refused.value.code == code


@pytest.mark.parametrize(
    "metadata",
    [
        {"": "x"},
        {"a\nb": "x"},
        {"k" * 257: "x"},
        {"half \ud800": "x"},
        {"a": "half \ud800"},
        {"a": "nul \x00"},
        {"a": float("nan")},
        {"a": float("-inf")},
        {"a": 2**63},
        {"a": -(10**5000)},
        {"a": None},
        {"a": [1]},
        {"a": {"b": 1}},
        {"a": "x" * 1025},
        {f"k{n}": 1 for n in range(65)},
        {f"k{n}": "x" * 1000 for n in range(17)},
    ],
    ids=range(16),
)
def test_metadata_that_cannot_be_kept_or_filtered_by_are_refused(metadata: dict[str, Any]) -> None:
    with pytest.raises(MunimentError) as refused:
        admit_metadata(metadata, SETTINGS)
    assert refused.value.code == "input.metadata_invalid"
    refused.value.detail.encode()


def test_metadata_keep_their_types_and_are_filtered_by_as_json_writes_them() -> None:
    metadata = {"text": "true", "flag": True, "whole": 1, "real": 1.0, "large": 2**63 - 1, "none": ""}
    admitted = admit_metadata(metadata, SETTINGS)
    assert admitted == metadata and [type(value) for value in admitted.values()] == [str, bool, int, float, int, str]
    assert [metadata_text(value) for value in admitted.values()] == [
        "true", "true", "1", "1.0", "9223372036854775807", "",
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["", "a\tb", "x" * 257, "\x7f"])
def test_a_name_has_no_control_characters_and_a_length(name: str) -> None:
    with pytest.raises(MunimentError) as refused:
        admit_name(name, "group_id")
    assert (refused.value.code, refused.value.facts["field"]) == ("input.invalid", "group_id")


@pytest.mark.parametrize(
    "source",
    [
        SourceInput(kind="text"),
        SourceInput(kind="text", text="a", content_base64="YQ=="),
        SourceInput(kind="file"),
        SourceInput(kind="file", text="a"),
        SourceInput(kind="file", path="a.txt", content_base64="YQ=="),
        SourceInput(kind="file", content_base64="YQ=", filename="a.txt"),
        SourceInput(kind="file", content_base64="Y Q = =", filename="a.txt"),
        SourceInput(kind="file", content_base64="Ä", filename="a.txt"),
    ],
    ids=range(8),
)
def test_a_source_has_one_content_that_fits_its_kind(source: SourceInput) -> None:
    with pytest.raises(MunimentError) as refused:
        admit_source(source, SETTINGS)
    assert refused.value.code == "input.invalid"
    assert raw_content(source, SETTINGS) is None or source.kind == "text"


def test_base64_over_the_limit_is_refused_before_it_is_decoded() -> None:
    settings = SETTINGS.model_copy(update={"max_text_bytes": 6, "max_file_bytes": 6})
    source = SourceInput(kind="file", content_base64="YWJjZGVmZ2g=", filename="a.txt")
    with pytest.raises(MunimentError) as refused:
        admit_source(source, settings)
    assert refused.value.code == "input.too_large"
    fits = SourceInput(kind="file", content_base64="YWJjZGVm", filename="a.txt")
    assert admit_source(fits, settings).data == b"abcdef"


def test_the_key_of_a_source_is_given_or_its_name_or_its_content() -> None:
    text = SourceInput(kind="text", text="hello")
    assert admit_source(text, SETTINGS).source_key == f"sha256:{content_hash(b'hello').hex()[:16]}"
    assert admit_source(text.model_copy(update={"filename": "a.md"}), SETTINGS).source_key == "a.md"
    assert admit_source(text.model_copy(update={"filename": "a.md", "source_key": "k"}), SETTINGS).source_key == "k"


def test_a_title_that_cannot_be_stored_is_refused() -> None:
    for title, code in (("a\x00b", "input.nul_byte"), ("a\udc00b", "input.encoding_invalid")):
        with pytest.raises(MunimentError) as refused:
            admit_source(SourceInput(kind="text", text="fine").model_copy(update={"title": title}), SETTINGS)
        assert refused.value.code == code
