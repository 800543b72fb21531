"""What evidence fits the budget of an answer."""

from uuid import UUID

from muniment.retrieval.budget import within_budget
from muniment.retrieval.parameters import BudgetParameters
from muniment.retrieval.state import Candidate, Evidence


def evidence(record_no: int, group: int, characters: int = 40) -> Evidence:
    return Evidence(
        candidate=Candidate(record_no, group, 1.0, 0.5),
        record_id=UUID(int=record_no),
        text="x" * characters,
        locator={},
        source_id=UUID(int=group),
        source_key="s",
        source_version=1,
        group_key=str(group),
        position=record_no,
        speaker=None,
        role=None,
        at=None,
        metadata={},
    )


def kept(pool: list[Evidence], top_k: int = 10) -> list[int]:
    return [item.candidate.record_no for item in within_budget(pool, top_k, BudgetParameters())[0]]


def test_one_group_may_fill_the_list_alone() -> None:
    assert len(kept([evidence(i, 1) for i in range(10)])) == 10


def test_of_several_groups_none_gives_more_than_half() -> None:
    pool = [evidence(i, 1) for i in range(8)] + [evidence(8, 2)]
    assert kept(pool) == [0, 1, 2, 3, 4, 8]
    assert kept(pool, top_k=2) == [0, 1, 2, 3, 8]


def test_a_group_gives_at_most_2000_tokens_and_all_at_most_6000() -> None:
    pool = [evidence(i, 1, 4000) for i in range(4)]
    assert kept(pool) == [0, 1]
    many = [evidence(i, i, 4000) for i in range(9)]
    assert kept(many) == [0, 1, 2, 3, 4, 5]


def test_a_smaller_record_after_one_that_does_not_fit_may_fit() -> None:
    assert kept([evidence(0, 1, 6000), evidence(1, 1, 4000), evidence(2, 1, 400)]) == [0, 2]


def test_a_first_record_larger_than_the_budget_is_kept() -> None:
    assert kept([evidence(0, 1, 100_000), evidence(1, 2)]) == [0]


def test_the_estimate_is_labelled() -> None:
    _, detail = within_budget([evidence(0, 1)], 10, BudgetParameters())
    assert detail["tokens"] == 10
    assert "estimated" in detail["tokens_are"]


def test_what_was_used_up_when_a_record_came_is_kept_for_each() -> None:
    _, detail = within_budget([evidence(i, 1, 4000) for i in range(4)], 10, BudgetParameters())
    assert detail["dropped"]["group_tokens"] == [2, 3]
    assert detail["spent"]["group_tokens"] == [[2000, 1000], [2000, 1000]]
    assert detail["most"]["group_tokens"] == 2000
