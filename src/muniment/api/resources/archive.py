"""The tenant's archive: everything of it in one file, to be opened elsewhere."""

from collections.abc import AsyncGenerator
from typing import Any, Final

from litestar import Controller, Request, get
from litestar.datastructures import State
from litestar.openapi.datastructures import ResponseSpec
from litestar.response import Stream

from muniment.api.authentication import needs
from muniment.api.lasting import still_opens
from muniment.api.problems import documented
from muniment.archive.exporting import Export
from muniment.database.pool import Database
from muniment.tenancy.principal import Principal

MEDIA_TYPE: Final = "application/jsonl"


class ArchiveController(Controller):
    """Taking a tenant elsewhere. Bringing one in is the server's administrator's: ``muniment import``."""

    path = "/api/v1/archive"
    tags = ["integrity"]  # noqa: RUF012 - Litestar's own form

    @get(
        operation_id="exportArchive", media_type=MEDIA_TYPE, guards=[needs("tenant:admin", whole=True)],
        responses=documented(400, 401, 403, 500, 503)
        | {200: ResponseSpec(str, description="JSON Lines", media_type=MEDIA_TYPE, generate_examples=False)},
    )  # fmt: skip
    async def export(self, request: Request[Principal, Any, Any], state: State) -> Stream:
        """The tenant's archive. An answer that lacks its last line, the digest, was cut short."""
        return await archive_of(request, state.runtime.database, request.user.tenant)


async def archive_of(request: Request[Principal, Any, Any], database: Database, tenant: int) -> Stream:
    """The answer with a tenant's archive, cut short where the credential ends meanwhile."""
    lines = Export(database, tenant).lines()
    first = await anext(lines)  # what goes wrong at the start is answered with a status of its own
    return Stream(_all(request, first, lines), media_type=MEDIA_TYPE)


async def _all(
    request: Request[Principal, Any, Any], first: bytes, lines: AsyncGenerator[bytes, None]
) -> AsyncGenerator[bytes, None]:
    try:
        yield first
        async for piece in lines:
            await still_opens(request)  # what this raises breaks the connection, so that nobody keeps half of it
            yield piece
    finally:
        await lines.aclose()
