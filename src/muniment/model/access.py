"""Who may do what: the scopes of credentials, and the spaces that they are kept to."""

from typing import Annotated, Literal, Self

from pydantic import BaseModel, Field, model_validator

from muniment.model.namespace import Name
from muniment.model.refusals import Closed

AccessScope = Literal["memory:read", "memory:write", "memory:erase", "query:read", "tenant:admin", "ops:read"]
AccessScopes = Annotated[list[AccessScope], Field(min_length=1, max_length=16)]


class Shown(BaseModel):
    """What is shown of something that the store keeps, by the same names."""

    @classmethod
    def of(cls, kept: object) -> Self:
        """The thing as it is shown; what has no field here, a hash for instance, stays behind."""
        return cls.model_validate(kept, from_attributes=True)


class NamespacePin(Closed):
    """The spaces that a credential is kept to: those that agree in each field that is given, of which one must be."""

    project_id: Name | None = None
    user_id: Name | None = None
    agent_id: Name | None = None

    @model_validator(mode="after")
    def _names_something(self) -> Self:
        # whoever lost the fields on the way must not be given the whole tenant
        if self.project_id is None and self.user_id is None and self.agent_id is None:
            raise ValueError("name at least one field, or leave the pin out")
        return self
