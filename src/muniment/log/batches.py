"""What a batch of messages comes to, decided message by message in their order: new, the same, or in place of another.

Pure: the database is asked before and written after.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from muniment.errors import MunimentError
from muniment.log.admission import AdmittedMessage, message_error
from muniment.log.drafts import Draft

_MAX_POSITION = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Batch:
    """Messages of one group, and their vectors where they were made early, one a message. Those that are ``served``
    context, by their index with the records that they came from, are not stored."""

    group_id: str
    messages: Sequence[AdmittedMessage]
    vectors: Sequence[Sequence[float]] | None
    served: Mapping[int, Sequence[UUID]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Known:
    """A record that stands under a message's key; ``same`` says that it has the message's content."""

    record_no: int
    record_id: UUID
    position: int
    message_id: str | None
    same: bool


@dataclass(slots=True)
class Plan:
    """The records that a batch brings, with their vectors; which known ones they replace, and by whom; what then
    stands under which key; the record of each message; the bytes of the new texts; where the group then goes on; which
    messages are served context."""

    drafts: list[Draft] = field(default_factory=list)
    vectors: list[Sequence[float]] | None = None
    replaced: list[tuple[Known, UUID]] = field(default_factory=list)
    keys: dict[str, int] = field(default_factory=dict)
    record_ids: list[UUID] = field(default_factory=list)
    bytes: int = 0
    next_position: int = 0
    served: dict[int, Sequence[UUID]] = field(default_factory=dict)


def known_keys(messages: Sequence[AdmittedMessage], kind: str) -> Iterator[str | None]:
    """The key of each message by its ``id`` or its explicit ``position``, None where it has none."""
    for message in messages:
        if kind == "id":
            yield None if message.id is None else _id_key(message.id)
        else:
            yield None if message.position is None else _position_key(message.position)


def plan_batch(
    batch: Batch,
    known: dict[str, list[Known | None]],
    records: Sequence[int],
    next_position: int,
    session_id: str | None,
) -> Plan:
    """The plan of a batch whose messages' keys are ``known`` to stand for these records.

    Raises ``input.message_invalid`` with the index of a message that claims the place or the id of another.
    """
    plan = Plan(vectors=None if batch.vectors is None else [], next_position=next_position)
    placed: dict[int, int] = {}  # position -> index of the message of this batch that has it
    named: dict[str, int] = {}  # message id -> index
    for index, message in enumerate(batch.messages):
        earlier = named.get(message.id) if message.id is not None else None
        stands = known["id"][index]
        if stands is None and earlier is None:
            stands = _by_position(index, message, known["position"][index])
        if index in batch.served and (stands is None or not stands.same):
            plan.served[index] = batch.served[index]
            plan.record_ids.append(batch.served[index][0])
            continue
        position = _place(message, stands, plan)
        earlier = placed.get(position) if earlier is None else earlier
        if earlier is not None:
            _require_same(index, message, earlier, batch.messages[earlier])
            plan.record_ids.append(plan.record_ids[earlier])
            continue
        placed[position] = index
        if message.id is not None:
            named[message.id] = index
        _decide(plan, batch, index, stands, position, records, session_id)
    return plan


def _by_position(index: int, message: AdmittedMessage, stands: Known | None) -> Known | None:
    """What stands at the message's explicit position, unless that goes by another id."""
    if stands is None or message.id is None or stands.message_id in (None, message.id):
        return stands
    raise message_error(index, "input.message_invalid", f"position {stands.position} is that of another message")


def _place(message: AdmittedMessage, stands: Known | None, plan: Plan) -> int:
    if stands is not None:
        return stands.position
    return plan.next_position if message.position is None else message.position


def _require_same(index: int, message: AdmittedMessage, earlier: int, other: AdmittedMessage) -> None:
    same = (message.content, message.role, message.speaker, message.said, message.metadata) == (
        other.content, other.role, other.speaker, other.said, other.metadata,
    )  # fmt: skip
    if not same or (message.id != other.id and message.id is not None):
        raise message_error(
            index,
            "input.message_invalid",
            f"it has the id or position of message {earlier}, which differs",
            other=earlier,
        )


def _decide(
    plan: Plan, batch: Batch, index: int, stands: Known | None, position: int, records: Sequence[int],
    session_id: str | None,
) -> None:  # fmt: skip
    message = batch.messages[index]
    if stands is not None and stands.same:
        plan.record_ids.append(stands.record_id)
        if message.id is not None and stands.message_id is None:
            plan.keys[_id_key(message.id)] = stands.record_no
        return
    if position > _MAX_POSITION:
        raise MunimentError("input.too_many", "the conversation has no position left", limit=_MAX_POSITION)
    message_id = message.id or (None if stands is None else stands.message_id)
    draft = Draft(
        record_no=records[index],
        text=message.content,
        modality="conversation",
        position=position,
        locator={**message.place, **_locator(batch.group_id, position, message_id)},
        fields=message.fields,
        metadata=message.metadata,
        session_id=session_id,
        speaker=message.speaker,
        role=message.role,
        said=message.said,
        language=message.language,
    )
    plan.drafts.append(draft)
    plan.record_ids.append(draft.record_id)
    plan.bytes += message.bytes
    plan.next_position = max(plan.next_position, position + 1)
    plan.keys[_position_key(position)] = draft.record_no
    if plan.vectors is not None and batch.vectors is not None:
        plan.vectors.append(batch.vectors[index])
    if stands is not None:
        plan.replaced.append((stands, draft.record_id))
    if message_id is not None:
        plan.keys[_id_key(message_id)] = draft.record_no


def _locator(group_id: str, position: int, message_id: str | None) -> dict[str, str | int]:
    place: dict[str, str | int] = {"kind": "message", "group_id": group_id, "turn": position}
    return place if message_id is None else place | {"message_id": message_id}


def _id_key(message_id: str) -> str:
    return f"i:{message_id}"


def _position_key(position: int) -> str:
    return f"p:{position}"
