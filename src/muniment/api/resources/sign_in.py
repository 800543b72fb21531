"""The authorization server's pages for people: signing in, and saying what a client may do.

A form is ours when it brings what was derived, for this very request, from a cookie that only its browser has; one
that comes from another origin is refused before that.
"""

import hmac
import secrets
from dataclasses import asdict
from typing import Any, Final, Literal
from urllib.parse import parse_qsl, urlencode

from authlib.oauth2.rfc6749 import OAuth2Error
from litestar import Controller, Request, Response, get, post
from litestar.datastructures import Cookie, State
from litestar.response import Redirect

from muniment.api.pages import SCOPE_WORDS, page
from muniment.api.resources.oauth import answer, form_of, issuer_in, server_in
from muniment.database.pool import Database
from muniment.oauth.consent import WaitingDevice, admit, decide_device, offer, waiting_device
from muniment.oauth.issuer import Issuer
from muniment.oauth.parties import Consent
from muniment.oauth.server import AuthorizationRequest
from muniment.tenancy.clients import LiveClient
from muniment.tenancy.members import SignedIn, sign_in, sign_out, signed_in

_SESSION: Final = "muniment_session"
_FORM: Final = "muniment_form"
_HOURS: Final = 3600
_Page = Response[Any]


class SignInController(Controller):
    """What a browser sees."""

    path = "/oauth"
    opt = {"exclude_from_auth": True}  # noqa: RUF012 - Litestar's own form
    include_in_schema = False

    @get("/authorize")
    async def ask(self, request: Request[Any, Any, Any], state: State) -> _Page:
        """What the client asks for, to one who is signed in; else the way to sign in."""
        asked = await _asked(request, state)
        if not isinstance(asked, AuthorizationRequest):
            return asked
        visit = _Visit(request, state, asked.client.live, leads_to=asked.redirect_uri)
        member = await visit.member()
        if member is None:
            return visit.sign_in_page()
        consent = offer(visit.client, member, asked.scopes)
        if consent is None:
            return answer(await server_in(state).decide(asked, None))
        return visit.consent_page(member, consent)

    @post("/authorize", status_code=200)
    async def decide(self, request: Request[Any, Any, Any], state: State) -> _Page:
        """Signs in or out, or takes what the member says back to the client."""
        form = dict(parse_qsl(await form_of(request)))
        asked = await _asked(request, state)
        if not isinstance(asked, AuthorizationRequest):
            return asked
        visit = _Visit(request, state, asked.client.live, leads_to=asked.redirect_uri)
        if not visit.owns(form):
            return _not_ours()
        step = form.get("step")
        if step in ("sign-in", "sign-out"):
            return await visit.change(step == "sign-in", form)
        member = await visit.member()
        if member is None:
            return visit.sign_in_page()
        consent = offer(visit.client, member, asked.scopes) if step == "allow" else None
        if consent is not None:
            await admit(visit.database, visit.client, consent)
        return answer(await server_in(state).decide(asked, consent))

    @get("/device")
    async def ask_device(self, request: Request[Any, Any, Any], state: State) -> _Page:
        """Where people type the code of a device."""
        issuer_in(state)
        user_code = request.query_params.get("user_code")
        if not user_code:
            return page("device", wrong=False)
        waiting = await waiting_device(state.runtime.database, user_code)
        if waiting is None:
            return page("device", status=404, wrong=True)
        return await self._about_device(_Visit(request, state, waiting.client, user_code=user_code), waiting)

    @post("/device", status_code=200)
    async def decide_device(self, request: Request[Any, Any, Any], state: State) -> _Page:
        """Signs in or out, or tells the device what its member says."""
        issuer_in(state)
        form = dict(parse_qsl(await form_of(request)))
        user_code = form.get("user_code", "")
        waiting = await waiting_device(state.runtime.database, user_code)
        if waiting is None:
            return page("device", status=404, wrong=True)
        visit = _Visit(request, state, waiting.client, user_code=user_code)
        if not visit.owns(form):
            return _not_ours()
        step = form.get("step")
        if step in ("sign-in", "sign-out"):
            return await visit.change(step == "sign-in", form)
        member = await visit.member()
        if member is None:
            return visit.sign_in_page()
        consent = offer(visit.client, member, waiting.scopes) if step == "allow" else None
        if not await decide_device(visit.database, waiting, consent):
            return page("device", status=404, wrong=True)
        if consent is None:
            return page("told", heading="Denied", text="The device gets no access. You can close this page.")
        return page("told", heading="Connected", text="The device has access now. You can close this page.")

    @staticmethod
    async def _about_device(visit: "_Visit", waiting: WaitingDevice) -> _Page:
        member = await visit.member()
        if member is None:
            return visit.sign_in_page()
        consent = offer(visit.client, member, waiting.scopes)
        if consent is None:
            return page("told", status=403, heading="Not allowed", text="You may do nothing of what it asks for.")
        return visit.consent_page(member, consent)


class _Visit:
    """One browser's visit to a page about one client."""

    def __init__(
        self, request: Request[Any, Any, Any], state: State, client: LiveClient, *, leads_to: str | None = None,
        user_code: str | None = None,
    ) -> None:  # fmt: skip
        self.client, self.leads_to, self.user_code = client, leads_to, user_code
        self.database: Database = state.runtime.database
        self._issuer: Issuer = issuer_in(state)
        self._request = request
        self._hours = state.runtime.settings.sign_in_hours
        self._here = "/oauth/device" if user_code is not None else "/oauth/authorize"
        # what the form is about: nothing else can be done with it
        self._about = user_code if user_code is not None else str(request.scope["query_string"], "ascii", "replace")

    @property
    def action(self) -> str:
        """Where the forms go."""
        return self._here if self.user_code is not None else f"{self._here}?{self._about}"

    async def member(self) -> SignedIn | None:
        """Who is signed in here, in the client's tenant."""
        secret = self._cookie(_SESSION)
        return None if secret is None else await signed_in(self.database, self.client.tenant, secret)

    def owns(self, form: dict[str, str]) -> bool:
        """Whether the form is one that this browser was given here."""
        origin = self._request.headers.get("origin")
        if origin is not None and origin != self._issuer.url:
            return False
        name = _FORM if form.get("step") == "sign-in" else _SESSION
        secret = self._cookie(name)
        return secret is not None and hmac.compare_digest(self._csrf(secret), form.get("csrf", ""))

    async def change(self, into: bool, form: dict[str, str]) -> _Page:
        """Signs in or out, and shows the page again."""
        if not into:
            await sign_out(self.database, self.client.tenant, self._cookie(_SESSION) or "")
            return self._again([self._set(_SESSION, "", 0)])
        email, password = form.get("email", ""), form.get("password", "")
        secret = await sign_in(self.database, self.client.tenant, email, password)
        if secret is None:
            return self.sign_in_page(wrong=True)
        return self._again([self._set(_SESSION, secret, int(self._hours * _HOURS)), self._set(_FORM, "", 0)])

    def sign_in_page(self, *, wrong: bool = False) -> _Page:
        """Where to sign in to the client's tenant."""
        secret = secrets.token_urlsafe(32)
        return page(
            "sign_in", status=401 if wrong else 200, leads_to=self.leads_to, cookies=[self._set(_FORM, secret, _HOURS)],
            tenant=self.client.tenant_name, client=self.client.name, wrong=wrong, action=self.action,
            csrf=self._csrf(secret), user_code=self.user_code,
        )  # fmt: skip

    def consent_page(self, member: SignedIn, consent: Consent) -> _Page:
        """What the member would let the client do."""
        pin = {} if consent.pin is None else asdict(consent.pin)
        return page(
            "consent", leads_to=self.leads_to, tenant=self.client.tenant_name, client=self.client.name,
            scopes=[SCOPE_WORDS[scope] for scope in consent.scopes], email=member.email, action=self.action,
            pin=[(name.removesuffix("_id"), value) for name, value in pin.items() if value is not None],
            csrf=self._csrf(self._cookie(_SESSION) or ""), user_code=self.user_code,
        )  # fmt: skip

    def _again(self, cookies: list[Cookie]) -> _Page:
        target = self.action
        if self.user_code is not None:
            target += "?" + urlencode({"user_code": self.user_code})
        return Redirect(target, status_code=303, cookies=cookies)

    def _csrf(self, secret: str) -> str:
        return hmac.new(secret.encode(), f"{self._here}?{self._about}".encode(), "sha256").hexdigest()

    def _cookie(self, name: str) -> str | None:
        return self._request.cookies.get(self._named(name)) or None

    def _set(self, name: str, value: str, seconds: int) -> Cookie:
        same: Literal["lax"] = "lax"  # strict would hide it from whom a client sends here
        return Cookie(
            key=self._named(name), value=value, max_age=seconds, path="/", httponly=True, samesite=same,
            secure=self._issuer.secure,
        )  # fmt: skip

    def _named(self, name: str) -> str:
        return f"__Host-{name}" if self._issuer.secure else name


async def _asked(request: Request[Any, Any, Any], state: State) -> AuthorizationRequest | _Page:
    """The request in the query, or the answer to one that is wrong: to the client where it is known, else here."""
    server = server_in(state)
    try:
        return await server.asked(str(request.scope["query_string"], "ascii", "replace"))
    except OAuth2Error as error:
        if error.redirect_uri:
            return answer(server.refusal(error))
        told = error.get_error_description() or error.error
        return page("told", status=400, heading="This does not work", text=f"The application asked wrongly: {told}")


def _not_ours() -> _Page:
    return page("told", status=403, heading="Try again", text="This form is too old, or was not made here. Go back.")
