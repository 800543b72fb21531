"""Records that only withheld words led to: to show one, even with these masked, would tell that they are in it."""

from collections.abc import Mapping, Sequence
from typing import Any

from muniment.retrieval.state import Search


async def found_by_withheld_words(
    search: Search, read: Sequence[Mapping[str, Any]], shown: Sequence[Mapping[str, Any]]
) -> set[int]:
    """The numbers of the rows whose text holds terms of the question, and as it is ``shown`` none of them.

    One statement, and none where masking changed no text.
    """
    asked = {term.term for term in search.planned.terms}
    changed = [(was, now) for was, now in zip(read, shown, strict=True) if was["text"] != now["text"]]
    if not changed or not asked:
        return set()
    texts = [row["text"] for pair in changed for row in pair]
    rows = await search.scope.rows("retrieval.token_terms", texts=texts, language=search.language)
    terms = {row["place"]: asked.intersection(row["terms"]) for row in rows}
    return {
        was["record_no"] for n, (was, _) in enumerate(changed) if terms.get(2 * n) and not terms.get(2 * n + 1)
    }  # fmt: skip
