"""An authorization server over a fresh database, and a browser and clients that use it as its users would."""

import base64
import hashlib
import re
import secrets
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx

from muniment.api.app import create_app
from muniment.runtime import Runtime
from muniment.tenancy.clients import GRANT_TYPES, NewClient, create_client
from muniment.tenancy.members import Member, create_member
from muniment.tenancy.principal import SCOPES
from muniment.tenancy.tenants import Tenant

ISSUER = "https://memory.example"
BACK = "https://app.example/back"
EMAIL, PASSWORD = "maya@example.org", "a long enough password"
_CSRF = re.compile(r'name="csrf" value="([0-9a-f]{64})"')


@dataclass(slots=True)
class Verifier:
    """A PKCE verifier with its S256 challenge."""

    value: str = field(default_factory=lambda: secrets.token_urlsafe(48))

    @property
    def challenge(self) -> str:
        digest = hashlib.sha256(self.value.encode()).digest()
        return base64.urlsafe_b64encode(digest).decode().rstrip("=")


@dataclass(slots=True)
class Authorization:
    """The server, one tenant on it with a member, a confidential client and a public one."""

    runtime: Runtime
    tenant: Tenant
    app: Any
    http: httpx.AsyncClient
    member: Member
    client: NewClient
    public: NewClient

    @classmethod
    async def begin(cls, runtime: Runtime, http_clients: list[httpx.AsyncClient]) -> "Authorization":
        app = create_app(runtime.settings, nullcontext(runtime))
        app.state.runtime = runtime
        database, tenant = runtime.database, runtime.tenant
        http = httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url=ISSUER)
        http_clients.append(http)
        member = await create_member(database, tenant.number, EMAIL, SCOPES, password=PASSWORD)
        client = await create_client(
            database, tenant.number, "Planner", grant_types=GRANT_TYPES, scopes=SCOPES, redirect_uris=[BACK]
        )
        public = await create_client(
            database, tenant.number, "Phone", scopes=["memory:read", "query:read"], redirect_uris=[BACK],
            grant_types=[each for each in GRANT_TYPES if each != "client_credentials"], auth_method="none",
        )  # fmt: skip
        return cls(runtime, tenant, app, http, member, client, public)

    async def token(self, client: NewClient | None = None, **form: str) -> httpx.Response:
        """What the token endpoint says to the client."""
        return await self.post("token", client or self.client, **form)

    async def post(self, endpoint: str, client: NewClient | None, **form: str) -> httpx.Response:
        """What an endpoint says, to the client by its secret, or by its id alone where it has none."""
        auth = None
        if client is not None and client.secret is not None:
            auth = httpx.BasicAuth(client.client.id, client.secret)
        elif client is not None:
            form = {"client_id": client.client.id} | form
        return await self.http.post(f"/oauth/{endpoint}", data=form, auth=auth or httpx.USE_CLIENT_DEFAULT)

    async def api(self, path: str, token: str, method: str = "GET", **options: Any) -> httpx.Response:
        """What the API says to a token."""
        headers = {"Authorization": f"Bearer {token}"}
        return await self.http.request(method, f"/api/v1/{path}", headers=headers, **options)

    def query(self, client: NewClient, verifier: Verifier, **changes: str | None) -> str:
        """The query of an authorization request; None leaves a parameter out."""
        asked: dict[str, str | None] = {
            "response_type": "code", "client_id": client.client.id, "redirect_uri": BACK, "scope": "memory:read",
            "state": "s t", "code_challenge": verifier.challenge, "code_challenge_method": "S256",
        }  # fmt: skip
        return urlencode({name: value for name, value in (asked | changes).items() if value is not None})

    async def sign_in(self, page: str, *, email: str = EMAIL, password: str = PASSWORD) -> httpx.Response:
        """Opens a page, signs in there, and opens it again."""
        opened = await self.http.get(page)
        assert opened.status_code == 200 and "Password" in opened.text, opened.text
        form = {"step": "sign-in", "csrf": csrf(opened), "email": email, "password": password}
        form |= {name: value[0] for name, value in parse_qs(urlsplit(page).query).items() if name == "user_code"}
        return await self.http.post(page, data=form, follow_redirects=True)

    async def consent(self, client: NewClient, verifier: Verifier, **changes: str | None) -> dict[str, str]:
        """What comes back to the client after its member has said yes."""
        page = "/oauth/authorize?" + self.query(client, verifier, **changes)
        shown = await self.http.get(page)
        if "Password" in shown.text:
            shown = await self.sign_in(page)
        assert shown.status_code == 200, shown.text
        back = await self.http.post(page, data={"step": "allow", "csrf": csrf(shown)})
        return returned(back)

    async def tokens(self, client: NewClient, **changes: str | None) -> dict[str, Any]:
        """The tokens of an authorization code."""
        verifier = Verifier()
        back = await self.consent(client, verifier, **changes)
        answer = await self.token(
            client, grant_type="authorization_code", code=back["code"], redirect_uri=BACK, code_verifier=verifier.value
        )
        assert answer.status_code == 200, answer.text
        told: dict[str, Any] = answer.json()
        return told


def csrf(page: httpx.Response) -> str:
    """The token of the page's form."""
    found = _CSRF.search(page.text)
    assert found is not None, page.text
    return found[1]


def returned(back: httpx.Response) -> dict[str, str]:
    """The parameters that a redirect to the client brings."""
    assert back.status_code == 302, back.text
    location = back.headers["location"]
    assert location.startswith(BACK + "?"), location
    return {name: value[0] for name, value in parse_qs(urlsplit(location).query).items()}


def error(answer: httpx.Response) -> tuple[int, str]:
    """The status and code of an OAuth error."""
    return answer.status_code, answer.json()["error"]
