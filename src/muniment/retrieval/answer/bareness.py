"""Records that say nothing by themselves: a heading without what stands under it, a table's header without a row."""

import re
from typing import Final

from muniment.retrieval.answer.sentences import bare
from muniment.retrieval.state import Evidence

ONLY_HEADING: Final = "only_heading"
ONLY_HEADER: Final = "only_header"
BECAUSE: Final = {
    ONLY_HEADING: "only a heading was found, without what stands under it",
    ONLY_HEADER: "only the header of a table was found, without a row",
}
_FIRST_ROW: Final = re.compile(r"[A-Z]+1(?::[A-Z]+1)?")
_DIGIT: Final = re.compile(r"\d")


def bareness(item: Evidence) -> str | None:
    """``only_heading`` or ``only_header`` for a record that is no more than that, None for others."""
    text, locator = item.text.strip(), item.locator
    heading = locator.get("heading")
    if isinstance(heading, list) and heading and text == heading[-1]:
        return ONLY_HEADING
    first = locator.get("rows") == [1, 1] or _FIRST_ROW.fullmatch(str(locator.get("cells", ""))) is not None
    if first and "header" not in locator and "\n" not in text and _DIGIT.search(text) is None:
        return ONLY_HEADER
    return bare(item.text)
