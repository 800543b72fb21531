"""Integrity: checkpoints, validation and rebuilding, for administrators of a tenant."""

from typing import Annotated, Any

from litestar import Controller, Request, post
from litestar.datastructures import State
from litestar.params import Body
from pydantic import BaseModel, Field

from muniment.api.authentication import needs
from muniment.api.operations import OptionalBody
from muniment.api.problems import documented
from muniment.model.refusals import Closed
from muniment.model.result import ValidationReport
from muniment.rebuild import rebuild
from muniment.tenancy.principal import Principal


class SignedCheckpoint(BaseModel):
    """A signed note over the size and root of the tenant's log: keep it where the server cannot reach it."""

    note: str


class ValidationRequest(Closed):
    """What to validate against: a checkpoint kept outside, or else the last one exported."""

    checkpoint: str | None = Field(None, max_length=10_000)


class Rebuilt(BaseModel):
    """How many rows each projection has after the rebuild."""

    projections: dict[str, int]


class IntegrityController(Controller):
    """That the log is what it was."""

    path = "/api/v1"
    tags = ["integrity"]  # noqa: RUF012 - Litestar's own form

    @post(
        "/checkpoints", operation_id="createCheckpoint", status_code=200, guards=[needs("memory:read")],
        responses=documented(400, 401, 403, 503),
    )  # fmt: skip
    async def checkpoint(self, request: Request[Principal, Any, Any], state: State) -> SignedCheckpoint:
        """Signs the log as it stands now."""
        return SignedCheckpoint(note=await state.runtime.checkpoint(request.user.tenant))

    @post(
        "/validate", operation_id="validate", status_code=200, guards=[needs("ops:read")],
        operation_class=OptionalBody,
        responses=documented(400, 401, 403, 413, 422, 503),
    )  # fmt: skip
    async def validate(
        self,
        request: Request[Principal, Any, Any],
        state: State,
        data: Annotated[ValidationRequest | None, Body()] = None,
    ) -> ValidationReport:
        """Checks the whole log and every projection; the report lists all that is wrong."""
        against = None if data is None else data.checkpoint
        work = state.runtime.validate(request.user.tenant, checkpoint=against)
        report: ValidationReport = await state.interruption.run(work)
        return report

    @post(
        "/rebuild",
        operation_id="rebuild",
        status_code=200,
        guards=[needs("tenant:admin")],
        responses=documented(400, 401, 403, 503),
    )
    async def rebuild(self, request: Request[Principal, Any, Any], state: State) -> Rebuilt:
        """Drops the projections and computes them from the log again."""
        rows = await state.interruption.run(rebuild(state.runtime, request.user.tenant))
        return Rebuilt(projections=rows)
