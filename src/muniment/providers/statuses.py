"""What an endpoint's status says: that it is away, which passes, or that it refuses what it is asked."""

from typing import Final

from muniment.errors import MunimentError

_PASSING: Final = frozenset({408, 409, 425, 429})
_OF_ALL: Final = frozenset({401, 403, 404})  # a wrong key, address or model
_HINTS: Final = {
    401: ": is the key right?",
    403: ": may the key be used for this?",
    404: ": are its address and the model's name right?",
    413: ": the request was too long",
}


def error_of_status(endpoint: str, status: int) -> MunimentError:
    """``provider.unavailable`` where asking again may help (a fault of the server, too many requests), else
    ``provider.refused``; the status is among its facts."""
    code = "provider.refused" if 400 <= status < 500 and status not in _PASSING else "provider.unavailable"
    return MunimentError(code, f"{endpoint} answered with status {status}{_HINTS.get(status, '')}", status=status)


def concerns_all(error: MunimentError) -> bool:
    """Whether an endpoint that failed so fails whatever it is asked now, and may not some other time: it is away, or
    what is wrong is its key, its address or its model. Else it is this request that it does not do."""
    refused = error.code == "provider.refused" and error.facts.get("status") in _OF_ALL
    return refused or error.code == "provider.unavailable"
