"""The OpenAPI document at /openapi.json and Swagger UI at /docs, all of it served from here."""

from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from litestar import Router
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin, SwaggerRenderPlugin
from litestar.openapi.spec import Components, Contact, License, OAuthFlow, OAuthFlows, SecurityScheme
from litestar.static_files import create_static_files_router

from muniment.api.pages import SCOPE_WORDS

_ASSETS = "/docs/assets"


def _swagger_files() -> Path:
    # found, not imported: the package around the files would load a web framework that we do not use
    spec = find_spec("flask_openapi3_swagger")
    assert spec is not None and spec.origin is not None
    return Path(spec.origin).parent / "templates" / "swagger"


def asset_router() -> Router:
    """The static files of Swagger UI."""
    return create_static_files_router(
        path=_ASSETS, directories=[_swagger_files()], opt={"exclude_from_auth": True}, include_in_schema=False
    )


def _oauth() -> SecurityScheme:
    token, scopes = "/oauth/token", dict(SCOPE_WORDS)
    return SecurityScheme(
        type="oauth2", description="An access token (docs/oauth.md), where the server has a public URL",
        flows=OAuthFlows(
            client_credentials=OAuthFlow(token_url=token, scopes=scopes),
            authorization_code=OAuthFlow(
                authorization_url="/oauth/authorize", token_url=token, refresh_url=token, scopes=scopes
            ),
        ),
    )  # fmt: skip


def openapi_config() -> OpenAPIConfig:
    """What the document says of the whole."""
    return OpenAPIConfig(
        title="Muniment",
        version=version("muniment"),
        description="Evidence-first memory for AI agents: ingest evidence, ask, get an answer that cites the log.",
        license=License(name="Apache-2.0", identifier="Apache-2.0"),
        contact=Contact(name="Muniment"),
        path="/",
        render_plugins=[
            JsonRenderPlugin(path="/openapi.json"),
            SwaggerRenderPlugin(
                path="/docs",
                favicon="<link rel='icon' href='data:,'>",
                js_url=f"{_ASSETS}/js/swagger-ui-bundle.js",
                css_url=f"{_ASSETS}/css/swagger-ui.css",
                standalone_preset_js_url=f"{_ASSETS}/js/swagger-ui-standalone-preset.js",
            ),
        ],
        security=[{"apiKey": []}, {"oauth": []}],
        components=Components(
            security_schemes={
                "apiKey": SecurityScheme(type="http", scheme="bearer", description="An API key (mun_…)"),
                "oauth": _oauth(),
                "clientSecret": SecurityScheme(
                    type="http", scheme="basic", description="An OAuth client's id and secret"
                ),
            }
        ),
    )
