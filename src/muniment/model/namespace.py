"""The namespace: whose memory it is."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, StringConstraints

Name = Annotated[str, StringConstraints(min_length=1, max_length=256, pattern=r"^[^\x00-\x1f\x7f]+$")]


class Namespace(BaseModel):
    """Whose memory: any of project, user and agent, and the session inside.

    A write goes to exactly the space named. A question sees every space that agrees in each field it names; a
    field left out is not compared. ``include_shared`` also sees the spaces of the project that have no user.
    ``session_id`` is not part of the space: it marks records, and narrows a question where given.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    project_id: Name | None = None
    user_id: Name | None = None
    agent_id: Name | None = None
    session_id: Name | None = None
    include_shared: bool = False
