"""schemathesis over the whole OpenAPI document: no server error, nothing outside of what the document promises."""

import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from tests.acceptance.conftest import LiveServer

_CHECKS = (not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance)
_EXAMPLES = 25
_ENDLESS = "/api/v1/query-runs/events"  # a stream without an end; test_query_run_resources.py reads from it


def test_every_operation_keeps_its_promises(live_server: LiveServer) -> None:
    schema = schemathesis.openapi.from_url(f"{live_server.url}/openapi.json")
    operations = [result.ok() for result in schema.get_all_operations()]
    assert len(operations) >= 15
    for operation in operations:
        if operation.path == _ENDLESS:
            continue
        _attack(operation, live_server.key)
    with live_server.client() as client:  # what was made up may say that everything is to be erased
        assert client.put("/api/v1/policy", json={"reason": "the end of a test"}).status_code == 200


def _attack(operation: schemathesis.APIOperation, key: str) -> None:  # type: ignore[name-defined]
    from hypothesis import given

    @settings(max_examples=_EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy())
    def attack(case: schemathesis.Case) -> None:
        case.call_and_validate(headers={"Authorization": f"Bearer {key}"}, checks=list(_CHECKS), timeout=60)

    attack()
