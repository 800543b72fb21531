"""Looking at HTML before it is parsed: what is nested too deep, or has too many attributes, no parser gets to see."""

import re
from typing import Final

from muniment.errors import MunimentError

MAX_DEPTH: Final = 1500
"""How deep elements may be nested."""

MAX_ATTRIBUTES: Final = 500
"""How many attributes one element may have: parsers compare each with all before it."""

_TAG: Final = re.compile(r"<(/?)([a-zA-Z][^\s/>]{0,60})")
_LONG_TAG: Final = 4 * MAX_ATTRIBUTES
_QUOTED: Final = re.compile(r"\"[^\"]*\"|'[^']*'")
_NAME: Final = re.compile(r"[^\s=/>]+")
# Elements that have no end, or whose end the next one of their kind is: they do not nest.
_FLAT_NAMES: Final = """
    area base br col embed hr img input link meta source track wbr p li dt dd tr td th thead tbody tfoot
    option optgroup colgroup rt rp
"""
_FLAT: Final = frozenset(_FLAT_NAMES.split())


def require_bounded(text: str) -> int:
    """The depth of a text's elements, about. Costs one pass.

    Raises ``source.too_complex`` (fact ``limit``) over ``MAX_DEPTH`` or ``MAX_ATTRIBUTES``.
    """
    depth = deepest = 0
    before = -1
    for tag in _TAG.finditer(text):
        if before >= 0 and tag.start() - before > _LONG_TAG:
            _require_few_attributes(text, before, tag.start())
        before = tag.start()
        if tag.group(2).lower() in _FLAT:
            continue
        depth = max(depth - 1, 0) if tag.group(1) else depth + 1
        deepest = max(deepest, depth)
        if depth > MAX_DEPTH:
            raise MunimentError(
                "source.too_complex", f"Its elements are nested deeper than {MAX_DEPTH}.", limit=MAX_DEPTH
            )
    if before >= 0 and len(text) - before > _LONG_TAG:
        _require_few_attributes(text, before, len(text))
    return deepest


def _require_few_attributes(text: str, start: int, end: int) -> None:
    """Counts what may be attributes between a tag's beginning and its end, the first ``>`` outside quotation marks."""
    tag = _QUOTED.sub("", text[start:end]).partition(">")[0]
    if len(tag) > 2 * MAX_ATTRIBUTES and sum(1 for _ in _NAME.finditer(tag)) > MAX_ATTRIBUTES:
        detail = f"An element has more than {MAX_ATTRIBUTES} attributes."
        raise MunimentError("source.too_complex", detail, limit=MAX_ATTRIBUTES)
