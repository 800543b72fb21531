"""Bodies that the OpenAPI document would not know by itself: those that are read by hand, or may be left out."""

from dataclasses import dataclass
from typing import Any, Final

from litestar.openapi.spec import OpenAPIMediaType, OpenAPIType, Operation, Reference, RequestBody, Schema

FORM: Final = "application/x-www-form-urlencoded"


@dataclass
class OptionalBody(Operation):
    """An operation whose body may be left out."""

    def __post_init__(self) -> None:
        if isinstance(self.request_body, RequestBody):
            self.request_body.required = False


def form_operation(required: dict[str, str], optional: dict[str, str]) -> type[Operation]:
    """An operation that takes a form with these fields, each with what it means."""
    texts: dict[str, Reference | Schema] = {
        name: Schema(type=OpenAPIType.STRING, description=told) for name, told in (required | optional).items()
    }
    return _operation(FORM, Schema(type=OpenAPIType.OBJECT, properties=texts, required=list(required)))


def json_operation(properties: dict[str, Any], description: str) -> type[Operation]:
    """An operation that takes an object of JSON with these members and others."""
    shapes: dict[str, Reference | Schema] = {name: Schema(type=kind) for name, kind in properties.items()}
    return _operation("application/json", Schema(type=OpenAPIType.OBJECT, properties=shapes, description=description))


def _operation(media_type: str, schema: Schema) -> type[Operation]:
    body = RequestBody(content={media_type: OpenAPIMediaType(schema=schema)}, required=True)

    @dataclass
    class WithBody(Operation):
        def __post_init__(self) -> None:
            self.request_body = body

    return WithBody
