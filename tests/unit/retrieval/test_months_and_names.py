"""A month's name in a question counts as a date only where it stands for one."""

from datetime import UTC, datetime

import pytest

from muniment.extraction.time.expressions import intervals_in
from muniment.retrieval.ranking.dates import MONTHS, months_meant

_TERMS = [frozenset({name.casefold()}) for name in MONTHS["english"]]


def _meant(question: str, named: list[str]) -> set[str]:
    times = intervals_in(question, datetime(2023, 6, 9, tzinfo=UTC))
    return {term for terms in months_meant(question, times, named, _TERMS) for term in terms}


@pytest.mark.parametrize(
    ("question", "named", "word", "is_month"),
    [
        ("What did May say?", [], "may", False),
        ("What did may say?", [], "may", False),
        ("Has April been there?", [], "april", False),
        ("Who did June meet?", [], "june", False),
        ("What is May's job?", [], "may", False),
        ("What may happen?", [], "may", False),
        ("How do they march?", [], "march", False),
        ("What do you know of May?", ["May"], "may", False),
        ("What was said of May Lin?", ["May Lin"], "may", False),
        ("What happened in May?", [], "may", True),
        ("What happened in May?", ["May"], "may", True),
        ("what happened in may?", [], "may", True),
        ("What did May do in May?", ["May"], "may", True),
        ("Where was the May trip?", [], "may", True),
        ("Was it on 5 May 2023?", [], "may", True),
        ("What did January bring?", [], "january", True),
    ],
)
def test_a_month_is_a_date_only_where_it_stands_for_one(
    question: str, named: list[str], word: str, is_month: bool
) -> None:
    assert (word in _meant(question, named)) is is_month
    assert len(_meant(question, named)) == 12 - (not is_month)
