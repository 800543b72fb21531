"""What is written on the command line, as the request that it stands for."""

from datetime import UTC, datetime
from typing import Any

import pytest

from muniment.cli.commands.profiles import changes_from
from muniment.cli.retrieval_options import filters_from, metadata_from, options_from
from muniment.errors import MunimentError
from muniment.model.filters import Filters

NOTHING: dict[str, Any] = dict.fromkeys(
    ("group", "filters", "since", "until", "as_of", "known_at", "at", "profile", "without", "timeout")
)


def test_conditions_of_one_key_are_gathered_and_metadata_has_types_and_ranges() -> None:
    given = [
        "group=a=b", "group=c", "source= notes.md", "metadata.a.b=1", "metadata.a.b=1.0", 'metadata.a.b="1"',
        "metadata.done=true", "metadata.day>=2026-01-02", "metadata.day<2026-02-01", "metadata.n>-1.5",
        "metadata.n<=2e3", "metadata.name=01",
    ]  # fmt: skip
    filters = filters_from(given)
    assert filters == {
        "group": ["a=b", "c"],
        "source": ["notes.md"],
        "metadata": {
            "a.b": {"any": [1, 1.0, "1"]},
            "done": {"any": [True]},
            "day": {"gte": "2026-01-02", "lt": "2026-02-01"},
            "n": {"gt": -1.5, "lte": 2000.0},
            "name": {"any": ["01"]},
        },
    }
    assert [type(value) for value in filters["metadata"]["a.b"]["any"]] == [int, float, str]
    assert Filters.model_validate(filters).metadata.keys() == filters["metadata"].keys()


@pytest.mark.parametrize("condition", ["group", "=a", "", "group>=a", "speaker<b"])
def test_a_condition_that_says_nothing_is_wrong_usage(condition: str) -> None:
    with pytest.raises(MunimentError) as caught:
        filters_from([condition])
    assert caught.value.code == "usage.invalid"


def test_the_options_become_those_of_a_search() -> None:
    named = NOTHING | {
        "group": "g", "since": "2026-01-01T00:00:00Z", "as_of": "2026-02-01T00:00:00+00:00",
        "without": "semantic, gate,", "timeout": 2.0, "known_at": 3, "profile": "reference",
    }  # fmt: skip
    options = options_from(top_k=5, **named)
    assert (options["top_k"], options["group_id"], options["known_at"], options["timeout"]) == (5, "g", 3, 2.0)
    assert options["filters"] == {"time": {"since": datetime(2026, 1, 1, tzinfo=UTC)}}
    assert (options["as_of"], options["asked_at"]) == (datetime(2026, 2, 1, tzinfo=UTC), None)
    assert (options["without"], options["profile"]) == (["semantic", "gate"], "reference")
    assert "filters" not in options_from(top_k=5, **NOTHING)


@pytest.mark.parametrize(
    ("value", "code"), [("2026-01-01T00:00:00", "input.time_without_zone"), ("yesterday", "usage.invalid")]
)
def test_a_time_needs_a_zone_and_a_form(value: str, code: str) -> None:
    for option in ("since", "until", "as_of", "at"):
        with pytest.raises(MunimentError) as caught:
            options_from(top_k=1, **NOTHING | {option: value})
        assert caught.value.code == code


def test_changes_of_a_profile_are_nested_by_their_paths() -> None:
    given = ["lexical.k1=1.4", "lexical.limit=50", "gate.deep=false", "balance=null", "planner=rules"]
    assert changes_from(given) == {
        "lexical": {"k1": 1.4, "limit": 50},
        "gate": {"deep": False},
        "balance": None,
        "planner": "rules",
    }
    for wrong in (["lexical.k1"], ["=1"], ["lexical..k1=1"], ["lexical=1", "lexical.k1=2"]):
        with pytest.raises(MunimentError) as caught:
            changes_from(wrong)
        assert caught.value.code == "usage.invalid"


def test_metadata_of_an_ingest_have_types_and_each_key_once() -> None:
    given = metadata_from(["team= core", "n=3", 'code="3"', "done=true", "a.b=x=y", "empty="])
    assert given == {"team": "core", "n": 3, "code": "3", "done": True, "a.b": "x=y", "empty": ""}
    for wrong in (["team"], ["=x"], ["a=1", "a=2"]):
        with pytest.raises(MunimentError) as caught:
            metadata_from(wrong)
        assert caught.value.code == "usage.invalid"


@pytest.mark.parametrize(
    "condition",
    [
        "metadata.floor!=3",
        "metadata.floor==3",
        "group~=x",
        "metadata.floor:=3",
        "metadata.floor<>3",
        "metadata.floor=>3",
        "metadata.floor=<3",
        "metadata.floor%=3",
    ],
)
def test_an_operator_that_there_is_not_is_refused_and_not_read_as_a_key(condition: str) -> None:
    with pytest.raises(MunimentError, match="there are =") as refused:
        filters_from([condition])
    assert refused.value.code == "usage.invalid"


def test_a_sign_within_a_key_or_a_value_is_none_of_the_condition() -> None:
    given = ["metadata.c++=x", "group=<b>", 'metadata.n="<3"']
    assert filters_from(given) == {"metadata": {"c++": {"any": ["x"]}, "n": {"any": ["<3"]}}, "group": ["<b>"]}


@pytest.mark.parametrize("number", ["1" + "0" * 400, "-1" + "0" * 5000])
def test_a_number_that_no_log_holds_is_wrong_usage(number: str) -> None:
    for read in (lambda: filters_from([f"metadata.floor={number}"]), lambda: metadata_from([f"floor={number}"])):
        with pytest.raises(MunimentError) as refused:
            read()
        assert refused.value.code == "usage.invalid"
        assert "over 64 bits" in refused.value.detail
