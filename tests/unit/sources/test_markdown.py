"""Markdown is cut at its headings, and each chunk knows the headings above it."""

import pytest

from muniment.settings import Settings
from muniment.sources import Chunk, Parsed, read_source
from muniment.sources.markdown_blocks import Outline


def read(text: str, **changes: object) -> Parsed:
    given: dict[str, object] = {
        "kind": "file",
        "filename": "guide.md",
        "media_type": None,
        "source_key": "docs/guide.md",
    }
    given["settings"] = Settings(chunk_characters=200)
    return read_source(text.encode(), **(given | changes))  # type: ignore[arg-type]


def shown(chunk: Chunk) -> tuple[str, list[int], list[str]]:
    return chunk.text, chunk.locator["lines"], chunk.locator["heading"]


GUIDE = """---
title: "The Gate"
---
Before any heading.

# Gate *handbook*

It opens.

- one
- two

## Errors
GATE-417 is `stale`.

Setext
======
```py
# no heading
```
"""


def test_a_small_document_gives_these_chunks() -> None:
    parsed = read(GUIDE)
    assert [shown(chunk) for chunk in parsed.chunks] == [
        ("Before any heading.", [4, 4], []),
        ("# Gate *handbook*\n\nIt opens.\n\n- one\n- two", [6, 11], ["Gate handbook"]),
        ("## Errors\nGATE-417 is `stale`.", [13, 14], ["Gate handbook", "Errors"]),
        ("Setext\n======\n```py\n# no heading\n```", [16, 20], ["Setext"]),
    ]
    assert (parsed.modality, parsed.media_type, parsed.title, parsed.notes) == (
        "document", "text/markdown", "The Gate", [],
    )  # fmt: skip
    assert parsed.chunks[2].locator == {
        "kind": "file", "source_key": "docs/guide.md", "filename": "guide.md", "lines": [13, 14],
        "chars": [90, 120], "chunk": 2, "heading": ["Gate handbook", "Errors"],
    }  # fmt: skip
    assert parsed.chunks[2].fields == {
        "path": "docs/guide.md", "title": "The Gate", "section": "Gate handbook > Errors",
    }  # fmt: skip
    assert "section" not in parsed.chunks[0].fields


@pytest.mark.parametrize(
    ("text", "given", "title"),
    [
        ("# First\n\n# Second", None, "First"),
        ("text\n\n## Low\n\n# High", None, "Low"),
        ("# First", "Given", "Given"),
        ("no heading at all", None, None),
        ("#\n\n# Named", None, "Named"),
        ("# ![the logo](x.png) [Gate](http://x) &amp; `a_b` <b>c</b>", None, "the logo Gate & a_b c"),
        ("# " + "[" * 300, None, "[" * 200),
    ],
)
def test_the_title_is_the_given_one_or_the_first_heading(text: str, given: str | None, title: str | None) -> None:
    assert read(text, title=given).title == title


def test_a_rule_at_the_start_is_no_front_matter() -> None:
    assert [chunk.text for chunk in read("---\n\n# A\n\nx\n\n---\n\n# B").chunks] == ["---", "# A\n\nx\n\n---", "# B"]


def test_headings_inside_quotes_and_lists_do_not_cut() -> None:
    parsed = read("# A\n\n> ## quoted\n\n- # listed\n\nend")
    assert [chunk.locator["heading"] for chunk in parsed.chunks] == [["A"]]


def test_a_higher_heading_closes_the_lower_ones() -> None:
    parsed = read("# A\n### B\n## C\n# D")
    assert [chunk.locator["heading"] for chunk in parsed.chunks] == [["A"], ["A", "B"], ["A", "C"], ["D"]]


@pytest.mark.parametrize(
    "block",
    ["```\n" + "x = 1\n\n" * 20 + "```", "| a | b |\n|---|---|\n" + "| 1 | 2 |\n" * 13 + "| 1 | 2 |"],
    ids=["fence", "table"],
)
def test_a_fence_or_table_that_fits_is_kept_whole(block: str) -> None:
    parsed = read(f"{'word ' * 20}\n\n{block}\n\n{'word ' * 20}")
    assert block in [chunk.text for chunk in parsed.chunks]


def test_a_list_that_does_not_fit_is_cut_between_its_items() -> None:
    item = "- " + "word " * 14 + "\n  - " + "inner " * 5 + "\n"
    parsed = read(item * 4)
    assert [chunk.text[:6] for chunk in parsed.chunks] == ["- word"] * 4


def test_a_fence_longer_than_the_window_hides_what_looks_like_headings() -> None:
    text = "````\n" + "# no heading\n```\n" * 20 + "`````  \n# heading\n"
    blocks = list(Outline(text, window=50).blocks(0))
    assert [(block.level, block.title) for block in blocks] == [(0, ""), (1, "heading")]


def test_a_comment_longer_than_the_window_hides_what_looks_like_headings() -> None:
    text = "<!--\n\n" + "# no heading\n\n" * 20 + "-->\n# heading\n"
    blocks = list(Outline(text, window=50).blocks(0))
    assert [(block.level, block.title) for block in blocks] == [(0, ""), (1, "heading")]


def test_a_long_line_does_not_hide_the_end_of_a_comment() -> None:
    parsed = read("<!-- " + "x" * 5000 + " -->\n\n# After")
    assert parsed.chunks[-1].text == "# After"


def test_a_document_that_is_too_intricate_is_kept_as_plain_text_from_there_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("muniment.sources.markdown.MAX_SECTIONS", 3)
    parsed = read("# A\n\n# B\n\n# C\n\n# D\n\nend")
    assert [shown(chunk) for chunk in parsed.chunks] == [
        ("# A", [1, 1], ["A"]), ("# B", [3, 3], ["B"]), ("# C\n\n# D\n\nend", [5, 9], []),
    ]  # fmt: skip
    assert parsed.notes == ["From line 5 on the Markdown is too intricate to follow: it is split as plain text."]


def test_work_is_counted_and_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    nested = ">" * 30 + "a\n" + "b\n" * 100
    monkeypatch.setattr("muniment.sources.markdown_blocks.MAX_RULE_CALLS", 5000)
    parsed = read("# A\n\nfirst\n\n" + ("x" * 999 + "\n\n") * 70 + nested)
    assert parsed.chunks[0].locator["heading"] == ["A"]
    assert parsed.notes
    assert parsed.chunks[-1].text.endswith("b")
