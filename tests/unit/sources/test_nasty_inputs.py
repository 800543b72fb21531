"""Inputs made to hurt: bounded work, nothing lost. Work is counted where that can be, and no time is asserted."""

from collections.abc import Iterator

import pytest

from muniment.errors import MunimentError
from muniment.settings import Settings
from muniment.sources import markdown_blocks as outline
from muniment.sources import read_source
from muniment.sources.markdown_blocks import Outline

SIZE = 60_000

NASTY = {
    "one line": "a" * SIZE,
    "one line of another script": "漢" * SIZE,
    "marks without end": "e" + "\u0301" * SIZE,
    "joined emoji": "\U0001f468\u200d" * (SIZE // 2),
    "line ends": "x" + "\n" * SIZE + "y",
    "carriage returns": "x\r" * (SIZE // 2),
    "spaces of every width": "".join("x" + " " * n for n in range(350)),
    "blank lines": "x\n\n" * (SIZE // 3),
    "headings": "# h\n" * 3_000,
    "empty headings": "#\n" * 3_000,
    "underlined": "x\n===\n" * 3_000,
    "nested lists": "".join("  " * n + "- x\n" for n in range(200)),
    "lists on a line": ("- " * 200 + "x\n") * 60,
    "quotes": ">" * SIZE,
    "quotes with lazy lines": (">" * 90 + "x\n" + "y\n" * 300) * 4,
    "backticks": "`" * SIZE,
    "fences": "```\n" * 3_000,
    "open fence": "```\n" + "# x\n" * 3_000,
    "open comment": "<!--\n" + "# x\n" * 3_000,
    "tags": "<div>\n" * 3_000,
    "broken tags": "<a\n" * 3_000,
    "brackets": "[" * SIZE,
    "heading of brackets": ("# " + "[" * 2000 + "\n") * 40,
    "definitions": "[a]: /b\n" * 3_000,
    "long table": "|a|b|\n|-|-|\n" + "|x|y|\n" * 3_000,
    "wide table": "|a" * 8_000 + "|\n" + "|-" * 8_000 + "|\n",
    "front matter without end": "---\na: b\n" + "c: d\n" * 3_000,
}


@pytest.mark.parametrize("media_type", ["text/plain", "text/markdown"])
@pytest.mark.parametrize("text", NASTY.values(), ids=NASTY.keys())
def test_nothing_is_lost(text: str, media_type: str) -> None:
    parsed = read_source(
        text.encode(), kind="text", filename=None, media_type=media_type, source_key="k", settings=Settings()
    )
    behind = 0
    for chunk in parsed.chunks:
        start, end = chunk.locator["chars"]
        header = "|a|b|\n|-|-|\n" if "header" in chunk.locator else ""  # of a table, repeated
        assert not text[behind:start].strip() and chunk.text == header + text[start:end] and len(chunk.text) <= 1200
        behind = end
    assert not text[behind:].strip()


@pytest.mark.parametrize("text", NASTY.values(), ids=NASTY.keys())
def test_the_parser_never_sees_more_than_a_few_windows_of_a_text_at_once(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []
    parse = Outline._parse

    def watched(self: Outline, window: outline._Window) -> Iterator[object]:
        seen.append(len(window.skeleton))
        return parse(self, window)  # type: ignore[return-value]

    monkeypatch.setattr(Outline, "_parse", watched)
    for _ in Outline(text, window=4096).blocks(0):
        pass
    assert max(seen) <= 2 * 8 * 4096
    assert sum(seen) <= 4 * len(text) + 4 * 8 * 4096


def test_the_largest_text_is_read_and_one_byte_more_is_refused() -> None:
    limit = Settings().max_text_bytes
    parsed = read_source(
        b"word " * (limit // 5), kind="text", filename=None, media_type=None, source_key="k", settings=Settings()
    )
    assert sum(len(chunk.text) for chunk in parsed.chunks) > limit * 0.99
    with pytest.raises(MunimentError) as caught:
        read_source(
            b"x" * (limit + 1), kind="text", filename=None, media_type=None, source_key="k", settings=Settings()
        )
    assert caught.value.code == "input.too_large"
