"""What every operation refuses, over the whole OpenAPI document: 415 for another type of body, 400 for what has not the
form that the document says, 422 for a time, a message or metadata that cannot be taken; always as documented."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import httpx
import pytest
from tests.acceptance.conftest import LiveServer

from muniment.errors import CATALOGUE

_JSON = "application/json"
_JUNK: tuple[Any, ...] = (3.5, "\u0001", [[]], {"": []})
_CONTENT = {"messages": "input.message_invalid", "metadata": "input.metadata_invalid"}
_OF_THE_FORM = 400
_OF_THE_CONTENT = 422


class Operation(NamedTuple):
    """One of the document, with its path filled in."""

    method: str
    path: str
    told: dict[str, Any]

    @property
    def body(self) -> dict[str, Any] | None:
        """The content of its body by media type, None where it has none."""
        content: dict[str, Any] | None = self.told.get("requestBody", {}).get("content")
        return content

    def query(self) -> Iterator[dict[str, Any]]:
        yield from (each for each in self.told.get("parameters", ()) if each["in"] == "query")


@pytest.fixture(scope="module")
def document(live_server: LiveServer) -> dict[str, Any]:
    found: dict[str, Any] = httpx.get(f"{live_server.url}/openapi.json", timeout=60).json()
    return found


@pytest.fixture(scope="module")
def operations(document: dict[str, Any]) -> list[Operation]:
    """All of the interface but what is the operator's alone; the authorization server has rules of its own."""
    found = []
    for path, methods in document["paths"].items():
        for method, told in methods.items():
            filled = path
            for part in (each for each in told.get("parameters", ()) if each["in"] == "path"):
                value = "1" if part["schema"].get("type") == "integer" else "xxxxxxxx"
                filled = filled.replace(f"{{{part['name']}}}", value)
            if path.startswith("/api/v1") and not path.startswith("/api/v1/tenants"):
                found.append(Operation(method, filled, told))
    assert len(found) > 60
    return found


@pytest.fixture
def client(live_server: LiveServer) -> Iterator[httpx.Client]:
    with live_server.client() as opened:
        yield opened


def _refused(operation: Operation, response: httpx.Response, *statuses: int) -> str:
    """The code of a refusal that has one of the statuses, is documented, and is as the catalogue says."""
    where = f"{operation.method} {operation.path}: {response.status_code} {response.text[:300]}"
    assert response.status_code in statuses, where
    assert str(response.status_code) in operation.told["responses"], f"{where} is not documented"
    problem = response.json()
    assert response.headers["content-type"].startswith("application/problem+json"), where
    assert (CATALOGUE[problem["code"]].status, problem["status"]) == (response.status_code, response.status_code), where
    code: str = problem["code"]
    return code


def _with_json(operations: list[Operation]) -> list[Operation]:
    found = [each for each in operations if each.body is not None and _JSON in each.body]
    assert len(found) > 20
    return found


def test_a_body_of_another_type_is_refused_by_its_type(operations: list[Operation], client: httpx.Client) -> None:
    for operation in _with_json(operations):
        for media_type in ("text/plain", "application/x-www-form-urlencoded", "application/xml", "multipart/form-data"):
            response = client.request(
                operation.method, operation.path, content=b'{"a": 1}', headers={"Content-Type": media_type}
            )
            assert _refused(operation, response, 415) == "input.media_type_unsupported"
            assert media_type in response.json()["detail"] and _JSON in response.json()["detail"]
    (upload,) = [each for each in operations if each.path.endswith("/sources/upload")]
    for media_type in ("multipart/form-data; boundary=x", "multipart/mixed"):
        response = client.post(f"{upload.path}?filename=a.txt", content=b"x", headers={"Content-Type": media_type})
        assert _refused(upload, response, 415) == "input.media_type_unsupported"


def test_json_is_taken_under_each_of_its_names_and_without_one(client: httpx.Client) -> None:
    for headers in (
        {"Content-Type": "application/json; charset=utf-8"}, {"Content-Type": "Application/JSON"},
        {"Content-Type": "application/problem+json"}, {"Content-Type": ""},
    ):  # fmt: skip
        response = client.post("/api/v1/search", content=b'{"query": "pier"}', headers=headers)
        assert response.status_code == 200, headers
    for media_type in ("application/x-www-form-urlencoded", "text/plain", "application/json"):
        response = client.post(
            "/api/v1/sources/upload", params={"filename": f"{media_type[-4:]}.txt"}, content=b"The pier is blue.",
            headers={"Content-Type": media_type},
        )  # fmt: skip
        assert response.status_code == 200, media_type


def test_a_body_that_is_no_object_of_the_members_is_refused_with_400(
    operations: list[Operation], client: httpx.Client
) -> None:
    wrong = {b"{": "input.json_invalid", b'{"a": 1, "a": 2}': "input.json_invalid", b"[]": "input.invalid",
             b"3": "input.invalid", b'"x"': "input.invalid", b'{"colour": 1}': "input.invalid"}  # fmt: skip
    for operation in _with_json(operations):
        for body, code in wrong.items():
            response = client.request(operation.method, operation.path, content=body, headers={"Content-Type": _JSON})
            assert _refused(operation, response, _OF_THE_FORM) == code, (operation.path, body, response.text)


def test_a_member_of_the_wrong_kind_is_refused_with_400_and_a_time_a_message_or_metadata_with_422(
    operations: list[Operation], document: dict[str, Any], client: httpx.Client
) -> None:
    seen: dict[int, int] = {}
    for operation in _with_json(operations):
        assert operation.body is not None
        schema = _resolved(document, operation.body[_JSON]["schema"])
        assert schema.get("properties"), operation.path
        required = set(schema.get("required", ()))
        for name, member in schema["properties"].items():
            for junk in _JUNK:
                if junk == 3.5 and "number" in _types(document, member):
                    continue
                response = client.request(operation.method, operation.path, json={name: junk})
                alone = required <= {name}
                if response.status_code < 400 and alone:
                    continue  # it may be what it likes
                code = _refused(operation, response, _OF_THE_FORM, _OF_THE_CONTENT, 404, 409, 413)
                if f"{name}: " not in response.json()["detail"].split("; ")[0]:
                    continue  # refused for what it lacks
                seen[response.status_code] = seen.get(response.status_code, 0) + 1
                expected = _expected(document, name, member)
                assert (code, response.status_code) == expected, (operation.path, name, junk, response.text)
    assert seen[_OF_THE_FORM] > 100 and seen[_OF_THE_CONTENT] > 5, seen


def test_a_parameter_of_the_wrong_kind_is_refused_with_400_and_a_time_with_422(
    operations: list[Operation], document: dict[str, Any], client: httpx.Client
) -> None:
    seen: dict[int, int] = {}
    for operation in operations:
        if operation.method != "get" or operation.path.endswith("/events"):
            continue
        parameters = list(operation.query())
        response = client.get(operation.path, params={"colour": "red"})
        assert _refused(operation, response, _OF_THE_FORM) == "input.invalid", operation.path
        for parameter in parameters:
            kinds = _types(document, parameter["schema"])
            if kinds.isdisjoint({"integer", "number", "boolean", "date-time"}):
                continue
            response = client.get(operation.path, params={parameter["name"]: "soon"})
            timed = "date-time" in kinds
            code = _refused(operation, response, _OF_THE_CONTENT if timed else _OF_THE_FORM)
            assert code == ("input.time_invalid" if timed else "input.invalid"), (operation.path, response.text)
            seen[response.status_code] = seen.get(response.status_code, 0) + 1
    assert seen[_OF_THE_FORM] > 10 and seen[_OF_THE_CONTENT] > 1, seen


def test_whatever_takes_a_body_may_find_it_too_large_or_of_another_type(operations: list[Operation]) -> None:
    for operation in operations:
        if operation.body is not None:
            assert {"400", "413", "415"} <= operation.told["responses"].keys(), operation.path


def _expected(document: dict[str, Any], name: str, member: dict[str, Any]) -> tuple[str, int]:
    if "date-time" in _types(document, member):
        return "input.time_invalid", _OF_THE_CONTENT
    if name in _CONTENT:
        return _CONTENT[name], _OF_THE_CONTENT
    return ("input.namespace_invalid" if name == "namespace" else "input.invalid"), _OF_THE_FORM


def _resolved(document: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    for choice in (schema, *(each for kind in ("allOf", "oneOf", "anyOf") for each in schema.get(kind, ()))):
        if "$ref" in choice:
            found: dict[str, Any] = document["components"]["schemas"][choice["$ref"].rpartition("/")[2]]
            return found
    return schema


def _types(document: dict[str, Any], schema: dict[str, Any]) -> set[str]:
    """The types and formats that a value may have."""
    told = _resolved(document, schema)
    found = {told["type"]} if isinstance(told.get("type"), str) else set(told.get("type", ()))
    found |= {told["format"]} if told.get("format") else set()
    for choice in (*schema.get("oneOf", ()), *schema.get("anyOf", ())):
        found |= _types(document, choice)
    return found
