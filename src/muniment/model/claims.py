"""Claims as they are shown: what the live facts say together, why, and since when."""

import re
from datetime import datetime
from typing import Annotated, Final, Literal

from pydantic import BaseModel, Field, StringConstraints

from muniment.errors import MunimentError
from muniment.model.namespace import Namespace
from muniment.model.refusals import Closed

ClaimStatus = Literal["ACTIVE", "CONTESTED", "SUPERSEDED"]
STATUSES: tuple[ClaimStatus, ...] = ("ACTIVE", "CONTESTED", "SUPERSEDED")
_RELATION: Final = r"[a-z][a-z0-9_]{0,99}"
RelationName = Annotated[str, StringConstraints(pattern=f"^{_RELATION}$")]


def can_name_relation(name: str) -> bool:
    """Whether a relation can have this name; it is then also a part of a path."""
    return re.fullmatch(_RELATION, name) is not None


def admit_relation_name(name: str) -> None:
    """Raises ``input.invalid`` for a name that no relation can have."""
    if not can_name_relation(name):
        raise MunimentError(
            "input.invalid", "a relation's name is lower snake case, up to 100 letters, digits and _", field="name"
        )


class Claim(BaseModel):
    """One value of a relation of a subject, for a stretch of time.

    It holds from ``valid_from`` to ``valid_to``, exclusive; None is open. ``valid_from_basis`` says what the beginning
    is: the time that was told of (``event``), the time of saying (``said``) or of arrival (``learned``), at which it
    held, though perhaps before. ``status`` is as of the time asked about: SUPERSEDED where a later value, a denial or
    a correction has ended it by then. ``confidence`` is from 0 to 1 and falls with the time since it was last said.
    ``commit`` is the commit from which the claim stands like this.
    """

    id: str
    namespace: Namespace
    subject: str
    subject_type: str
    relation: str
    object: str
    object_type: str
    negated: bool
    status: ClaimStatus
    valid_from: datetime | None
    valid_to: datetime | None
    valid_from_basis: Literal["event", "said", "learned", "unknown"]
    confidence: float
    facts: int
    groups: int
    last_said_at: datetime
    commit: int
    until_commit: int | None


class ClaimPage(BaseModel):
    """Claims in the order in which their first facts came; ``pending``: some wait to be recompiled, or
    records to be read."""

    claims: list[Claim]
    known_at: int
    pending: bool
    next: str | None = None


class ClaimSpan(BaseModel):
    """A place in a record of the log: characters ``start`` to ``end`` of its text, which are ``quote``."""

    record_id: str
    source_id: str
    group_id: str
    start: int
    end: int
    quote: str
    live: bool


class ClaimFact(BaseModel):
    """A fact that a claim rests on, with the places in raw records that it rests on itself; a person's has none."""

    record_id: str
    restatement: str
    subject: str
    relation: str
    object: str
    negated: bool
    kind: str
    confidence: float
    event_from: datetime | None
    event_to: datetime | None
    said_at: datetime | None
    extractor: str
    spans: list[ClaimSpan]


class ClaimDecision(BaseModel):
    """Why a claim ended or is contested: a rule, and the fact (and its claim) by which.

    ``later_value``: another value began later; ``negation``: it was denied later; ``correction``: a person said
    otherwise; ``no_order``: another holds at the same time, and nothing says which came later. It stands from
    ``commit`` to ``until_commit``; ``undone_at_commit`` where a person took it back.
    """

    id: str
    rule: Literal["later_value", "negation", "correction", "no_order"]
    by_record_id: str
    by_claim_id: str | None
    commit: int
    until_commit: int | None
    undone_at_commit: int | None


class NameDecision(BaseModel):
    """The decision that ``name`` means the entity ``entity``: spelled alike (``trigram``), said so (``stated``), or set
    by a person."""

    id: str
    name: str
    entity: str
    rule: Literal["trigram", "stated", "person"]
    similarity: float | None
    by_record_id: str
    commit: int
    undone_at_commit: int | None


class ClaimDetail(BaseModel):
    """A claim with all that it rests on: its facts, the decisions about it and its subject's names; all versions."""

    claim: Claim
    evidence: list[ClaimFact]
    decisions: list[ClaimDecision]
    names: list[NameDecision]
    versions: list[Claim]


class UndoneDecision(BaseModel):
    """A decision that was taken back, by which commit."""

    id: str
    commit: int


class RelationChange(Closed):
    """What a person says of a relation. ``aliases`` are other names of it, ``inverses`` names under which subject and
    object stand the other way round: its own name where it is symmetric."""

    single: bool = Field(strict=True)
    aliases: list[RelationName] = Field(default_factory=list, max_length=50)
    inverses: list[RelationName] = Field(default_factory=list, max_length=50)


class Relation(BaseModel):
    """A relation as it is in force: whether a subject has one value of it at a time, and who says so."""

    relation: str
    single: bool
    aliases: list[str]
    inverses: list[str]
    set_by: Literal["default", "learned", "person"]
    commit: int | None = None


class RelationList(BaseModel):
    """All relations that are known, by name; others have many values."""

    relations: list[Relation]
