"""Problem details (RFC 9457): the one place where an error becomes an HTTP answer."""

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final, get_args
from uuid import uuid4

import structlog
from litestar import Request, Response
from litestar.exceptions import HTTPException, ValidationException
from litestar.openapi.datastructures import ResponseSpec
from pydantic import BaseModel, Field

from muniment.errors import MunimentError
from muniment.model.refusals import TIME, Refusal, refusals
from muniment.telemetry.metrics import count_error

PROBLEM_JSON: Final = "application/problem+json"
_TYPE_PREFIX: Final = "urn:muniment:error:"
_MOST_TOLD: Final = 20
_EXPECTED: Final = re.compile(r"Expected `(?P<kinds>[^`]+)`(?P<bound> (?:of length )?[<>]=? \d+)?")
_KINDS: Final = {"int": "a whole number", "float": "a number", "bool": "true or false", "str": "a text",
                 "object": "an object", "array": "a list"}  # fmt: skip
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
    """The OpenAPI description of these statuses, all problem details; whoever has a credential may meet 429, and what
    may have too large a body, one of a wrong type."""
    statuses = (*statuses, 429) if 401 in statuses else statuses
    statuses = (*statuses, 415) if 413 in statuses else statuses
    return {
        status: ResponseSpec(
            ProblemDetails, description="Problem details", media_type=PROBLEM_JSON, generate_examples=False
        )
        for status in statuses
    }


def to_problem(request: Request[Any, Any, Any], error: Exception) -> Response[dict[str, Any]]:
    """The answer to any exception; what is inside of an unexpected one goes to the log, never to the caller."""
    body = problem_of(request, error)
    count_error(body.code)
    headers = _challenge(request, body)
    if body.code in ("store.unavailable", "store.busy", "idempotency.in_progress"):
        headers["Retry-After"] = "1"
    if body.code == "request.timeout":
        headers["Connection"] = "close"  # the rest of the body is not waited for
    if "retry_after" in body.facts:
        headers["Retry-After"] = str(body.facts["retry_after"])
    if isinstance(error, HTTPException) and error.status_code == 405:
        headers |= {name: value for name, value in (error.headers or {}).items() if name.lower() == "allow"}
    return Response(body.model_dump(mode="json"), status_code=body.status, media_type=PROBLEM_JSON, headers=headers)


def _challenge(request: Request[Any, Any, Any], body: ProblemDetails) -> dict[str, str]:
    """What a client needs to get a credential that would do (RFC 6750, RFC 9728)."""
    parts = ['realm="muniment"']
    if body.code == "auth.invalid":
        parts.append('error="invalid_token"')
    elif body.code == "auth.scope_missing":
        parts += ['error="insufficient_scope"', f'scope="{body.facts.get("scope", "")}"']
    elif body.status != 401:
        return {}
    issuer = request.app.state.get("issuer")
    if issuer is not None:
        parts.append(f'resource_metadata="{issuer.resource_metadata_url}"')
    return {"WWW-Authenticate": "Bearer " + ", ".join(parts)}


def problem_of(request: Request[Any, Any, Any], error: Exception) -> ProblemDetails:
    """The problem details of any exception; an unexpected one is logged under the reference that they hold."""
    known = _known(request, error)
    if known is None:
        reference = uuid4().hex
        _log.error("unexpected error", reference=reference, path=request.url.path, exc_info=error)
        known = MunimentError(
            "internal", "something went wrong inside; the log has it under the reference", reference=reference
        )
    return problem_details(known)


def problem_details(error: MunimentError) -> ProblemDetails:
    """The problem details of an error of ours."""
    return ProblemDetails(
        type=_TYPE_PREFIX + error.code, title=error.kind.title, status=error.kind.status,
        detail=error.detail, code=error.code, facts=error.facts,
    )  # fmt: skip


def _known(request: Request[Any, Any, Any], error: Exception) -> MunimentError | None:
    if isinstance(error, MunimentError):
        return error
    if isinstance(error, ValidationException):
        return _from_validation(request, error)
    if isinstance(error, RecursionError) and "deserializing" in str(error):
        return MunimentError("input.json_invalid", "the body is nested too deeply to be read")
    if isinstance(error, HTTPException):
        if error.status_code == 404:
            return MunimentError("route.not_found", "there is no such resource")
        if error.status_code == 405:
            return MunimentError("route.method_not_allowed", "the resource does not know this method")
        if error.status_code == 413:
            return _too_large(request)
        if error.status_code == 400:
            return MunimentError("input.json_invalid", "the body cannot be read as JSON")
        if error.status_code == 401:
            return MunimentError("auth.missing", "a bearer API key is needed")
        if error.status_code < 500:
            return MunimentError("input.invalid", "the request cannot be read")
    return None


def _too_large(request: Request[Any, Any, Any]) -> MunimentError:
    """The error that names the limit of the resource, and the setting that it comes from."""
    settings, limit = request.app.state.runtime.settings, request.route_handler.resolve_request_max_body_size()
    setting = "MUNIMENT_MAX_REQUEST_BYTES" if limit == settings.max_request_bytes else "MUNIMENT_MAX_COMMAND_BYTES"
    return MunimentError("input.too_large", "the request body is too large", limit=limit, setting=setting)


def _from_validation(request: Request[Any, Any, Any], error: ValidationException) -> MunimentError:
    """The first fault decides the code; all of them are told, without the values they are about."""
    complaints: list[dict[str, Any]] = getattr(error.__cause__, "errors", None) or []
    faults = refusals(complaints[:_MOST_TOLD])
    if not faults and isinstance(error.extra, list):
        faults = [_fault(request, item) for item in error.extra[:_MOST_TOLD]]
    if not faults:
        return MunimentError("input.invalid", "the request is not valid")
    told = [{"at": fault.at, "problem": fault.problem} for fault in faults]
    return MunimentError(faults[0].code, str(faults[0]), errors=told)


def _fault(request: Request[Any, Any, Any], item: dict[str, Any]) -> Refusal:
    """What msgspec says of a parameter or of the body as a whole, in words of ours."""
    name = str(item.get("key", ""))
    parameter = request.route_handler.parsed_fn_signature.parameters.get(name)
    annotation = None if parameter is None else parameter.annotation
    if name == "data":
        return Refusal("input.invalid", "", "the body must be a JSON object")
    if annotation is datetime or datetime in get_args(annotation):
        try:
            read = datetime.fromisoformat(request.query_params.get(name, ""))
        except ValueError:
            return Refusal("input.time_invalid", name, TIME)
        return Refusal("input.time_without_zone" if read.tzinfo is None else "input.time_invalid", name, TIME)
    return Refusal("input.invalid", name, _plain(item, annotation))


def _plain(item: dict[str, Any], annotation: Any) -> str:
    expected = _EXPECTED.match(str(item.get("message", "")))
    if expected is None:
        choices = list(_choices(annotation))
        return f"must be one of {', '.join(choices)}" if choices else "is not valid"
    kinds = [_KINDS.get(kind.strip(), kind.strip()) for kind in expected["kinds"].split("|") if kind.strip() != "null"]
    bound = (expected["bound"] or "").strip()
    of = {"of length >=": "of at least {} characters", "of length <=": "of no more than {} characters",
          ">=": "of at least {}", "<=": "of no more than {}"}  # fmt: skip
    sign, _, number = bound.rpartition(" ")
    return " ".join(["must be", " or ".join(kinds), of.get(sign, "").format(number)]).strip()


def _choices(annotation: Any) -> Iterator[str]:
    """The values of the literal that a parameter may be, None left out."""
    for part in get_args(annotation):
        if isinstance(part, str):
            yield part
        else:
            yield from _choices(part)
