"""SQL logins as they are shown: who reads the tenant's log with plain SQL, and what the server does not forbid them."""

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, Field

from muniment.model.refusals import Closed

MOST_CONNECTIONS = 32
Connections = Annotated[int, Field(ge=1, le=MOST_CONNECTIONS, strict=True)]


class SqlLoginRequest(Closed):
    """A login to be made: what it is for, how many connections it may hold, and until when it reads anything."""

    label: str = "unnamed"
    connections: Connections = 8
    valid_until: datetime | None = None


class SqlLoginRotation(Closed):
    """Another password for a login; ``valid_until`` in the place of what was said before, where it is given."""

    valid_until: datetime | None = None


class SqlLogin(BaseModel):
    """A PostgreSQL login of the tenant. ``name`` is the user name; after ``valid_until`` it reads nothing."""

    name: str
    label: str
    connections: int
    created_at: datetime
    valid_until: datetime | None = None
    rotated_at: datetime | None = None


class NewSqlLogin(SqlLogin):
    """A login with its password, which is shown this once, and where it connects to.

    ``gaps`` names what the server does not forbid it, empty on the embedded server.
    """

    password: str = Field(repr=False)
    host: str | None
    port: int | None
    database: str | None
    gaps: list[str]


class SqlLoginList(BaseModel):
    """The tenant's SQL logins, the oldest first."""

    logins: list[SqlLogin]
    gaps: list[str]
