"""Front matter is read as what it says of the document, and never as text of it."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from muniment.settings import Settings
from muniment.sources import Parsed, read_source
from muniment.sources.front_matter import read_front_matter


def _read(text: str, title: str | None = None) -> Parsed:
    return read_source(
        text.encode(),
        kind="file",
        filename="a.md",
        media_type=None,
        source_key="a.md",
        settings=Settings(),
        title=title,
    )


FULL = """---
title: 'The  Gate'
date: 2026-01-31
tags: [harbour, "night watch"]
draft: false
pages: 12
ratio: 0.5
since: "2019"
empty:
nested:
  deep: x
---
# Heading

It opens.
"""


def test_it_becomes_metadata_title_and_time_and_no_record() -> None:
    parsed = _read(FULL)
    assert [chunk.text for chunk in parsed.chunks] == ["# Heading\n\nIt opens."]
    assert parsed.chunks[0].locator["lines"] == [13, 15]
    assert (parsed.title, parsed.at) == ("The Gate", datetime(2026, 1, 31, tzinfo=UTC))
    assert parsed.metadata == {
        "date": "2026-01-31", "tags": "harbour, night watch", "draft": False, "pages": 12, "ratio": 0.5,
        "since": "2019",
    }  # fmt: skip
    assert parsed.chunks[0].fields["tags"] == "harbour, night watch"
    assert parsed.notes == ["Of the front matter these are no metadata and were left out: empty, nested."]


def test_a_title_that_was_given_goes_first() -> None:
    assert _read(FULL, title="Given").title == "Given"


@pytest.mark.parametrize(
    ("written", "at"),
    [
        ("2026-01-31T09:30:00+01:00", datetime(2026, 1, 31, 9, 30, tzinfo=timezone(timedelta(hours=1)))),
        ("2026-01-31 09:30:00", datetime(2026, 1, 31, 9, 30, tzinfo=UTC)),
        ("'2026-01-31'", datetime(2026, 1, 31, tzinfo=UTC)),
        ("2026-02-31", None),
        ("soon", None),
    ],
)
def test_a_date_is_when_it_was_written(written: str, at: datetime | None) -> None:
    assert _read(f"---\ndate: {written}\n---\nText.").at == at


@pytest.mark.parametrize(
    "text",
    [
        "---\na: [1\n---\nText.",
        "---\na: b\n",
        "---\n- a\n---\nText.",
        "---\n\nText.",
        "---\nkey: x\n---\n",
        "a: b\n---\n",
    ],
)
def test_what_is_no_mapping_or_has_nothing_behind_it_stays_text(text: str) -> None:
    parsed = _read(text)
    assert "".join(chunk.text for chunk in parsed.chunks).replace("\n", "") == text.strip().replace("\n", "")


def test_nothing_in_it_grows_and_the_limits_of_metadata_hold() -> None:
    bomb = "a: &a [x, x]\n" + "".join(
        f"{b}: &{b} [*{a}, *{a}, *{a}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)
    )
    merges = "m: &m {x: 1}\nn: &n {<<: [*m, *m]}\no: {<<: [*n, *n]}\n"
    many = "".join(f"k{n}: {'v' * 500}\n" for n in range(100))
    for body in (
        bomb,
        merges,
        many,
        "x: " + "[" * 5000,
        "x: " + "y" * 60_000,
        "n: 99999999999999999999\n",
        'z: "\\0"\n',
    ):
        settings = Settings()
        found = read_front_matter(f"---\n{body}\n---\nText.", settings)
        assert len(found.metadata) <= settings.max_metadata_keys
        sizes = [len(key) + len(str(value)) for key, value in found.metadata.items()]
        assert sum(sizes) <= settings.max_metadata_bytes
        assert all(len(str(value)) <= settings.max_metadata_value_bytes for value in found.metadata.values())
