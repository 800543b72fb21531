"""Problem details (RFC 9457): the one place where an error becomes an HTTP answer."""

from typing import Any, Final
from uuid import uuid4

import structlog
from litestar import Request, Response
from litestar.exceptions import HTTPException, ValidationException
from litestar.openapi.datastructures import ResponseSpec
from pydantic import BaseModel, Field

from muniment.errors import CATALOGUE, MunimentError

PROBLEM_JSON: Final = "application/problem+json"
_TYPE_PREFIX: Final = "urn:muniment:error:"
_log = structlog.get_logger(__name__)


class ProblemDetails(BaseModel):
    """An error as RFC 9457 says, with its stable ``code`` and facts such as the limit and its setting."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    facts: dict[str, Any] = Field(default_factory=dict)


def documented(*statuses: int) -> dict[int, ResponseSpec]:
    """The OpenAPI description of these statuses, all problem details."""
    return {
        status: ResponseSpec(
            ProblemDetails, description="Problem details", media_type=PROBLEM_JSON, generate_examples=False
        )
        for status in statuses
    }


def to_problem(request: Request[Any, Any, Any], error: Exception) -> Response[dict[str, Any]]:
    """The answer to any exception; what is inside of an unexpected one goes to the log, never to the caller."""
    body = problem_of(request, error)
    headers = {"WWW-Authenticate": 'Bearer realm="muniment"'} if body.status == 401 else {}
    if body.code in ("store.unavailable", "store.busy", "idempotency.in_progress"):
        headers["Retry-After"] = "1"
    if isinstance(error, HTTPException) and error.status_code == 405:
        headers |= {name: value for name, value in (error.headers or {}).items() if name.lower() == "allow"}
    return Response(body.model_dump(mode="json"), status_code=body.status, media_type=PROBLEM_JSON, headers=headers)


def problem_of(request: Request[Any, Any, Any], error: Exception) -> ProblemDetails:
    """The problem details of any exception; an unexpected one is logged under the reference that they hold."""
    known = _known(request, error)
    if known is None:
        reference = uuid4().hex
        _log.error("unexpected error", reference=reference, path=request.url.path, exc_info=error)
        known = MunimentError(
            "internal", "something went wrong inside; the log has it under the reference", reference=reference
        )
    return ProblemDetails(
        type=_TYPE_PREFIX + known.code, title=known.kind.title, status=known.kind.status,
        detail=known.detail, code=known.code, facts=known.facts,
    )  # fmt: skip


def _known(request: Request[Any, Any, Any], error: Exception) -> MunimentError | None:
    if isinstance(error, MunimentError):
        return error
    if isinstance(error, ValidationException):
        return _from_validation(error)
    if isinstance(error, HTTPException):
        if error.status_code == 404:
            return MunimentError("route.not_found", "there is no such resource")
        if error.status_code == 405:
            return MunimentError("route.method_not_allowed", "the resource does not know this method")
        if error.status_code == 413:
            limit = request.app.state.runtime.settings.max_request_bytes
            return MunimentError(
                "input.too_large", "the request body is too large", limit=limit, setting="MUNIMENT_MAX_REQUEST_BYTES"
            )
        if error.status_code == 400:
            return MunimentError("input.json_invalid", "the body cannot be read as JSON")
        if error.status_code == 401:
            return MunimentError("auth.missing", "a bearer API key is needed")
        if error.status_code < 500:
            return MunimentError("input.invalid", "the request cannot be read")
    return None


def _from_validation(error: ValidationException) -> MunimentError:
    """The first of pydantic's complaints decides the code; all of them are told, without the values they are about."""
    complaints: list[dict[str, Any]] = getattr(error.__cause__, "errors", None) or []
    told = [
        {"at": ".".join(str(part) for part in complaint["loc"]), "problem": complaint["msg"]}
        for complaint in complaints[:20]
    ]
    if not told and isinstance(error.extra, list):
        told = [{"at": str(item.get("key", "")), "problem": str(item.get("message", ""))} for item in error.extra[:20]]
    code = _code_of(complaints[0]) if complaints else "input.invalid"
    first = f"{told[0]['at']}: {told[0]['problem']}" if told else "the request is not valid"
    assert code in CATALOGUE
    return MunimentError(code, first, errors=told)


def _code_of(complaint: dict[str, Any]) -> str:
    kind, path = str(complaint["type"]), [str(part) for part in complaint["loc"]]
    if "namespace" in path:
        return "input.namespace_unknown_key" if kind == "extra_forbidden" else "input.namespace_invalid"
    if kind.startswith(("datetime", "timezone")):
        return "input.time_invalid"
    if "messages" in path:
        return "input.message_invalid"
    if "metadata" in path:
        return "input.metadata_invalid"
    if kind == "extra_forbidden":
        return "input.filter_unknown"
    return "input.invalid"
