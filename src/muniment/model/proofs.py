"""What proves, offline, that a log holds a record."""

from pydantic import BaseModel, ConfigDict, Field


class RecordProof(BaseModel):
    """What shows, without the database, that a signed log holds a record. Hashes and salts are hexadecimal.

    The ``leaf`` (JSON) names the digest of the ``spine`` (JSON), which holds the commitment to the content; with the
    ``salt`` the content itself can be checked. The ``path`` leads from the leaf's hash, at ``index`` of ``size``
    leaves, to the root that the ``checkpoint`` signs. ``verifier_key`` is the log's own word for its key: compare it
    with the one that you trust.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    record_id: str
    leaf: str
    spine: str | None = Field(description="None where the record was erased: it named things")
    salt: str | None = Field(description="None where the content was erased")
    index: int
    size: int
    path: list[str]
    checkpoint: str
    verifier_key: str
