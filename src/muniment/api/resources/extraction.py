"""The extraction of facts, asked for again."""

from typing import Annotated, Any

from litestar import Controller, Request, post
from litestar.datastructures import State
from litestar.params import Body

from muniment.api.authentication import needs
from muniment.api.problems import documented
from muniment.model.refusals import Closed
from muniment.model.source import AskedMethod, ExtractionRequest
from muniment.tenancy.principal import Principal


class ExtractionBody(Closed):
    """By which method facts are to be extracted, or images described; without one by what MUNIMENT_EXTRACTION names."""

    method: AskedMethod | None = None


class ExtractionController(Controller):
    """Facts of what is in the log already."""

    path = "/api/v1/extraction"
    tags = ["sources"]  # noqa: RUF012 - Litestar's own form

    @post(
        "/", operation_id="extractFacts", status_code=200, guards=[needs("memory:write")],
        responses=documented(400, 401, 403, 413, 503),
    )  # fmt: skip
    async def extract(
        self, data: Annotated[ExtractionBody, Body()], request: Request[Principal, Any, Any], state: State
    ) -> ExtractionRequest:
        """Has jobs read what the method has not read yet, failed to read, or read by another version of it."""
        asked: ExtractionRequest = await state.runtime.extract(request.user.tenant, data.method)
        return asked
