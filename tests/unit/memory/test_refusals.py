"""What is wrong with what a caller gives is told by the path that they wrote and by what is allowed, in our words."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from muniment.api.resources.ingestion import MessagesRequest, SourcesRequest
from muniment.cli.options import namespace_from
from muniment.errors import MunimentError
from muniment.memory.inputs import messages_from, query_request, search_request, sources_from
from muniment.model.namespace import Namespace
from muniment.model.profile import ProfileChange
from muniment.model.refusals import refusals
from muniment.model.request import QueryRequest, SearchRequest
from muniment.settings import settings_of_environment

FOREIGN = re.compile(
    r"Input|Expected|valid (string|list|dict|integer|number)|function-|constrained|\[|model_|instance|extra|literal"
)
REFUSED: list[tuple[dict[str, Any], str, str, str]] = [
    ({"top_k": "many"}, "input.invalid", "top_k", "must be a whole number"),
    ({"top_k": True}, "input.invalid", "top_k", "must be a whole number"),
    ({"top_k": "5"}, "input.invalid", "top_k", "must be a whole number"),
    ({"timeout": "5"}, "input.invalid", "timeout", "must be a number"),
    ({"filters": {"time": {"since": 1700000000}}}, "input.time_invalid", "filters.time.since", "must be a date and"),
    ({"as_of": "1700000000"}, "input.time_invalid", "as_of", "must be a date and time"),
    ({"namespace": {"include_shared": "true"}}, "input.namespace_invalid", "namespace.include_shared", "true or"),
    ({"top_k": 0}, "input.invalid", "top_k", "must be at least 1"),
    ({"timeout": "soon"}, "input.invalid", "timeout", "must be a number"),
    ({"without": "lexical"}, "input.invalid", "without", "must be a list"),
    ({"without": [3]}, "input.invalid", "without.0", "must be a text"),
    ({"colour": "red"}, "input.invalid", "colour", "known are namespace, top_k"),
    ({"filters": 3}, "input.invalid", "filters", "must be an object with any of group, session, source"),
    ({"filters": {"kind": "rumour"}}, "input.invalid", "filters.kind", "must be one of raw, fact, correction or"),
    ({"filters": {"kind": ["raw", "x"]}}, "input.invalid", "filters.kind.1", "must be one of raw, fact"),
    ({"filters": {"group": []}}, "input.invalid", "filters.group", "must have at least 1 item"),
    ({"filters": {"speaker": {"a": 1}}}, "input.invalid", "filters.speaker", "must be a text, or a list of these"),
    *(
        ({"filters": {name: wrong}}, "input.invalid", f"filters.{name}", "must be a text, or a list of these")
        for name in ("group", "session", "source", "speaker", "role")
        for wrong in (5, 0.5, True, {})
    ),
    ({"filters": {"speaker": ["a", 5]}}, "input.invalid", "filters.speaker.1", "must be a text"),
    ({"filters": {"kind": 5}}, "input.invalid", "filters.kind", "fact, correction or description, or a list of these"),
    ({"filters": {"modality": False}}, "input.invalid", "filters.modality", "image or data, or a list of these"),
    ({"filters": {"time": "2026"}}, "input.invalid", "filters.time", "an object with since, until or both"),
    ({"filters": {"said": 2026}}, "input.invalid", "filters.said", "an object with since, until or both"),
    ({"filters": {"speaker": ""}}, "input.invalid", "filters.speaker", "must have at least 1 character"),
    ({"filters": {"speaker": ["a", "b\x00"]}}, "input.invalid", "filters.speaker.1", "no control characters"),
    ({"filters": {"time": {}}}, "input.invalid", "filters.time", "a time range needs since or until"),
    ({"filters": {"said": {"since": "soon"}}}, "input.time_invalid", "filters.said.since", "2026-11-29T12:00:00Z"),
    ({"filters": {"metadata": []}}, "input.metadata_invalid", "filters.metadata", "must be an object of names"),
    ({"filters": {"metadata": {"k": [1]}}}, "input.metadata_invalid", "filters.metadata.k", "gt, gte, lt or lte"),
    ({"filters": {"metadata": {"k": {"gt": []}}}}, "input.metadata_invalid", "filters.metadata.k.gt", "a number or"),
    ({"filters": {"metadata": {"k": {"any": [[]]}}}}, "input.metadata_invalid", "filters.metadata.k.any.0", "true or"),
    ({"filters": {"metadata": {"bool": {"any": 3}}}}, "input.metadata_invalid", "filters.metadata.bool.any", "a list"),
    *(
        ({"filters": {"metadata": {"floor": wanted}}}, "input.metadata_invalid", f"filters.metadata.{at}", "64 bits")
        for number in (2**63, -(2**63), 10**400, -(10**5000))
        for wanted, at in (
            (number, "floor"),
            ({"any": [1, number]}, "floor.any.1"),
            ({"lt": number}, "floor.lt"),
            ({"gte": number}, "floor.gte"),
        )
    ),
    ({"top_k": 10**5000}, "input.invalid", "top_k", "must be less than 9223372036854775808"),
    ({"known_at": 10**5000}, "input.invalid", "known_at", "must be less than 9223372036854775808"),
    ({"filters": {"metadata": {"": 3}}}, "input.metadata_invalid", "filters.metadata.", "this name must have"),
    ({"namespace": {"project_id": ""}}, "input.namespace_invalid", "namespace.project_id", "at least 1 character"),
    ({"namespace": {"project_id": 7}}, "input.namespace_invalid", "namespace.project_id", "must be a text"),
    ({"namespace": {"include_shared": []}}, "input.namespace_invalid", "namespace.include_shared", "true or false"),
    ({"namespace": 7}, "input.namespace_invalid", "namespace", "must be an object"),
]


def _error(call: Callable[[], Any]) -> MunimentError:
    with pytest.raises(MunimentError) as caught:
        call()
    assert not FOREIGN.search(caught.value.detail), caught.value.detail
    return caught.value


@pytest.mark.parametrize(("options", "code", "field", "words"), REFUSED)
def test_a_search_is_refused_by_path_and_in_our_words(
    options: dict[str, Any], code: str, field: str, words: str
) -> None:
    given: dict[str, Any] = {**options}
    namespace = given.pop("namespace", Namespace())
    for request in (search_request, query_request):
        error = _error(lambda request=request: request("pier", namespace, given))  # type: ignore[misc]
        assert (error.code, error.facts["field"]) == (code, field)
        assert error.detail.startswith(f"{field}: ") and words in error.detail


@pytest.mark.parametrize(
    ("message", "field", "words"),
    [
        (7, "messages.1", "must be an object"),
        ({"role": "user"}, "messages.1.content", "is missing"),
        ({"role": "user", "content": ["x"]}, "messages.1.content", "must be a text"),
        ({"content": "x"}, "messages.1", "a message needs a role or a speaker"),
        ({"role": "user", "content": "x", "mood": 1}, "messages.1.mood", "known are content, role, speaker"),
        (
            {"role": "user", "content": "x", "metadata": {"k": None}},
            "messages.1.metadata.k",
            "must be a text, a number",
        ),
        ({"role": "user", "content": "x", "position": -1}, "messages.1.position", "must be at least 0"),
        ({"role": "user", "content": "x", "at": "noon"}, "messages.1.at", "must be a date and time"),
    ],
)
def test_a_message_is_refused_by_path_and_in_our_words(message: Any, field: str, words: str) -> None:
    error = _error(lambda: messages_from([{"role": "user", "content": "fine"}, message]))
    assert (error.code, error.facts["field"], error.facts["index"]) == ("input.message_invalid", field, 1)
    assert words in error.detail


@pytest.mark.parametrize(
    ("source", "code", "field"),
    [
        ({"text": "x"}, "input.invalid", "sources.0.kind"),
        ({"kind": "song", "text": "x"}, "input.invalid", "sources.0.kind"),
        ({"kind": "text", "text": 3}, "input.invalid", "sources.0.text"),
        ({"kind": "text", "text": "x", "metadata": {"k": [1]}}, "input.metadata_invalid", "sources.0.metadata.k"),
        ({"kind": "text", "text": "x", "at": "noon"}, "input.time_invalid", "sources.0.at"),
        ({"kind": "file", "path": 3}, "input.invalid", "sources.0.path"),
        ({"kind": "text", "text": "x", "colour": 1}, "input.invalid", "sources.0.colour"),
    ],
)
def test_a_source_is_refused_by_path_and_in_our_words(source: dict[str, Any], code: str, field: str) -> None:
    error = _error(lambda: sources_from(source))
    assert (error.code, error.facts["field"]) == (code, field)


@pytest.mark.parametrize("shape", [SearchRequest, QueryRequest, SourcesRequest, MessagesRequest, ProfileChange])
def test_no_value_of_any_field_is_refused_in_foreign_words(shape: Any) -> None:
    odd: list[Any] = [None, True, -1, 1e400, "", "a\x00", [], [[]], [{}], {}, {"a": []}, {"": 1}, {1: 2}, {"at": "x"}]
    odd += [[{name: value}] for name in ("kind", "content", "metadata", "role", "at", "position") for value in odd]
    for name in shape.model_fields:
        for value in odd:
            try:
                shape.model_validate({name: value})
            except MunimentError as error:
                assert not FOREIGN.search(error.detail)
            except ValueError as error:
                for fault in refusals(error):  # type: ignore[arg-type]
                    assert not FOREIGN.search(f"{fault}"), fault
                    assert "not valid" not in fault.problem, fault


def test_a_namespace_of_flags_is_refused_by_its_field() -> None:
    error = _error(lambda: namespace_from("", None, None, None))
    assert (error.code, error.facts["field"]) == ("input.namespace_invalid", "project_id")


def test_a_setting_of_the_environment_is_refused_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUNIMENT_POOL_SIZE", "many")
    error = _error(settings_of_environment)
    assert (error.code, error.detail) == ("input.invalid", "MUNIMENT_POOL_SIZE must be a whole number")


@pytest.mark.parametrize("given", ["notes.md", b"notes", Path("notes.md"), 7, None])
def test_what_is_no_source_is_refused_with_the_way_to_say_it(given: Any) -> None:
    error = _error(lambda: sources_from(given))
    assert error.code == "input.invalid" and "{'kind': 'file'" in error.detail and "ingest_tree" in error.detail
