"""Whatever the text: chunks are exact, in order, disjoint, of bounded size, and hold all that is not white space."""

import re
from itertools import pairwise

from hypothesis import example, given, settings
from hypothesis import strategies as st

from muniment.errors import MunimentError
from muniment.settings import Settings
from muniment.sources import read_source
from muniment.sources.front_matter import read_front_matter
from muniment.sources.markdown_blocks import Outline

SIZE = 200
FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
SCRIPTS = ["a", "B", "é", "e\u0301", "שלום", "مرحبا", "漢字", "。", "한글", "हिन्दी", FAMILY, "\u200b", "\u2028", "\x85"]
SPACES = [" ", "\t", "\n", "\r", "\r\n", "\n\n", "\r\n\r\n", "\r\r", "\u00a0", "\u3000", "\x0b", "\x1c"]
MARKS = [
    "# ", "## ", "###### ", "#\n", "===\n", "---\n", "- ", "  - ", "    ", "1. ", "> ", ">> ", "```\n", "~~~~py\n",
    "````", "<div>", "<!-- ", "-->", "<pre>", "</pre>", "|a|b|\n|-|-|\n", "| ", "\\", "[x]: /y\n", "***\n", "\t- ",
    "title: x\n", "`",
]  # fmt: skip
LONG = ["word " * 60, "x" * 250, "漢" * 250, "a,b;" * 80, "- item\n" * 40]

any_text = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=300),
    st.lists(st.sampled_from(SCRIPTS + SPACES + LONG), max_size=60).map("".join),
    st.lists(st.sampled_from(SCRIPTS + SPACES + MARKS * 2 + LONG), max_size=80).map("".join),
)


def check(text: str, media_type: str) -> None:
    try:
        parsed = read_source(
            text.encode(), kind="text", filename=None, media_type=media_type, source_key="k",
            settings=Settings(chunk_characters=SIZE),
        )  # fmt: skip
    except MunimentError as error:
        assert error.code == "input.empty_text" and not text.strip()
        return
    front = read_front_matter(text, Settings()).end if media_type == "text/markdown" else 0
    behind = front if text[front:].strip() else 0
    for number, chunk in enumerate(parsed.chunks):
        start, end = chunk.locator["chars"]
        assert behind <= start < end and end - start <= SIZE
        assert not text[behind:start].strip()
        assert chunk.text == text[start:end]
        assert chunk.text.strip() == chunk.text
        assert chunk.locator["chunk"] == number
        assert chunk.locator["lines"] == [lines_before(text, start), lines_before(text, end - 1)]
        behind = end
    assert not text[behind:].strip()


def lines_before(text: str, at: int) -> int:
    return len(re.findall(r"\r\n|\n|\r", text[:at])) + 1


@settings(deadline=None, max_examples=120)
@given(any_text)
def test_plain_text_is_covered(text: str) -> None:
    check(text.removeprefix("\ufeff"), "text/plain")


@settings(deadline=None, max_examples=120)
@given(any_text)
@example("---\ntitle: x\n---\n# A\n\n- b\n\n  ```\n# c")
@example("para\n===\n\n<div>\n# no heading\n\n# heading\n~~~\n# no heading")
@example("> - a\n>   - b\nlazy\n\n[ref]: /url\n\n|a|b|\n|-|-|\n|c|d|\n")
def test_markdown_is_covered(text: str) -> None:
    check(text.removeprefix("\ufeff"), "text/markdown")


outlined = st.lists(st.sampled_from([*MARKS, "word\n", "\n", "\n\n", "x" * 90 + "\n"]), min_size=1, max_size=120)


@settings(deadline=None, max_examples=120)
@given(outlined.map("".join), st.integers(40, 400))
def test_windows_wider_than_each_block_do_not_change_the_outline(text: str, window: int) -> None:
    whole = list(Outline(text).blocks(0))
    pieces = list(Outline(text, window=window).blocks(0))
    starts = [block.start for block in whole] + [len(text)]
    if all(right - left < window for left, right in pairwise(starts)):
        assert pieces == whole
    assert [block.start for block in pieces] == sorted({block.start for block in pieces})
