"""Health: alive is the process, ready is the process with its database."""

from litestar import Controller, get
from litestar.datastructures import State
from pydantic import BaseModel

from muniment.api.problems import documented


class Health(BaseModel):
    """How it stands."""

    status: str


class HealthController(Controller):
    """For load balancers and supervisors; needs no key, tells nothing."""

    path = "/health"
    tags = ["health"]  # noqa: RUF012 - Litestar's own form
    opt = {"exclude_from_auth": True}  # noqa: RUF012
    security = [{}]  # noqa: RUF012

    @get("/live", operation_id="live")
    async def live(self) -> Health:
        """The process answers."""
        return Health(status="live")

    @get("/ready", operation_id="ready", responses=documented(503))
    async def ready(self, state: State) -> Health:
        """The database answers too, at the right version and with a safe role."""
        await state.runtime.database.check()
        return Health(status="ready")
