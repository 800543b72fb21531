"""What goes to a server and comes back from it: paths, parameters, bodies, answers."""

import json
import re
from typing import Any, Final, TypeVar
from uuid import uuid4

from pydantic import BaseModel, ValidationError

from muniment.errors import MunimentError
from muniment.model.namespace import Namespace

LARGEST_PAGE: Final = 500

_Model = TypeVar("_Model", bound=BaseModel)
_IDENTIFIER: Final = re.compile(r"[A-Za-z0-9_-]{1,128}")


def as_json(model: BaseModel) -> dict[str, Any]:
    """The model as JSON values, without defaults: an older server is not asked for what it does not know."""
    return model.model_dump(mode="json", exclude_defaults=True)


def dump(body: dict[str, Any]) -> bytes:
    """The body of a request; raises ``input.encoding_invalid`` and ``input.metadata_invalid`` for what is no JSON."""
    try:
        return json.dumps(body, ensure_ascii=False, allow_nan=False).encode()
    except UnicodeEncodeError:
        raise MunimentError("input.encoding_invalid", "a text holds half of a surrogate pair") from None
    except ValueError:
        raise MunimentError("input.metadata_invalid", "a number is not finite") from None


def as_query(namespace: Namespace) -> dict[str, Any]:
    """The namespace as parameters of a query."""
    return {
        name: "true" if value is True else value for name, value in namespace.model_dump(exclude_defaults=True).items()
    }


def path_part(identifier: str, what: str, code: str | None = None) -> str:
    """An id as a part of a path; what cannot be one is not there, and must not become another path.

    Raises ``code``, by default that of ``what`` with ``not_found``.
    """
    if not _IDENTIFIER.fullmatch(identifier):
        raise MunimentError(code or f"{what}.not_found", f"there is no such {what}")
    return identifier


def key_or_new(given: str | None) -> str:
    """An Idempotency-Key: the caller's, or one of its own."""
    return uuid4().hex if given is None else given


def read_answer(model: type[_Model], answer: bytes) -> _Model:
    """The answer of a server as what it is; raises ``internal`` for what it is not."""
    try:
        return model.model_validate_json(answer)
    except ValidationError as error:
        raise MunimentError("internal", f"the server's answer is no {model.__name__.strip('_')}") from error
