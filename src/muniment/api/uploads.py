"""Files that are the body of a request: what the query says of them, and their bytes as they come."""

import io
import json
from dataclasses import dataclass
from typing import Annotated, Any, Final

from litestar import Request
from litestar.openapi.spec import OpenAPIMediaType, Operation, RequestBody, Schema
from litestar.openapi.spec.enums import OpenAPIFormat, OpenAPIType
from litestar.params import QueryParameter
from pydantic import ValidationError

from muniment.api.request_body import media_type_of, media_type_refused
from muniment.errors import MunimentError
from muniment.model.refusals import refused
from muniment.model.source import SourceInput
from muniment.settings import Settings
from muniment.sources.registry import size_limit
from muniment.tenancy.principal import Principal

_BYTES: Final = "application/octet-stream"
_Name = Annotated[str | None, QueryParameter(min_length=1, max_length=256)]
_Filename = Annotated[str, QueryParameter(min_length=1, max_length=256, description="its extension tells its format")]
_Metadata = Annotated[str | None, QueryParameter(max_length=16_384, description="a JSON object")]


@dataclass
class BytesOperation(Operation):
    """An operation whose body is bytes, which its handler takes as they come."""

    def __post_init__(self) -> None:
        schema = Schema(type=OpenAPIType.STRING, format=OpenAPIFormat.BINARY)
        self.request_body = RequestBody(content={_BYTES: OpenAPIMediaType(schema=schema)}, required=True)


def asked_source(
    filename: _Filename,
    source_key: _Name = None,
    media_type: _Name = None,
    title: Annotated[str | None, QueryParameter(max_length=1000)] = None,
    language: _Name = None,
    commit: _Name = None,
    at: Annotated[str | None, QueryParameter(description="when it was written, with a zone")] = None,
    metadata: _Metadata = None,
) -> SourceInput:
    """The source that the query string tells of, without its bytes; raises ``input.invalid``."""
    given: dict[str, Any] = {
        "filename": filename, "source_key": source_key, "media_type": media_type, "title": title,
        "language": language, "commit": commit, "at": at,
    }  # fmt: skip
    try:
        about = json.loads(metadata or "{}")
        return SourceInput.model_validate({"kind": "file", "metadata": about, **given})
    except ValidationError as error:
        raise refused(error) from None
    except (ValueError, RecursionError):
        raise MunimentError("input.invalid", "metadata is no JSON object", field="metadata") from None


async def received(request: Request[Principal, Any, Any], source: SourceInput, settings: Settings) -> bytes:
    """The body, in memory once; raises ``input.too_large`` as soon as it is more than a file of this name may have, and
    ``input.media_type_unsupported`` for a form."""
    given = media_type_of(request.headers)
    if given.startswith("multipart/"):  # the file would be stored with the envelope around it
        raise media_type_refused(given, f"the file's bytes, as {_BYTES} or its own type")
    limit, setting = size_limit(source.media_type, source.filename, settings)
    announced = request.headers.get("content-length", "")
    body = io.BytesIO()
    if not (announced.isdecimal() and int(announced) > limit):
        async for piece in request.stream():
            if body.tell() + len(piece) > limit:
                break
            body.write(piece)
        else:
            return body.getvalue()
    detail = f"the file has more than {limit} bytes"
    raise MunimentError("input.too_large", detail, limit=limit, setting=setting)
