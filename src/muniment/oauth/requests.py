"""Requests as authlib wants them: read in the event loop, since authlib itself runs in a thread."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

from authlib.oauth2.rfc6749 import InvalidRequestError, JsonPayload, JsonRequest, OAuth2Payload, OAuth2Request

_MOST_FIELDS = 64
_RESOURCE = "resource"  # the one parameter that may come several times (RFC 8707)


class Parameters(OAuth2Payload):  # type: ignore[misc]
    """The parameters of a request."""

    def __init__(self, pairs: Sequence[tuple[str, str]]) -> None:
        self._all: dict[str, list[str]] = defaultdict(list)
        for name, value in pairs:
            if value:  # sent without a value is as if it were left out (RFC 6749, 3.1)
                self._all[name].append(value)

    @property
    def data(self) -> dict[str, str]:
        """The first value of each."""
        return {name: values[0] for name, values in self._all.items()}

    @property
    def datalist(self) -> dict[str, list[str]]:
        """All values of each."""
        return self._all

    @property
    def repeated(self) -> str | None:
        """A parameter that comes twice where it must not."""
        return next((name for name, values in self._all.items() if len(values) > 1 and name != _RESOURCE), None)


class FormRequest(OAuth2Request):  # type: ignore[misc]
    """A request with its parameters in the query (authorization) or in a form (everything else), never in both."""

    def __init__(self, method: str, parameters: Parameters, headers: Mapping[str, str]) -> None:
        # authlib refuses http; whether that is right, Issuer has decided already
        super().__init__(method, "https://issuer.invalid", headers=headers)
        self.payload = parameters

    @property
    def args(self) -> dict[str, str]:
        """The parameters."""
        return self.payload.data

    @property
    def form(self) -> dict[str, str]:
        """The parameters."""
        return self.payload.data


class _Json(JsonPayload):  # type: ignore[misc]
    def __init__(self, data: Mapping[str, Any]) -> None:
        self._data = data

    @property
    def data(self) -> dict[str, Any]:
        return dict(self._data)


class MetadataRequest(JsonRequest):  # type: ignore[misc]
    """A request with an object of JSON, for registration."""

    def __init__(self, body: bytes, headers: Mapping[str, str]) -> None:
        super().__init__("POST", "https://issuer.invalid", headers)
        try:
            data = json.loads(body)
        except (ValueError, RecursionError):
            data = None
        self.payload = _Json(data if isinstance(data, dict) else {})


@dataclass(frozen=True, slots=True)
class Reply:
    """What is answered."""

    status: int
    body: str
    headers: dict[str, str]


def invalid_request(why: str, status: int) -> Reply:
    """The answer to a body that cannot be read (RFC 6749, section 5.2); ``why`` without quotes and backslashes."""
    _, body, headers = InvalidRequestError(why, status_code=status)()
    return Reply(status, json.dumps(body), dict(headers))


def parameters_of(encoded: str) -> Parameters:
    """The parameters of a query or a form; raises authlib's ``InvalidRequestError``."""
    try:
        pairs = parse_qsl(encoded, keep_blank_values=True, max_num_fields=_MOST_FIELDS)
    except ValueError:
        raise InvalidRequestError("Too many parameters") from None
    parameters = Parameters(pairs)
    if parameters.repeated is not None:
        raise InvalidRequestError("A parameter comes more than once")
    return parameters
