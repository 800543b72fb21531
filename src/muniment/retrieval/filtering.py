"""Filters as the database takes them: one JSON object of what the request narrows the search to."""

import json
from typing import Any

from muniment.errors import MunimentError
from muniment.model.filters import Condition, Scalar, TimeRange
from muniment.model.identifiers import SOURCE, parse_id
from muniment.model.request import RetrievalRequest


def filter_of(request: RetrievalRequest) -> str | None:
    """The filter of a request as JSON, None where it narrows nothing.

    ``group_id`` and the namespace's session narrow as the filters ``group`` and ``session`` do. Raises
    ``input.invalid`` where both name different ones.
    """
    filters = request.filters
    found: dict[str, Any] = {}
    _put(found, "group", _both("group", request.group_id, filters.group))
    _put(found, "session", _both("session", request.namespace.session_id, filters.session))
    _put(found, "source", None if filters.source is None else [_source(name) for name in filters.source])
    for name in ("modality", "kind", "speaker", "role"):
        _put(found, name, getattr(filters, name))
    for name, bounds in (("time", filters.time), ("said", filters.said)):
        _put(found, name, None if bounds is None else _range(bounds))
    _put(found, "as_of", None if request.as_of is None else request.as_of.isoformat())
    _put(found, "metadata", [_metadata(key, value) for key, value in filters.metadata.items()] or None)
    return json.dumps(found) if found else None


def _put(found: dict[str, Any], name: str, value: Any) -> None:
    if value is not None:
        found[name] = value


def _both(name: str, one: str | None, several: list[str] | None) -> list[str] | None:
    if one is None:
        return several
    if several is not None and one not in several:
        raise MunimentError("input.invalid", f"the request names two different filters by {name}", filter=name)
    return [one]


def _source(name: str) -> str:
    identifier = parse_id(SOURCE, name)
    return name if identifier is None else str(identifier)


def _range(bounds: TimeRange) -> dict[str, str]:
    return {
        name: moment.isoformat()
        for name, moment in (("since", bounds.since), ("until", bounds.until))
        if moment is not None
    }


def _metadata(key: str, value: Scalar | Condition) -> dict[str, Any]:
    """``forms`` are the texts under which the wanted values may stand in the index; they are compared again by type."""
    if not isinstance(value, Condition):
        value = Condition(any=[value])
    condition: dict[str, Any] = {"key": key} | value.model_dump(exclude_none=True)
    if value.any is not None:
        condition["forms"] = sorted({form for each in value.any for form in _forms(each)})
    return condition


def _forms(value: Scalar) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, bool):
        return [json.dumps(value)]
    forms = [json.dumps(value), json.dumps(float(value))]
    return [*forms, json.dumps(int(value))] if float(value).is_integer() else forms
