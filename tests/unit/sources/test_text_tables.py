"""Tables in Markdown and reStructuredText: chunks apart, of whole rows, each with the header."""

from typing import Any

import pytest

from muniment.settings import Settings
from muniment.sources import Parsed, read_source
from muniment.sources.registry import choose_format

ROWS = [f"| lamp {number} | {number} W |" for number in range(40)]
MARKDOWN = "# Lamps\n\nAll of them:\n| Name | Power |\n|:--|--:|\n" + "\n".join(ROWS) + "\n\nBehind.\n"
LINE = "+---------+------+"
GRID = (
    f"Lamps\n=====\n\nAll of them:\n\n{LINE}\n| Name    | Power|\n{LINE.replace('-', '=')}\n"
    + "".join(f"| lamp {number:<2} | {number:>2} W |\n{LINE}\n" for number in range(40))
    + "\nBehind.\n"
)
SIMPLE = (
    "Lamps\n=====\n\nAll of them:\n\n=======  =====\nName     Power\n=======  =====\n"
    + "".join(f"lamp {number:<2}  {number} W\n" for number in range(40))
    + "=======  =====\n\nBehind.\n"
)


def read(text: str, filename: str, **limits: Any) -> Parsed:
    return read_source(
        text.encode(), kind="file", filename=filename, media_type=None, source_key=filename, settings=Settings(**limits)
    )


@pytest.mark.parametrize(
    ("text", "filename", "header"),
    [
        (MARKDOWN, "l.md", "| Name | Power |\n|:--|--:|"),
        (GRID, "l.rst", f"{LINE}\n| Name    | Power|\n{LINE.replace('-', '=')}"),
        (SIMPLE, "l.rst", "=======  =====\nName     Power\n=======  ====="),
    ],
)
def test_each_chunk_of_a_table_begins_with_its_header(text: str, filename: str, header: str) -> None:
    chunks = read(text, filename, chunk_characters=200).chunks
    tables = [chunk for chunk in chunks if "table" in chunk.locator]
    assert len(tables) > 2 and chunks[0].text.endswith("All of them:") and chunks[-1].text == "Behind."
    assert all(chunk.text.startswith(f"{header}\n") for chunk in tables)
    assert all(chunk.fields["headers"] == "Name | Power" for chunk in tables)
    rows = [number for chunk in tables for number in range(chunk.locator["rows"][0], chunk.locator["rows"][1] + 1)]
    assert rows == list(range(1, 42)) and {chunk.locator["table"] for chunk in tables} == {1}
    assert all("lamp" in chunk.text.splitlines()[-2] + chunk.text.splitlines()[-1] for chunk in tables)
    located, _ = choose_format(text.encode(), None, filename)
    assert located is not None and located.locate is not None
    for chunk in tables:
        assert located.locate(text.encode(), chunk.locator) == chunk.text
        first, last = chunk.locator["lines"]
        assert chunk.text.endswith("\n".join(text.splitlines()[first - 1 : last]))


@pytest.mark.parametrize(
    "text",
    [
        "| a | b |\n| c | d |\n", "a | b\n---\nc | d\n", "| a | b |\n|---|\n| c |\n", "```\n| a |\n|---|\n| b |\n```\n",
        "    | a |\n    |---|\n    | b |\n",
    ],
)  # fmt: skip
def test_what_only_looks_like_a_table_of_markdown_is_none(text: str) -> None:
    assert not any("table" in chunk.locator for chunk in read(text, "n.md").chunks)


def test_a_table_of_more_than_a_window_of_the_parser_has_its_header_in_each_chunk() -> None:
    chunks = read("| Name | Power |\n|--|--|\n" + "\n".join(ROWS * 150) + "\n", "l.md").chunks
    assert len(chunks) > 60 and all(chunk.text.startswith("| Name | Power |\n|--|--|\n") for chunk in chunks)


def test_a_row_that_does_not_fit_is_cut_and_the_header_stands_alone() -> None:
    chunks = read(
        "| Name | Note |\n|--|--|\n| rake | " + "long note " * 200 + "|\n", "l.md", chunk_characters=400
    ).chunks
    assert chunks[0].text == "| Name | Note |\n|--|--|" and chunks[0].locator["rows"] == [1, 1]
    assert len(chunks) > 3 and all(chunk.locator["rows"] == [2, 2] for chunk in chunks[1:])
