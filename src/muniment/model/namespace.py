"""The namespace: whose memory it is."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from muniment.errors import MunimentError

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
    include_shared: bool = Field(False, strict=True)

    @model_validator(mode="before")
    @classmethod
    def _known_keys(cls, given: Any) -> Any:
        # with a code of its own, wherever a namespace comes from: a misspelt key must never mean "everything"
        unknown = sorted(set(given) - set(cls.model_fields)) if isinstance(given, dict) else []
        if unknown:
            raise MunimentError(
                "input.namespace_unknown_key",
                f"a namespace has no key {str(unknown[0])[:64]!r}",
                unknown=[str(key)[:64] for key in unknown[:20]],
                known=sorted(cls.model_fields),
            )
        return given
