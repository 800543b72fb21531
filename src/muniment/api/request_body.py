"""Bodies of requests: JSON, said to be JSON, in which each object names a member once."""

import asyncio
import json
import re
import time
from collections.abc import AsyncGenerator, Mapping
from typing import Any, Final

from litestar import Request
from litestar.datastructures import State
from litestar.exceptions import InternalServerException

from muniment.errors import MunimentError
from muniment.tenancy.principal import Principal

_JSON: Final = "application/json"
_IS_JSON: Final = re.compile(r"application/(?:[a-z0-9!#$&^_.+-]+\+)?json", re.IGNORECASE)

_PATIENCE: Final = 10  # times the longest silence that a whole body may be waited for, however little of it comes
_LEAST_RATE: Final = 1000  # bytes a second that let it be waited for longer: as slow as a bad line, not as a flood


def media_type_of(headers: Mapping[str, str]) -> str:
    """The media type that the body is said to have, without its parameters; empty where none is said."""
    return headers.get("content-type", "").partition(";")[0].strip().lower()


def media_type_refused(given: str, wanted: str) -> MunimentError:
    """The error for a body that is said to be of another type than the resource takes."""
    return MunimentError(
        "input.media_type_unsupported", f"the body must be {wanted}; its Content-Type says {given[:100]!r}",
        content_type=given[:100], wanted=wanted,
    )  # fmt: skip


class JsonRequest(Request[Principal, Any, State]):
    """A request whose body is refused where it is said to be no JSON, and where an object names a member twice: which
    of the two counts is a guess. Its body comes on, or it is given up."""

    async def stream(self) -> AsyncGenerator[bytes, None]:
        """The pieces of the body. Raises ``request.timeout`` where the next does not come in
        ``MUNIMENT_RECEIVE_TIMEOUT``, or the whole was waited for ten times as long and comes slower than 1,000 bytes a
        second, and ``request.abandoned`` where the client hung up."""
        seconds = self.app.state.runtime.settings.receive_timeout
        pieces = super().stream()
        waited, received = 0.0, 0
        try:
            while True:
                left = _PATIENCE * seconds + received / _LEAST_RATE - waited
                start = time.monotonic()
                async with asyncio.timeout(min(seconds, left)):
                    piece = await anext(pieces)
                waited += time.monotonic() - start
                received += len(piece)
                yield piece
        except StopAsyncIteration:
            return
        except TimeoutError:
            slow = f"the body came slower than {_LEAST_RATE} bytes a second for {_PATIENCE * seconds:g} seconds"
            detail = slow if left < seconds else f"nothing of the body came for {seconds:g} seconds"
            raise MunimentError(
                "request.timeout", detail, seconds=seconds, setting="MUNIMENT_RECEIVE_TIMEOUT"
            ) from None
        except InternalServerException:  # so the framework says that the client hung up
            if not self.is_connected:  # or that the body was read before, a fault of ours
                raise
            raise MunimentError("request.abandoned", "the client hung up before the request was whole") from None
        finally:
            await pieces.aclose()

    async def json(self) -> Any:
        """The body, JSON where nothing is said of it; raises ``input.media_type_unsupported`` and ``.json_invalid``."""
        given = media_type_of(self.headers)
        if given and await self.body() and _IS_JSON.fullmatch(given) is None:
            raise media_type_refused(given, _JSON)
        decoded = await super().json()
        json.loads(await self.body() or b"null", object_pairs_hook=_members)
        return decoded


def _members(pairs: list[tuple[str, Any]]) -> None:
    if len({name for name, _ in pairs}) != len(pairs):
        raise MunimentError("input.json_invalid", "an object of the body names a member twice")
