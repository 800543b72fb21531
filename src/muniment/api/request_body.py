"""Bodies of requests: JSON in which each object names a member once."""

import json
from typing import Any

from litestar import Request
from litestar.datastructures import State

from muniment.errors import MunimentError
from muniment.tenancy.principal import Principal


class JsonRequest(Request[Principal, Any, State]):
    """A request whose body is refused where an object names a member twice: which of the two counts is a guess."""

    async def json(self) -> Any:
        """The body; raises ``input.json_invalid``."""
        decoded = await super().json()
        json.loads(await self.body() or b"null", object_pairs_hook=_members)
        return decoded


def _members(pairs: list[tuple[str, Any]]) -> None:
    if len({name for name, _ in pairs}) != len(pairs):
        raise MunimentError("input.json_invalid", "an object of the body names a member twice")
