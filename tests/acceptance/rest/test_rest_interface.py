"""The REST interface, as a stranger with curl meets it."""

import base64
import json
import re
import uuid
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from tests.acceptance.conftest import LiveServer


@pytest.fixture
def client(live_server: LiveServer) -> Any:
    with live_server.client() as opened:
        yield opened


@pytest.fixture
def project() -> str:
    """A project of the test's own on the shared server."""
    return f"project-{uuid.uuid4().hex}"


def ingest(client: httpx.Client, project: str, *sources: dict[str, Any], **headers: str) -> httpx.Response:
    body = {"namespace": {"project_id": project}, "sources": list(sources)}
    return client.post("/api/v1/sources/ingest", json=body, headers=headers)


def assert_problem(response: httpx.Response, status: int, code: str) -> dict[str, Any]:
    assert response.status_code == status, response.text
    assert response.headers["content-type"].startswith("application/problem+json")
    assert response.headers["x-content-type-options"] == "nosniff" and response.headers["cache-control"] == "no-store"
    problem: dict[str, Any] = response.json()
    assert problem["code"] == code and problem["status"] == status and problem["detail"]
    return problem


def test_a_run_tells_of_each_source_and_one_failure_harms_no_other(client: httpx.Client, project: str) -> None:
    run = ingest(
        client, project,
        {"kind": "url", "url": "http://127.0.0.1/spec.html"},
        {"kind": "text", "text": "The launch is confirmed for 14 October 2026.", "source_key": "launch-memo"},
        {"kind": "file", "filename": "notes.md", "content_base64": base64.b64encode(b"# Notes\n\nLiam.").decode()},
        {"kind": "text", "text": " \n "},
    ).json()  # fmt: skip
    assert run["state"] == "partial" and run["id"].startswith("r_")
    assert [item["state"] for item in run["items"]] == ["failed", "stored", "stored", "failed"]
    assert run["items"][0]["error"]["code"] == "source.url_refused"
    assert run["items"][3]["error"]["code"] == "input.empty_text"
    assert client.get(f"/api/v1/ingestion-runs/{run['id']}").json() == run


def test_a_question_is_answered_with_a_citation_that_leads_to_the_record(client: httpx.Client, project: str) -> None:
    text = "Project Atlas launch date is confirmed for 14 October 2026."
    ingest(client, project, {"kind": "text", "text": text, "source_key": "launch-memo"})
    question = {
        "question": "What is the confirmed launch date for Project Atlas?",
        "namespace": {"project_id": project},
    }
    answer = client.post("/api/v1/query", json=question | {"top_k": 5}).json()
    assert answer["abstain"] is False and "14 October 2026" in answer["answer"] and answer["query_id"].startswith("q_")
    (citation,) = answer["citations"]
    assert citation["excerpt"] in text and citation["locator"]["source_key"] == "launch-memo"
    record = client.get(f"/api/v1/records/{citation['record_id']}").json()
    assert record["text"] == text and record["live"] is True


def test_a_question_about_what_was_never_said_is_not_answered(client: httpx.Client, project: str) -> None:
    ingest(client, project, {"kind": "text", "text": "The pier is painted blue every spring."})
    question = {"question": "What is the melting point of tungsten?", "namespace": {"project_id": project}}
    answer = client.post("/api/v1/query", json=question).json()
    assert answer["abstain"] is True and answer["citations"] == []
    assert answer["answer"] == "I don't have enough grounded evidence to answer that."


def test_one_project_does_not_see_another(client: httpx.Client, project: str) -> None:
    ingest(client, project, {"kind": "text", "text": "The safe code of the harbour office is 7714."})
    other = client.post(
        "/api/v1/search", json={"query": "safe code harbour office", "namespace": {"project_id": "x-" + project}}
    )
    assert other.json()["hits"] == []


def test_a_later_version_replaces_what_is_found_and_keeps_what_was(client: httpx.Client, project: str) -> None:
    ingest(client, project, {"kind": "text", "text": "The launch is on 14 October 2026.", "source_key": "launch"})
    run = ingest(
        client, project, {"kind": "text", "text": "The launch is on 4 November 2026.", "source_key": "launch"}
    ).json()
    assert run["items"][0]["version"] == 2
    found = client.post(
        "/api/v1/search", json={"query": "When is the launch?", "namespace": {"project_id": project}}
    ).json()
    assert [hit["text"] for hit in found["hits"]] == ["The launch is on 4 November 2026."]
    source = client.get(f"/api/v1/sources/{run['items'][0]['source_id']}").json()
    assert [version["current"] for version in source["versions"]] == [True, False]
    closed = client.get("/api/v1/records", params={"project_id": project, "include_closed": True}).json()["records"]
    assert [record["live"] for record in closed] == [False, True]


def test_records_page_in_the_order_of_the_log(client: httpx.Client, project: str) -> None:
    messages = [{"role": "user", "content": f"message number {number}"} for number in range(7)]
    body = {"namespace": {"project_id": project}, "group_id": "chat", "messages": messages}
    client.post("/api/v1/messages", json=body).raise_for_status()
    texts: list[str] = []
    cursor = None
    while True:
        parameters = {"project_id": project, "limit": 3} | ({"cursor": cursor} if cursor else {})
        page = client.get("/api/v1/records", params=parameters).json()
        texts += [record["text"] for record in page["records"]]
        cursor = page["next"]
        if cursor is None:
            break
    assert texts == [message["content"] for message in messages]


def test_the_same_write_under_one_idempotency_key_is_done_once(client: httpx.Client, project: str) -> None:
    body = {
        "namespace": {"project_id": project}, "group_id": "chat",
        "messages": [{"role": "user", "content": "Said once."}],
    }  # fmt: skip
    key = {"Idempotency-Key": uuid.uuid4().hex}

    def send(_: int) -> httpx.Response:
        return client.post("/api/v1/messages", json=body, headers=key)

    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(send, range(6)))
    done = [answer.json()["id"] for answer in answers if answer.status_code == 200]
    assert done and len(set(done)) == 1
    for answer in answers:
        if answer.status_code != 200:
            assert_problem(answer, 409, "idempotency.in_progress")
    assert len(client.get("/api/v1/records", params={"project_id": project}).json()["records"]) == 1
    other = body | {"messages": [{"role": "user", "content": "Something else."}]}
    assert_problem(client.post("/api/v1/messages", json=other, headers=key), 422, "idempotency.mismatch")


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ('{"question": ', 400, "input.json_invalid"),
        ("[" * 100_000, 400, "input.json_invalid"),
        ('{"question": ' + "[" * 3000 + "]" * 3000 + "}", 400, "input.json_invalid"),
        ("[]", 400, "input.invalid"),
        ("null", 400, "input.invalid"),
        ('{"question": 7}', 400, "input.invalid"),
        ('{"question": ""}', 422, "input.empty_text"),
        ('{"question": " \\n"}', 422, "input.empty_text"),
        ('{"question": "x", "namespace": {"projct_id": "a"}}', 400, "input.namespace_unknown_key"),
        ('{"question": "x", "namespace": {"project_id": ""}}', 400, "input.namespace_invalid"),
        ('{"question": "x", "namespace": {"project_id": "a\\u0000"}}', 400, "input.namespace_invalid"),
        ('{"question": "x", "top_k": 0}', 400, "input.invalid"),
        ('{"question": "x", "top_k": 100000}', 413, "input.too_many"),
        ('{"question": "x", "filters": {"metadata": {"floor": 1%s}}}' % ("0" * 400), 422, "input.metadata_invalid"),
        ("", 400, "input.invalid"),
        ('{"question": "x", "colour": "red"}', 400, "input.invalid"),
        ('{"question": "x", "top_k": true}', 400, "input.invalid"),
        ('{"question": "x", "top_k": "5"}', 400, "input.invalid"),
        ('{"question": "x", "top_k": 1, "top_k": 2}', 400, "input.json_invalid"),
        ('{"question": "x", "filters": {"role": "user", "role": "assistant"}}', 400, "input.json_invalid"),
        ('{"question": "x", "filters": {"colour": "red"}}', 400, "input.filter_unknown"),
        ('{"question": "x", "filters": {"time": {"since": 1700000000}}}', 422, "input.time_invalid"),
        ('{"question": "x", "as_of": "1700000000"}', 422, "input.time_invalid"),
        ('{"question": "a\\u0000b"}', 422, "input.nul_byte"),
        ('{"question": "\\ud800"}', 400, "input.json_invalid"),
    ],
)
def test_a_bad_question_gets_a_clear_error(client: httpx.Client, body: str, status: int, code: str) -> None:
    response = client.post("/api/v1/query", content=body, headers={"Content-Type": "application/json"})
    assert_problem(response, status, code)


@pytest.mark.parametrize(
    ("path", "body", "code", "detail"),
    [
        ("query", {"question": 7}, "input.invalid", "question: must be a text"),
        ("query", {"question": "x", "filters": {"kind": "y"}}, "input.invalid", "filters.kind: must be one of raw, "),
        ("query", {"question": "x", "filters": {"metadata": {"k": [1]}}}, "input.metadata_invalid",
         "filters.metadata.k: must be a text of up to 1024 characters, a number, true or false, or a condition"),
        ("query", {"question": "x", "namespace": {"user_id": []}}, "input.namespace_invalid",
         "namespace.user_id: must be a text"),
        ("query", {"question": "x", "colour": 1}, "input.invalid", "colour: is not known; known are "),
        ("messages", {"group_id": "g", "colour": 1}, "input.invalid", "colour: is not known; known are namespace, "),
        ("erasures", {"reason": "x", "colour": 1}, "input.invalid", "colour: is not known; known are reason, records"),
        ("records/forget", {"reason": "x", "colour": 1}, "input.invalid", "colour: is not known; known are reason, "),
        ("sources/ingest", {"sources": [{"kind": "text", "metadata": {"k": {}}}]}, "input.metadata_invalid",
         "sources.0.metadata.k: must be a text, a number, or true or false"),
        ("messages", {"group_id": "g", "messages": [{"role": "u", "content": []}]}, "input.message_invalid",
         "messages.0.content: must be a text"),
    ],
)  # fmt: skip
def test_what_is_wrong_inside_a_body_is_told_by_its_path_and_by_what_is_allowed(
    client: httpx.Client, path: str, body: dict[str, Any], code: str, detail: str
) -> None:
    problem = client.post(f"/api/v1/{path}", json=body).json()
    assert problem["code"] == code and problem["detail"].startswith(detail), problem


def test_a_body_that_is_left_out_is_asked_for(client: httpx.Client) -> None:
    for path in ("query", "messages", "erasures"):
        problem = assert_problem(client.post(f"/api/v1/{path}"), 400, "input.invalid")
        assert problem["detail"] == "the body must be a JSON object"


@pytest.mark.parametrize(
    ("parameters", "status", "code"),
    [
        ({"as_of": "2024-02-01"}, 422, "input.time_without_zone"),
        ({"asked_at": "2024-02-01T10:00:00"}, 422, "input.time_without_zone"),
        ({"as_of": "soon"}, 422, "input.time_invalid"),
        ({"known_at": "1000000"}, 400, "input.invalid"),
    ],
)
def test_claims_and_summaries_refuse_times_and_commits_as_searches_do(
    client: httpx.Client, parameters: dict[str, str], status: int, code: str
) -> None:
    problem = assert_problem(client.get("/api/v1/claims", params=parameters), status, code)
    assert "2026-11-29T12:00:00Z" in problem["detail"] or "the last commit is" in problem["detail"]
    if "as_of" not in parameters:
        summaries = client.get("/api/v1/summaries", params=parameters | {"kind": "card"})
        assert_problem(summaries, status, code)


@pytest.mark.parametrize(
    ("parameters", "detail"),
    [
        ({"limit": "0"}, "limit: must be a whole number of at least 1"),
        ({"limit": "x"}, "limit: must be a whole number"),
        ({"include_closed": "x"}, "include_closed: must be true or false"),
        ({"kind": "rumour"}, "kind: must be one of raw, fact, correction"),
        ({"group_id": ""}, "group_id: must be a text of at least 1 character"),
    ],
)
def test_a_wrong_parameter_of_a_list_is_told_by_its_name(
    client: httpx.Client, parameters: dict[str, str], detail: str
) -> None:
    problem = client.get("/api/v1/records", params=parameters).json()
    assert problem["code"] == "input.invalid" and problem["detail"].startswith(detail), problem


@pytest.mark.parametrize(
    "question",
    [
        "'; drop table muniment.record; --",
        "(((?:.*)+)+$",
        "ما هو لون الرصيف",
        "桟橋は何色ですか",
        "🦭" * 50,
        "word " * 10_000,
    ],
)
def test_an_odd_question_just_works(client: httpx.Client, project: str, question: str) -> None:
    ingest(client, project, {"kind": "text", "text": "The pier is blue. 桟橋は青です。 الرصيف أزرق 🦭"})
    response = client.post("/api/v1/search", json={"query": question, "namespace": {"project_id": project}})
    assert response.status_code == 200, response.text


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ({"role": "user", "content": ""}, "input.empty_text"),
        ({"role": "user", "content": "\t\n"}, "input.empty_text"),
        ({"role": "user", "content": "a\u0000b"}, "input.nul_byte"),
        ({"role": "user", "content": "x", "at": "2026-03-01T10:00:00"}, "input.time_without_zone"),
        ({"role": "user", "content": "x", "at": "2126-03-01T10:00:00Z"}, "input.time_in_future"),
        ({"role": "user", "content": "x", "at": "yesterday"}, "input.time_invalid"),
        ({"content": "nobody said this"}, "input.message_invalid"),
        ({"role": "user", "content": "x" * (1024 * 1024 + 1)}, "input.too_large"),
    ],
)
def test_one_bad_message_refuses_the_batch_and_nothing_is_stored(
    client: httpx.Client, project: str, message: dict[str, Any], code: str
) -> None:
    body = {
        "namespace": {"project_id": project},
        "group_id": "chat",
        "messages": [{"role": "user", "content": "fine"}, message],
    }
    response = client.post("/api/v1/messages", json=body)
    assert response.json()["code"] == code, response.text
    assert client.get("/api/v1/records", params={"project_id": project}).json()["records"] == []


def test_a_body_over_the_limit_names_the_limit_and_its_setting(client: httpx.Client) -> None:
    too_large = json.dumps({"question": "x" * (65 * 1024 * 1024)})
    response = client.post("/api/v1/query", content=too_large, headers={"Content-Type": "application/json"})
    problem = assert_problem(response, 413, "input.too_large")
    assert problem["facts"] == {"limit": 1024 * 1024, "setting": "MUNIMENT_MAX_COMMAND_BYTES"}
    response = client.post("/api/v1/sources/ingest", content=too_large, headers={"Content-Type": "application/json"})
    problem = assert_problem(response, 413, "input.too_large")
    assert problem["facts"] == {"limit": 64 * 1024 * 1024, "setting": "MUNIMENT_MAX_REQUEST_BYTES"}


def test_a_server_never_reads_its_own_files_for_a_caller(client: httpx.Client, project: str) -> None:
    assert_problem(ingest(client, project, {"kind": "file", "path": "/etc/passwd"}), 400, "input.invalid")


@pytest.mark.parametrize("header", [None, "", "Bearer", "Basic abc", "Bearer mun_wrong", "Bearer \xff"])
def test_without_a_good_key_nothing_is_told(live_server: LiveServer, header: str | None) -> None:
    headers = {} if header is None else {"Authorization": header.encode("latin-1")}
    response = httpx.get(f"{live_server.url}/api/v1/records", headers=headers)
    assert response.status_code == 401 and response.json()["code"] in ("auth.missing", "auth.invalid")
    assert response.headers["www-authenticate"].startswith("Bearer")


@pytest.mark.parametrize(
    ("method", "path", "code"),
    [
        ("GET", "/api/v1/records/d_00000000000000000000000000000000", "record.not_found"),
        ("GET", "/api/v1/records/nonsense", "record.not_found"),
        ("GET", "/api/v1/records/d_00000000000000000000000000000000/proof", "record.not_found"),
        ("GET", "/api/v1/sources/s_00000000000000000000000000000000", "source.not_found"),
        ("GET", "/api/v1/ingestion-runs/r_00000000000000000000000000000000", "run.not_found"),
        ("GET", "/api/v1/nothing", "route.not_found"),
        ("DELETE", "/api/v1/records", "route.method_not_allowed"),
    ],
)
def test_what_is_not_there_is_said_so(client: httpx.Client, method: str, path: str, code: str) -> None:
    response = client.request(method, path)
    assert response.json()["code"] == code and response.headers["content-type"].startswith("application/problem+json")


def test_health_needs_no_key_and_answers_carry_safe_headers(live_server: LiveServer) -> None:
    for path in ("live", "ready"):
        response = httpx.get(f"{live_server.url}/health/{path}")
        assert response.json() == {"status": path}
        assert (
            response.headers["x-content-type-options"] == "nosniff" and response.headers["cache-control"] == "no-store"
        )


def test_the_documentation_is_served_from_here_alone(live_server: LiveServer) -> None:
    page = httpx.get(f"{live_server.url}/docs").text
    assert "swagger" in page and "https://cdn" not in page
    assert httpx.get(f"{live_server.url}/docs/assets/js/swagger-ui-bundle.js").status_code == 200
    document = httpx.get(f"{live_server.url}/openapi.json").json()
    assert document["openapi"].startswith("3.1")
    identifiers = [operation["operationId"] for path in document["paths"].values() for operation in path.values()]
    assert len(identifiers) == len(set(identifiers))


@pytest.mark.parametrize("path", ["/api/v1/commits/{}/undo", "/api/v1/query-runs/q_{}/stages/{}"])
def test_a_number_beyond_the_logs_is_no_fault_inside(client: httpx.Client, path: str) -> None:
    huge = 93614348291564228242228196990020222976
    asked = path.format(uuid.uuid4().hex, huge) if path.count("{}") == 2 else path.format(huge)
    response = client.post(asked, json={"reason": "0"}) if "undo" in path else client.get(asked)
    assert response.status_code in (400, 404), response.text


@pytest.mark.parametrize(
    "path", ["jobs?kind=a%00b", "records?group_id=a%00b", "sources?cursor=a%00b", "query-runs?cursor=%00"]
)
def test_a_nul_in_a_parameter_is_refused(client: httpx.Client, path: str) -> None:
    response = client.get(f"/api/v1/{path}")
    assert 400 <= response.status_code < 500, response.text


def test_a_parameter_that_a_resource_does_not_know_is_refused_by_every_operation(client: httpx.Client) -> None:
    paths = client.get("/openapi.json").json()["paths"]
    asked = 0
    for path, operations in paths.items():
        if not path.startswith("/api/"):
            continue
        for method, operation in operations.items():
            assert "400" in operation["responses"], (method, path)
            known = sorted(p["name"] for p in operation.get("parameters", []) if p["in"] == "query")
            filled = re.sub(r"{[^}]*}", "1", path)
            problem = assert_problem(client.request(method, f"{filled}?limt=1"), 400, "input.invalid")
            assert '"limt"' in problem["detail"] and problem["facts"] == {"known": known}
            asked += 1
    assert asked >= 25


@pytest.mark.parametrize(
    "path",
    [
        "query-runs?limit=1&from=2026-01-01",
        "records?limit=1&project=x",
        "sources?limit=1&kind=text",
        "jobs?limit=1&q=a",
    ],
)
def test_a_known_parameter_beside_an_unknown_one_does_not_let_it_pass(client: httpx.Client, path: str) -> None:
    assert client.get(f"/api/v1/{path.split('&')[0]}").status_code == 200
    assert_problem(client.get(f"/api/v1/{path}"), 400, "input.invalid")


def test_a_pin_that_names_nothing_is_refused_and_never_taken_for_none(client: httpx.Client) -> None:
    for pin in ({}, {"project_id": None}):
        body = {"label": "lost its pin", "scopes": ["memory:read"], "pin": pin}
        assert_problem(client.post("/api/v1/keys", json=body), 400, "input.invalid")
    assert "lost its pin" not in client.get("/api/v1/keys").text
