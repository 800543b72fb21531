"""Access tokens of a tenant's own provider: they open that tenant, within what it lets them, and nothing else."""

import asyncio
import base64
import json
import socket
import time
from collections.abc import Iterator
from functools import partial
from typing import Any

import httpcore
import pytest
from authorization import ISSUER, Authorization
from joserfc.jwk import OctKey, RSAKey
from local_oidc_provider import LocalOidcProvider

from muniment.audit.chain import list_acts
from muniment.errors import MunimentError
from muniment.oauth import discovery, foreign
from muniment.oauth.discovery import ForeignKeys, require_fit
from muniment.settings import Settings
from muniment.tenancy.issuers import add_issuer, list_issuers, remove_issuer
from muniment.tenancy.principal import pin_of
from muniment.tenancy.tenants import create_tenant


@pytest.fixture
def provider() -> Iterator[LocalOidcProvider]:
    listening = LocalOidcProvider()
    yield listening
    listening.close()


@pytest.fixture(autouse=True)
def external(oauth: Authorization) -> None:
    """The server lets tenants bring providers, also from its own network."""
    oauth.app.state.foreign_keys = ForeignKeys(_settings(oauth))


def _settings(oauth: Authorization, issuers: str = "any") -> Settings:
    return oauth.runtime.settings.model_copy(update={"external_issuers": issuers})


def _audience(tenant: Any) -> str:
    return f"{ISSUER}/t_{tenant.public_id.hex}"


async def _opens(oauth: Authorization, token: str) -> bool:
    foreign._recent.clear()  # as in five seconds
    answer = await oauth.api("records", token)
    assert answer.status_code in (200, 401), answer.text
    return answer.status_code == 200


async def test_a_providers_token_opens_its_tenant_with_the_scopes_of_both(
    oauth: Authorization, provider: LocalOidcProvider
) -> None:
    await add_issuer(oauth.runtime.database, oauth.tenant.number, provider.url, ["memory:read", "query:read"])
    token = provider.token(_audience(oauth.tenant), scope="openid memory:read memory:write tenant:admin")
    assert await _opens(oauth, token)
    body = {"group_id": "chat", "messages": [{"role": "user", "content": "The kettle is blue."}]}
    assert (await oauth.api("messages", token, "POST", json=body)).status_code == 403
    assert (await oauth.api("keys", token)).status_code == 403
    assert provider.asked == ["/realms/test/.well-known/openid-configuration", "/realms/test/certs"]
    for _ in range(3):
        assert await _opens(oauth, provider.token(_audience(oauth.tenant)))
    assert len(provider.asked) == 2  # kept


@pytest.mark.parametrize(
    ("claim", "claims", "held"),
    [
        ("scope", {"scope": ["memory:read"]}, True), ("roles", {"roles": "memory:read", "scope": None}, True),
        ("realm_access.roles", {"realm_access": {"roles": ["memory:read"]}}, True),
        ("https://x.example/roles", {"https://x.example/roles": ["memory:read"]}, True),
        ("roles", {}, False), ("roles", {"roles": {"memory:read": True}}, False), ("roles", {"roles": 7}, False),
        ("roles.x", {"roles": "memory:read"}, False),
    ],
)  # fmt: skip
async def test_scopes_are_read_from_the_claim_that_the_tenant_says(
    oauth: Authorization, provider: LocalOidcProvider, claim: str, claims: dict[str, Any], held: bool
) -> None:
    await add_issuer(oauth.runtime.database, oauth.tenant.number, provider.url, ["memory:read"], scope_claim=claim)
    answer = await oauth.api("records", provider.token(_audience(oauth.tenant), **claims))
    assert answer.status_code == (200 if held else 403)


async def test_a_token_is_pinned_to_the_user_that_it_names(oauth: Authorization, provider: LocalOidcProvider) -> None:
    database, tenant = oauth.runtime.database, oauth.tenant.number
    whole = (await oauth.token(grant_type="client_credentials")).json()["access_token"]
    for user in ("maya", "liam"):
        body = {"namespace": {"project_id": "atlas", "user_id": user}, "group_id": user,
                "messages": [{"role": "user", "content": f"The kettle of {user} is blue."}]}  # fmt: skip
        assert (await oauth.api("messages", whole, "POST", json=body)).status_code == 200
    await add_issuer(
        database,
        tenant,
        provider.url,
        ["memory:read", "query:read"],
        user_claim="name",
        pin=pin_of("atlas", None, None),
    )
    maya = provider.token(_audience(oauth.tenant), name="maya", scope="memory:read query:read")
    assert [each["text"] for each in (await oauth.api("records", maya)).json()["records"]] == [
        "The kettle of maya is blue."
    ]
    found = await oauth.api("search", maya, "POST", json={"query": "kettle of liam"})
    assert [hit["text"] for hit in found.json()["hits"]] == ["The kettle of maya is blue."]
    for name in (None, "", 7, "a\nb", "x" * 300):
        assert not await _opens(oauth, provider.token(_audience(oauth.tenant), name=name))
    with pytest.raises(MunimentError) as caught:
        await add_issuer(database, tenant, "https://b.example", ["tenant:admin"], user_claim="name")
    assert caught.value.code == "input.invalid"


async def test_no_other_token_opens_anything(oauth: Authorization, provider: LocalOidcProvider) -> None:
    database, tenant, audience = oauth.runtime.database, oauth.tenant.number, _audience(oauth.tenant)
    other = await create_tenant(database, "other")
    assert not await _opens(oauth, provider.token(audience))  # nobody has brought the provider
    await add_issuer(database, other.number, provider.url, ["memory:read"])
    assert not await _opens(oauth, provider.token(audience))  # another tenant has
    await add_issuer(database, tenant, provider.url, ["memory:read"])
    right, now = provider.token(audience), int(time.time())
    assert await _opens(oauth, right)
    stranger = RSAKey.generate_key(2048, {"alg": "RS256", "kid": provider.keys[0].kid}, private=True)
    public = json.dumps(provider.answer("/certs")["keys"][0])
    secret = OctKey.import_key(public, {"alg": "HS256", "kid": provider.keys[0].kid})
    head, body, signature = right.split(".")
    none = base64.urlsafe_b64encode(b'{"alg":"none"}').decode().rstrip("=")
    wrong = [
        provider.token(audience, key=stranger), provider.token(audience, key=secret), f"{none}.{body}.",
        f"{none}.{body}.{signature}", f"{head}.{body}.", provider.token(audience, exp=now - 60),
        provider.token(audience, exp=None), provider.token(audience, sub=None), provider.token(audience, nbf=now + 600),
        provider.token(audience, iss="https://evil.example"), provider.token(audience, iss=provider.url + "/"),
        provider.token(audience, iss=ISSUER), provider.token(ISSUER + "/api/v1"), provider.token(ISSUER),
        provider.token("https://evil.example/" + audience.rpartition("/")[2]), provider.token(None),
        provider.token([audience, _audience(other)]), provider.token(audience + "0"), provider.token({"x": audience}),
        provider.token(audience, nonce="n"), provider.token(audience, at_hash="h"),
        provider.token(audience, header={"kid": "unknown"}),
    ]  # fmt: skip
    assert [each for each in wrong if await _opens(oauth, each)] == []
    assert await _opens(oauth, provider.token([audience, "https://else.example"]))
    theirs = await oauth.api("records", provider.token(_audience(other)))
    assert theirs.status_code == 200 and theirs.json()["records"] == []


async def test_a_token_of_ours_is_never_taken_for_a_providers(oauth: Authorization) -> None:
    token = (await oauth.token(grant_type="client_credentials")).json()["access_token"]
    assert await _opens(oauth, token)
    await add_issuer(oauth.runtime.database, oauth.tenant.number, ISSUER, ["tenant:admin"])
    assert (await oauth.api("records", token)).status_code == 200


async def test_keys_that_rotate_are_found_and_asked_for_with_measure(
    oauth: Authorization, provider: LocalOidcProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    await add_issuer(oauth.runtime.database, oauth.tenant.number, provider.url, ["memory:read"])
    audience = _audience(oauth.tenant)
    before = provider.token(audience)
    assert await _opens(oauth, before)
    provider.rotate()
    after = provider.token(audience)
    for _ in range(5):
        assert not await _opens(oauth, after)  # asked a moment ago
    assert len(provider.asked) == 2
    monkeypatch.setattr(discovery, "COOLDOWN_SECONDS", 0.0)
    assert await _opens(oauth, after) and len(provider.asked) == 4
    assert not await _opens(oauth, before)
    provider.broken = True
    monkeypatch.setattr(discovery, "FRESH_SECONDS", 0.0)
    assert await _opens(oauth, after)  # its last keys count while it does not answer


async def test_a_provider_that_calls_itself_otherwise_or_lies_in_our_network_is_not_believed(
    oauth: Authorization, provider: LocalOidcProvider
) -> None:
    await add_issuer(oauth.runtime.database, oauth.tenant.number, provider.url, ["memory:read"])
    token = provider.token(_audience(oauth.tenant))
    oauth.app.state.foreign_keys = ForeignKeys(_settings(oauth, "public"))
    assert not await _opens(oauth, token) and provider.asked == []
    oauth.app.state.foreign_keys = ForeignKeys(_settings(oauth))
    provider.named = "https://evil.example"
    assert not await _opens(oauth, token)
    oauth.app.state.foreign_keys = None  # switched off
    provider.named = None
    assert not await _opens(oauth, token)


_FEW: dict[str, tuple[str, dict[str, Any]]] = {
    "another name": ("other_issuer", {"issuer": "https://evil.example"}),
    "no name": ("other_issuer", {"issuer": None}),
    "keys in a file": ("unreachable", {"jwks_uri": "file:///etc/passwd"}),
    "no place of keys": ("unreachable", {"jwks_uri": None}),
    "signatures by a shared secret": ("no_algorithm", {"id_token_signing_alg_values_supported": ["HS256", "none"]}),
}
_NO_KEYS: list[dict[str, Any]] = [
    {}, {"kty": "oct", "k": "c2VjcmV0"}, {"use": "enc"}, {"alg": "RSA-OAEP"},
    {"kty": "EC", "crv": "P-0", "x": "", "y": ""},
]  # fmt: skip


@pytest.mark.parametrize("what", _FEW)
async def test_a_provider_whose_discovery_will_not_do_is_not_added(
    oauth: Authorization, provider: LocalOidcProvider, what: str
) -> None:
    fault, provider.described = _FEW[what]
    await _is_refused(oauth, provider, fault)
    assert await ForeignKeys(_settings(oauth)).of(provider.url, "k") is None


@pytest.mark.parametrize("key", _NO_KEYS)
async def test_a_provider_without_a_key_to_check_signatures_with_is_not_added(
    oauth: Authorization, provider: LocalOidcProvider, monkeypatch: pytest.MonkeyPatch, key: dict[str, Any]
) -> None:
    published = provider.answer("/certs")["keys"][0]
    own = provider.answer
    useless = {"keys": [published | key] if key else []}
    monkeypatch.setattr(provider, "answer", lambda path: useless if path.endswith("/certs") else own(path))
    await _is_refused(oauth, provider, "no_keys")
    useless["keys"].append(published)  # one that will do is enough
    await add_issuer(
        oauth.runtime.database, oauth.tenant.number, provider.url, ["memory:read"],
        check=partial(require_fit, settings=_settings(oauth)),
    )  # fmt: skip


@pytest.mark.parametrize(
    "forced",
    [(302, b""), (200, b"[]"), (200, b"{"), (200, b"\xff"), (200, b" " * (discovery._LARGEST + 1)), (404, b"{}")],
)
async def test_what_is_no_answer_gives_no_keys(
    oauth: Authorization, provider: LocalOidcProvider, forced: tuple[int, bytes]
) -> None:
    provider.forced = forced
    await _is_refused(oauth, provider, "unreachable")
    assert len(provider.asked) == 1, "no redirect is followed"


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:{port}/realms/test", "https://127.0.0.1:{port}", "https://localhost:{port}",
        "https://2130706433:{port}", "https://[::1]:{port}", "https://[::ffff:127.0.0.1]:{port}",
        "https://169.254.169.254", "https://10.0.0.1", "https://0x7f000001",
    ],
)  # fmt: skip
async def test_a_provider_in_our_own_network_is_not_asked_and_nothing_tells_that_it_is_there(
    oauth: Authorization, provider: LocalOidcProvider, url: str
) -> None:
    port = provider.url.split("/")[2].rpartition(":")[2]
    told = await _refusal(oauth, url.format(port=port), "public")
    silent = await _refusal(oauth, "https://127.0.0.1:1", "public")
    assert (told.code, told.facts, told.detail) == (silent.code, silent.facts, silent.detail)
    assert provider.asked == []


async def test_the_address_that_is_dialled_is_the_one_that_was_checked(
    oauth: Authorization, provider: LocalOidcProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that is public when it is looked up first and ours the second time reaches nothing of ours."""
    asked: list[str] = []
    turns = iter(["93.184.215.14", "127.0.0.1", "127.0.0.1"])

    def rebinding(host: str, port: int, *_: Any, **__: Any) -> list[Any]:
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (next(turns), port))]

    dialled: list[str] = []

    def dial(_: Any, host: str, *__: Any, **___: Any) -> Any:
        dialled.append(host)
        raise httpcore.ConnectError

    monkeypatch.setattr(socket, "getaddrinfo", rebinding)
    monkeypatch.setattr(httpcore.SyncBackend, "connect_tcp", dial)
    told = await asyncio.to_thread(_fault_of, "https://rebinding.example", _settings(oauth, "public"))
    assert (told, asked, dialled) == ("unreachable", ["rebinding.example"], ["93.184.215.14"])


def _fault_of(url: str, settings: Settings) -> str:
    with pytest.raises(discovery._UnfitError) as caught:
        discovery._discovered(url, settings)
    return caught.value.fault


async def _refusal(oauth: Authorization, url: str, issuers: str = "any") -> MunimentError:
    with pytest.raises(MunimentError) as caught:
        await add_issuer(
            oauth.runtime.database, oauth.tenant.number, url, ["memory:read"],
            check=partial(require_fit, settings=_settings(oauth, issuers)),
        )  # fmt: skip
    assert await list_issuers(oauth.runtime.database, oauth.tenant.number) == []
    return caught.value


async def _is_refused(oauth: Authorization, provider: LocalOidcProvider, fault: str) -> None:
    told = await _refusal(oauth, provider.url)
    assert (told.code, told.facts["fault"]) == ("auth.issuer_unfit", fault)


async def test_issuers_are_brought_listed_and_removed_over_rest(
    oauth: Authorization, provider: LocalOidcProvider
) -> None:
    administrator = (await oauth.token(grant_type="client_credentials", scope="tenant:admin")).json()["access_token"]
    asked = {"url": provider.url, "scopes": ["memory:read"], "pin": {"user_id": "maya"}}
    ours = await oauth.api("issuers", administrator, "POST", json=asked)
    assert (ours.status_code, ours.json()["code"]) == (422, "auth.issuer_unfit"), "it lies in our own network"
    asked |= {"unchecked": True}
    made = (await oauth.api("issuers", administrator, "POST", json=asked)).json()
    assert made["id"].startswith("i_") and made["pin"]["user_id"] == "maya"
    act = (await list_acts(oauth.runtime.database, oauth.tenant.number)).entries[0]
    assert act.action == "issuer.add" and act.detail == {
        "url": provider.url, "scopes": ["memory:read"], "scope_claim": "scope", "user_claim": None, "checked": False,
        "pin": {"project_id": None, "user_id": "maya", "agent_id": None},
    }  # fmt: skip
    again = await oauth.api("issuers", administrator, "POST", json=asked)
    assert (again.status_code, again.json()["code"]) == (409, "auth.issuer_exists")
    assert (await oauth.api("issuers", administrator)).json()["issuers"] == [made]
    token = provider.token(_audience(oauth.tenant))
    assert await _opens(oauth, token)
    assert (await oauth.api(f"issuers/{made['id']}", administrator, "DELETE")).status_code == 204
    assert not await _opens(oauth, token)
    assert await list_issuers(oauth.runtime.database, oauth.tenant.number) == []
    with pytest.raises(MunimentError) as caught:
        await remove_issuer(oauth.runtime.database, oauth.tenant.number, made["id"])
    assert caught.value.code == "auth.issuer_not_found"
    for wrong in ("idp.example", "ftp://idp.example", "https://a?x", "https://me@a", "http://[", "https://a:b"):
        refused = await oauth.api("issuers", administrator, "POST", json=asked | {"url": wrong})
        assert refused.status_code == 400
