"""What the authorization server answers, as the OpenAPI document shows it."""

from typing import Any, Final

from litestar.openapi.datastructures import ResponseSpec
from pydantic import BaseModel, ConfigDict

from muniment.api.operations import form_operation, json_operation
from muniment.api.problems import documented
from muniment.tenancy.clients import GRANT_TYPES

_SECRET: Final = {
    "client_id": "Of a client that sends its secret in the form, or has none",
    "client_secret": "Of a client that is registered with client_secret_post",
}

TokenForm = form_operation(
    {"grant_type": ", ".join(GRANT_TYPES)},
    {
        "code": "The authorization code", "redirect_uri": "As in the authorization request",
        "code_verifier": "Of PKCE, S256", "refresh_token": "The newest of its family", "device_code": "The device's",
        "scope": "Fewer than there could be", "resource": "The REST interface, which is also meant without it",
    } | _SECRET,
)  # fmt: skip
DeviceForm = form_operation({}, {"scope": "What the device asks for", "resource": "The REST interface"} | _SECRET)
OfToken = form_operation({"token": "An access token or a refresh token"}, {"token_type_hint": "Which"} | _SECRET)
ClientMetadata = json_operation(
    {
        "client_name": "string", "redirect_uris": "array", "grant_types": "array", "response_types": "array",
        "scope": "string", "token_endpoint_auth_method": "string",
    },
    "Client metadata (RFC 7591)",
)  # fmt: skip


class OAuthProblem(BaseModel):
    """An error as RFC 6749, section 5.2, says."""

    error: str
    error_description: str | None = None
    error_uri: str | None = None


class TokenAnswer(BaseModel):
    """Tokens (RFC 6749, section 5.1); without a refresh token where a client acts for itself."""

    access_token: str
    token_type: str
    expires_in: int
    scope: str
    refresh_token: str | None = None


class DeviceAnswer(BaseModel):
    """Codes of a device (RFC 8628, section 3.2)."""

    device_code: str
    user_code: str
    verification_uri: str
    verification_uri_complete: str
    expires_in: int
    interval: int


class IntrospectionAnswer(BaseModel):
    """Whether a token can be used, and if so its claims (RFC 7662)."""

    model_config = ConfigDict(extra="allow")

    active: bool
    scope: str | None = None
    client_id: str | None = None
    sub: str | None = None
    exp: int | None = None
    tenant: str | None = None
    pin: dict[str, str] | None = None


class RegisteredClient(BaseModel):
    """A client with its secret, where it has one, which is shown this once (RFC 7591, section 3.2.1)."""

    client_id: str
    client_id_issued_at: int
    client_name: str
    redirect_uris: list[str]
    grant_types: list[str]
    response_types: list[str]
    scope: str
    token_endpoint_auth_method: str
    client_secret: str | None = None
    client_secret_expires_at: int | None = None


def answers(status: int, shape: Any, *refusals: int) -> dict[int, ResponseSpec]:
    """The OpenAPI description of an answer and of OAuth's own errors; 404 where there is no authorization server."""
    told = {status: ResponseSpec(shape, description="Done", generate_examples=False)}
    refused = ResponseSpec(OAuthProblem, description="An error of OAuth", generate_examples=False)
    return documented(404, 429, 503) | told | dict.fromkeys(refusals, refused)
