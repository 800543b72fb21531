"""What is wrong about a request to an endpoint of OAuth is told as RFC 6749, section 5.2, says."""

import base64
from typing import Any

import httpx
import pytest
from authorization import Authorization, error

from muniment.tenancy.clients import NewClient, create_client

FORM = "application/x-www-form-urlencoded"
ENDPOINTS = ("token", "device_authorization", "introspect", "revoke")


@pytest.mark.parametrize("endpoint", ENDPOINTS)
@pytest.mark.parametrize(
    ("kind", "body", "status"),
    [
        ("application/json", b'{"grant_type": "client_credentials"}', 400), ("", b"grant_type=client_credentials", 400),
        ("multipart/form-data; boundary=x", b"--x--", 400), (FORM, b"a=1&" * 100, 400), (FORM, b"x" * 70_000, 413),
        (FORM, b"scope=a&scope=b", 400),
    ],
)  # fmt: skip
async def test_a_body_that_is_no_form_is_an_invalid_request(
    oauth: Authorization, endpoint: str, kind: str, body: bytes, status: int
) -> None:
    headers = {"Content-Type": kind} if kind else {}
    answer = await oauth.http.post(f"/oauth/{endpoint}", content=body, headers=headers)
    assert error(answer) == (status, "invalid_request"), answer.text
    assert set(answer.json()) <= {"error", "error_description", "error_uri"}
    assert answer.headers["content-type"].partition(";")[0] == "application/json"
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("body", [b"", b"{}", b"\xff\xfe", b"grant_type=", b"scope=memory%3Aread"])
async def test_a_form_without_a_grant_type_is_an_invalid_request(oauth: Authorization, body: bytes) -> None:
    answer = await oauth.http.post("/oauth/token", content=body, headers={"Content-Type": FORM})
    assert error(answer) == (400, "invalid_request")
    named = await oauth.token(grant_type="password")
    assert error(named) == (400, "unsupported_grant_type")


async def test_registration_tells_too_large_metadata_in_the_same_form(oauth: Authorization) -> None:
    oauth.runtime.settings.client_registration = True
    token = (await oauth.token(grant_type="client_credentials", scope="tenant:admin")).json()["access_token"]
    answer = await oauth.http.post(
        "/oauth/register", content=b" " * 70_000, headers={"Authorization": f"Bearer {token}"}
    )
    assert error(answer) == (413, "invalid_request")


async def _ways(oauth: Authorization, client: NewClient, secret: str) -> dict[str, httpx.Response]:
    """What a client is told that authenticates in each way there is."""
    form = {"grant_type": "client_credentials", "scope": "memory:read"}
    basic, named = httpx.BasicAuth(client.client.id, secret), {"client_id": client.client.id}
    return {
        "client_secret_basic": await oauth.http.post("/oauth/token", data=form, auth=basic),
        "client_secret_post": await oauth.http.post("/oauth/token", data=form | named | {"client_secret": secret}),
        "none": await oauth.http.post("/oauth/token", data=form | named),
    }


def _refused(answer: httpx.Response) -> None:
    assert error(answer) == (401, "invalid_client"), answer.text
    assert answer.headers["www-authenticate"].startswith('Basic realm="')


@pytest.mark.parametrize("method", ["client_secret_basic", "client_secret_post"])
async def test_a_client_authenticates_as_it_is_registered_and_in_no_other_way(
    oauth: Authorization, method: Any
) -> None:
    client = await create_client(
        oauth.runtime.database, oauth.tenant.number, "Importer", grant_types=["client_credentials"],
        scopes=["memory:read"], auth_method=method,
    )  # fmt: skip
    assert client.secret is not None
    told = await _ways(oauth, client, client.secret)
    assert told.pop(method).status_code == 200
    for answer in told.values():
        _refused(answer)
    for answer in (await _ways(oauth, client, client.secret + "x")).values():
        _refused(answer)


async def test_one_that_is_not_known_gets_the_answer_of_a_wrong_secret(oauth: Authorization) -> None:
    assert oauth.client.secret is not None
    form = {"grant_type": "client_credentials"}
    wrong, unknown = [
        await oauth.http.post("/oauth/token", data=form, auth=httpx.BasicAuth(*each))
        for each in ((oauth.client.client.id, "wrong"), ("o_" + "0" * 32, oauth.client.secret))
    ]
    _refused(wrong)
    assert (wrong.text, wrong.headers["www-authenticate"]) == (unknown.text, unknown.headers["www-authenticate"])


@pytest.mark.parametrize("more", [{"client_secret": "x"}, {"client_id": "o_" + "0" * 32}])
async def test_a_client_that_authenticates_in_two_ways_is_refused(oauth: Authorization, more: dict[str, str]) -> None:
    assert error(await oauth.token(grant_type="client_credentials", **more)) == (400, "invalid_request")
    same = await oauth.token(grant_type="client_credentials", client_id=oauth.client.client.id)
    assert same.status_code == 200  # who it is may stand in both


@pytest.mark.parametrize("sent", ["Basic", "Basic !", "Basic " + base64.b64encode(b"\xff:\xff").decode(), "Bearer x"])
async def test_a_header_that_says_nothing_is_no_client(oauth: Authorization, sent: str) -> None:
    form = {"grant_type": "client_credentials"}
    answer = await oauth.http.post("/oauth/token", data=form, headers={"Authorization": sent})
    assert error(answer) in ((401, "invalid_client"), (400, "invalid_request"))


async def test_the_document_describes_the_endpoints_with_their_forms_and_errors(oauth: Authorization) -> None:
    document = (await oauth.http.get("/openapi.json")).json()
    paths = document["paths"]
    metadata = oauth.app.state.issuer.metadata(registration=True)
    for name, url in metadata.items():
        if name.endswith("_endpoint") and name != "authorization_endpoint":  # which is for browsers
            operation = paths[url.removeprefix(metadata["issuer"])]["post"]
            assert operation["requestBody"]["content"].keys() <= {FORM, "application/json"}
            assert {"400", "404"} < operation["responses"].keys(), name
            assert operation["responses"]["400"]["content"].keys() == {"application/json"}
    form = paths["/oauth/token"]["post"]["requestBody"]["content"][FORM]["schema"]
    assert form["required"] == ["grant_type"] and {"code", "code_verifier", "refresh_token"} < form["properties"].keys()
    assert "/.well-known/oauth-authorization-server" in paths
    flow = document["components"]["securitySchemes"]["oauth"]["flows"]["authorizationCode"]
    assert metadata["authorization_endpoint"] == metadata["issuer"] + flow["authorizationUrl"]
    assert set(flow["scopes"]) == set(metadata["scopes_supported"])
    rotate = paths["/api/v1/keys/{key_id}/rotate"]["post"]["requestBody"]
    assert not rotate.get("required", False)
