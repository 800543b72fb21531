"""A statement as a record of the log: its spine, its content, what it says and what it rests on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from muniment.database.pool import Row, Scope
from muniment.extraction.statements import Statement
from muniment.log.drafts import as_json
from muniment.log.leaves import Spine, commitment, new_salt
from muniment.log.seal import NewEntry
from muniment.model.identifiers import RECORD, new_id, public_id


@dataclass(frozen=True, slots=True)
class FactPlace:
    """The group of the facts about one version of a source, locked, and by ``evidence`` the names of what they rest on.

    ``next_position`` is free in the group.
    """

    group_no: int
    group_key: str
    space: int
    next_position: int
    evidence: Row


@dataclass(frozen=True, slots=True)
class FactDraft:
    """A fact to be. ``basis`` is the row of the record on which its first span stands."""

    record_no: int
    record_id: UUID
    position: int
    statement: Statement
    basis: Row
    said_at: datetime | None
    fields: dict[str, str]
    salt: bytes
    commitment: bytes


def draft_facts(
    statements: Sequence[Statement],
    bases: Mapping[int, Row],
    numbers: range,
    place: FactPlace,
    extractor: str,
) -> list[FactDraft]:
    """Drafts in order, numbered from ``numbers``, which are at least as many."""
    drafts = []
    for n, (number, statement) in enumerate(zip(numbers, statements, strict=False)):
        told = [row["said_at"] for span in statement.spans if (row := bases[span.record_no])["said_at"] is not None]
        fields, salt = _fields(statement, extractor), new_salt()
        drafts.append(
            FactDraft(
                record_no=number,
                record_id=new_id(),
                position=place.next_position + n,
                statement=statement,
                basis=bases[statement.spans[0].record_no],
                said_at=max(told, default=None),
                fields=fields,
                salt=salt,
                commitment=commitment(salt, statement.text, fields, {}),
            )
        )
    return drafts


async def insert_facts(scope: Scope, place: FactPlace, drafts: Sequence[FactDraft]) -> None:
    """Writes records, contents, facts and evidence, and moves the group's end; the seal is the caller's."""
    if not drafts:
        return
    statements = [draft.statement for draft in drafts]
    await scope.execute(
        "facts.insert",
        space=place.space,
        source_no=place.evidence["source_no"],
        source_version=drafts[0].basis["source_version"],
        group_no=place.group_no,
        record_nos=[draft.record_no for draft in drafts],
        record_ids=[draft.record_id for draft in drafts],
        positions=[draft.position for draft in drafts],
        locators=[as_json(_locator(draft)) for draft in drafts],
        commitments=[draft.commitment.hex() for draft in drafts],
        salts=[draft.salt.hex() for draft in drafts],
        texts=[statement.text for statement in statements],
        fields=[as_json(draft.fields) for draft in drafts],
        froms=[statement.event_from for statement in statements],
        tos=[statement.event_to for statement in statements],
        said_ats=[draft.said_at for draft in drafts],
        modalities=[draft.basis["modality"] for draft in drafts],
    )
    spans = [(draft.record_no, *span) for draft in drafts for span in draft.statement.spans]
    await scope.execute(
        "facts.insert_evidence",
        space=place.space,
        records=[span[0] for span in spans],
        bases=[span[1] for span in spans],
        starts=[span[2] for span in spans],
        ends=[span[3] for span in spans],
    )
    await scope.execute("messages.advance", group_no=place.group_no, next_position=place.next_position + len(drafts))


def fact_entry(place: FactPlace, draft: FactDraft) -> NewEntry:
    """The entry that brings the fact into the log."""
    return NewEntry(
        event="record",
        space=place.space,
        record_no=draft.record_no,
        record_id=draft.record_id,
        spine_digest=_spine(place, draft).digest(),
        group_no=place.group_no,
        position=draft.position,
    )


def _fields(statement: Statement, extractor: str) -> dict[str, str]:
    """What the fact says, in its content, so that its leaf is bound to it and an erase takes it away."""
    return {
        "subject": statement.subject,
        "subject_type": statement.subject_type,
        "relation": statement.relation,
        "object": statement.object,
        "object_type": statement.object_type,
        "negated": "true" if statement.negated else "false",
        "kind": statement.kind,
        "confidence": f"{statement.confidence:.3g}",
        "extractor": extractor,
    }


def _locator(draft: FactDraft) -> dict[str, Any]:
    """Where to look: the first record that the fact rests on, and the characters there."""
    span = draft.statement.spans[0]
    return {"record": public_id(RECORD, draft.basis["record_id"]), "chars": [span.start, span.end]}


def _spine(place: FactPlace, draft: FactDraft) -> Spine:
    evidence = place.evidence
    return Spine(
        record_id=draft.record_id,
        kind="fact",
        modality=draft.basis["modality"],
        project_id=evidence["project_id"],
        user_id=evidence["user_id"],
        agent_id=evidence["agent_id"],
        source_id=evidence["source_id"],
        source_version=draft.basis["source_version"],
        group_key=place.group_key,
        position=draft.position,
        session_id=None,
        speaker=None,
        role=None,
        said_at=None,
        said_offset=None,
        event_from=draft.statement.event_from,
        event_to=draft.statement.event_to,
        locator=_locator(draft),
        trust=1.0,
        commitment=draft.commitment,
    )
