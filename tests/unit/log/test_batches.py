"""What a batch comes to, against a plain model of a conversation: a dictionary of positions and one of ids."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.errors import MunimentError
from muniment.log.admission import AdmittedMessage
from muniment.log.batches import Batch, Known, Plan, known_keys, plan_batch


def message(content: str, **more: Any) -> AdmittedMessage:
    fields = {"role": "user", "speaker": None, "said": None, "id": None, "position": None, "metadata": {}} | more
    return AdmittedMessage(content=content, bytes=len(content.encode()), **fields)


class Conversation:
    """What the database would hold: records under keys, and the position after the last."""

    def __init__(self) -> None:
        self.keys: dict[str, Known] = {}
        self.contents: dict[int, str] = {}
        self.next_position = 0
        self.records = 0

    def say(self, messages: list[AdmittedMessage]) -> Plan:
        known = {
            kind: [self._known(key, said) for key, said in zip(known_keys(messages, kind), messages, strict=True)]
            for kind in ("id", "position")
        }
        numbers = range(self.records, self.records + len(messages))
        plan = plan_batch(Batch("g", messages, None), known, numbers, self.next_position, None)
        self.records += len(messages)
        self.next_position = plan.next_position
        drafts = {draft.record_no: draft for draft in plan.drafts}
        before = {known.record_no: known for known in self.keys.values()}
        for key, record_no in plan.keys.items():
            draft = drafts.get(record_no)
            if draft is None:
                self.keys[key] = before[record_no]
                continue
            self.contents[record_no] = draft.text
            name = draft.locator.get("message_id")
            self.keys[key] = Known(record_no, draft.record_id, draft.position, name, False)
        return plan

    def standing(self) -> list[str]:
        at = {known.position: known.record_no for key, known in self.keys.items() if key.startswith("p:")}
        return [self.contents[at[position]] for position in sorted(at)]

    def _known(self, key: str | None, said: AdmittedMessage) -> Known | None:
        known = self.keys.get(key or "")
        if known is None:
            return None
        same = self.contents[known.record_no] == said.content
        return Known(known.record_no, known.record_id, known.position, known.message_id, same)


def test_messages_without_id_or_position_are_appended_whatever_they_say() -> None:
    conversation = Conversation()
    conversation.say([message("Yes."), message("Yes.")])
    plan = conversation.say([message("Yes.")])
    assert conversation.standing() == ["Yes."] * 3
    assert [draft.position for draft in plan.drafts] == [2]


def test_an_appended_message_goes_after_a_position_given_in_the_same_batch() -> None:
    plan = Conversation().say([message("a", position=7), message("b"), message("c", position=2), message("d")])
    assert [draft.position for draft in plan.drafts] == [7, 8, 2, 9]
    assert plan.next_position == 10


def test_two_messages_of_a_batch_cannot_have_one_place() -> None:
    for messages in (
        [message("a", position=0), message("b", position=0)],
        [message("a"), message("b", position=0)],
        [message("a", id="x"), message("b", id="x")],
        [message("a", id="x", position=0), message("a", id="y", position=0)],
    ):
        with pytest.raises(MunimentError) as refused:
            Conversation().say(messages)
        assert (refused.value.code, refused.value.facts["index"]) == ("input.message_invalid", 1)
    plan = Conversation().say([message("a", id="x"), message("a", id="x"), message("a", position=0)])
    assert len(plan.drafts) == 1 and len(set(plan.record_ids)) == 1 and len(plan.record_ids) == 3


def test_a_replacement_keeps_the_id_of_what_it_replaces() -> None:
    conversation = Conversation()
    conversation.say([message("a", id="x")])
    plan = conversation.say([message("b", position=0)])
    assert plan.drafts[0].locator == {"kind": "message", "group_id": "g", "turn": 0, "message_id": "x"}
    assert conversation.say([message("b", id="x")]).drafts == []


_batches = st.lists(
    st.lists(
        st.builds(
            message,
            st.sampled_from(["a", "b", "c"]),
            id=st.none() | st.sampled_from(["x", "y", "z"]),
            position=st.none() | st.integers(0, 4),
        ),
        min_size=1,
        max_size=5,
    ),
    max_size=6,
)


@given(_batches)
def test_what_was_admitted_stands_and_sending_it_again_changes_nothing(batches: list[list[AdmittedMessage]]) -> None:
    conversation = Conversation()
    for batch in batches:
        try:
            plan = conversation.say(batch)
        except MunimentError:
            continue
        at = {known.record_id: known for known in conversation.keys.values()}
        assert len(plan.record_ids) == len(batch)
        for said, record_id in zip(batch, plan.record_ids, strict=True):
            assert conversation.contents[at[record_id].record_no] == said.content
            if said.id is not None:
                assert conversation.keys[f"i:{said.id}"].record_id == record_id
        positions = [draft.position for draft in plan.drafts]
        assert len(set(positions)) == len(positions) and all(each < plan.next_position for each in positions)
        before = conversation.standing()
        if all(said.id is not None or said.position is not None for said in batch):
            assert conversation.say(batch).drafts == []
        assert conversation.standing() == before
