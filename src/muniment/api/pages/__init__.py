"""The pages that people see in a browser: sign-in, consent, device codes, and what went wrong."""

import base64
import hashlib
from importlib.resources import files
from typing import Any, Final
from urllib.parse import urlsplit

from jinja2 import Environment, FunctionLoader, StrictUndefined
from litestar import MediaType, Response
from litestar.datastructures import Cookie

_STYLE: Final = files(__name__).joinpath("style.css").read_text(encoding="utf-8")
_STYLE_HASH: Final = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
_pages = Environment(
    loader=FunctionLoader(lambda name: files(__name__).joinpath(name).read_text(encoding="utf-8")),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)

SCOPE_WORDS: Final = {
    "memory:read": "read the memory: records, sources, claims and summaries",
    "memory:write": "write to the memory, correct and retract",
    "memory:erase": "erase from the memory for good",
    "query:read": "search the memory and ask questions of it",
    "tenant:admin": "administer the tenant: its keys, clients, members and policies",
    "ops:read": "validate the log and read the audit log",
}


def page(
    name: str, *, status: int = 200, leads_to: str | None = None, cookies: list[Cookie] | None = None, **values: Any
) -> Response[str]:
    """A page that runs no script, loads nothing, is framed by nobody, and whose forms go to us, and on to ``leads_to``.

    Browsers hold the redirect after a form against ``form-action`` too.
    """
    forms = "'self'" if leads_to is None else f"'self' {_origin(leads_to)}"
    policy = f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; form-action {forms}; "
    headers = {"Content-Security-Policy": policy + "frame-ancestors 'none'; base-uri 'none'"}
    text = _pages.get_template(f"{name}.html").render(style=_STYLE, leads_to=leads_to, **values)
    return Response(text, status_code=status, media_type=MediaType.HTML, headers=headers, cookies=cookies)


def _origin(uri: str) -> str:
    parts = urlsplit(uri)
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else f"{parts.scheme}:"
