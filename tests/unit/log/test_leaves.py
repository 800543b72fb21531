"""Leaves: canonical, the same after a trip through the database, and bound to everything they should be."""

import dataclasses
import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from uuid import UUID

import pytest
import rfc8785
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.log.leaves import Spine, canonical, commitment, entry_data, new_salt
from muniment.model.identifiers import new_id

SPINE = Spine(
    record_id=UUID("0191e4a1-0000-7000-8000-000000000001"),
    kind="raw",
    modality="conversation",
    project_id="atlas",
    user_id="maya",
    agent_id=None,
    source_id=UUID("0191e4a1-0000-7000-8000-000000000002"),
    source_version=1,
    group_key="chat",
    position=3,
    session_id=None,
    speaker="Maya",
    role="user",
    said_at=datetime(2026, 3, 1, 12, 0, 0, 5, tzinfo=UTC),
    said_offset=60,
    event_from=None,
    event_to=None,
    locator={"turn": 3, "span": [0, 12]},
    trust=0.9,
    commitment=b"\x01" * 32,
)

OTHER: dict[str, Any] = {
    "record_id": new_id(),
    "kind": "fact",
    "modality": "document",
    "project_id": None,
    "user_id": "liam",
    "agent_id": "maya",
    "source_id": new_id(),
    "source_version": 2,
    "group_key": "chat2",
    "position": 4,
    "session_id": "s",
    "speaker": "Liam",
    "role": None,
    "said_at": datetime(2026, 3, 1, 12, 0, 0, 6, tzinfo=UTC),
    "said_offset": 0,
    "event_from": datetime(2026, 3, 1, tzinfo=UTC),
    "event_to": datetime(2026, 3, 1, tzinfo=UTC),
    "locator": {"turn": 3, "span": [0, 13]},
    "trust": 0.8,
    "commitment": b"\x02" * 32,
}


@pytest.mark.parametrize("field", [field.name for field in dataclasses.fields(Spine)])
def test_a_spine_binds_each_of_its_fields(field: str) -> None:
    assert dataclasses.replace(SPINE, **{field: OTHER[field]}).digest() != SPINE.digest()


def test_a_time_is_bound_as_an_instant_not_as_the_zone_it_was_read_in() -> None:
    assert SPINE.said_at is not None
    elsewhere = SPINE.said_at.astimezone(timezone(timedelta(hours=5, minutes=30)))
    assert dataclasses.replace(SPINE, said_at=elsewhere).digest() == SPINE.digest()
    with pytest.raises(ValueError, match="zone"):
        dataclasses.replace(SPINE, said_at=datetime(2026, 3, 1)).digest()


def test_trust_is_bound_as_the_database_holds_it() -> None:
    assert (
        dataclasses.replace(SPINE, trust=0.123456789).digest() == dataclasses.replace(SPINE, trust=0.12345679).digest()
    )


def test_the_format_of_a_spine_never_changes() -> None:
    assert SPINE.digest().hex() == "1362170cd2612d59f2ded22be9803ae34d8b4234c38107710971350736e937f1"


words = st.text(st.characters(exclude_categories=["Cs"]))
details = st.one_of(st.none(), st.dictionaries(words, words))


@settings(deadline=None, max_examples=60)
@given(
    st.integers(1, 2**53 - 1),
    st.integers(0, 2**31),
    st.datetimes(min_value=datetime(1, 1, 2), max_value=datetime(9999, 12, 30), timezones=st.just(UTC)),
    st.one_of(st.none(), st.uuids()),
    st.one_of(st.none(), st.binary(min_size=32, max_size=32)),
    details,
)
def test_an_entry_put_together_by_hand_is_the_canonical_json(
    commit: int, ordinal: int, at: datetime, record: UUID | None, spine: bytes | None, detail: dict[str, str] | None
) -> None:
    data = entry_data(commit, ordinal, at, "record", record, spine, detail)
    parsed = json.loads(data)
    assert rfc8785.dumps(parsed) == data
    assert (parsed["commit"], parsed["ordinal"], parsed["event"], parsed["v"]) == (commit, ordinal, "record", 1)
    assert parsed["record"] == (None if record is None else "d_" + record.hex)
    assert parsed["spine"] == (None if spine is None else spine.hex())
    assert parsed["detail"] == detail
    assert datetime.fromisoformat(parsed["at"]) == at and len(parsed["at"]) == 27


json_values = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        words,
        st.integers(-(2**53) + 1, 2**53 - 1),
        st.floats(allow_nan=False, allow_infinity=False),
    ),
    lambda inner: st.one_of(st.lists(inner), st.dictionaries(words, inner)),
    max_leaves=12,
)


@settings(deadline=None, max_examples=200)
@given(json_values)
def test_canonical_json_is_that_of_rfc_8785(value: Any) -> None:
    assert canonical(value) == rfc8785.dumps(value)


def test_control_characters_and_every_plane_are_written_as_rfc_8785_says() -> None:
    everything = "".join(map(chr, [*range(0x180), 0x2028, 0x2029, 0xFEFF, 0xFFFF, 0x1F600, 0x10FFFF]))
    assert canonical(everything) == rfc8785.dumps(everything)
    surrogates_sort_low = {"\U0001f600": 1, "\uffff": 2, "a": 3}
    assert canonical(surrogates_sort_low) == '{"a":3,"\U0001f600":1,"\uffff":2}'.encode()


@pytest.mark.parametrize(
    ("written", "from_jsonb"),
    [(1e22, 10**22), (1e23, 10**23), (1.0, 1), (1.5e300, 15 * 10**299), (2**60, 2**60), (-0.0, 0), (1e-7, 0.0000001)],
)
def test_a_number_is_canonical_whichever_way_jsonb_gives_it_back(written: float, from_jsonb: float) -> None:
    assert canonical({"n": [written]}) == canonical({"n": [from_jsonb]})


def test_numbers_beyond_the_floats_stay_apart() -> None:
    assert canonical(2**53 + 1) != canonical(2**53) != canonical(2**53 + 2)
    assert canonical(10**400) == b'"1' + b"0" * 400 + b'"'


def test_a_commitment_binds_text_fields_payload_and_salt() -> None:
    salt = new_salt()
    bound = commitment(salt, "Yes.", {"a": "b"}, {"c": 1})
    assert len(salt) == 32 and len(bound) == 32 and salt != new_salt()
    assert bound == commitment(salt, "Yes.", {"a": "b"}, {"c": 1})
    assert bound not in (
        commitment(new_salt(), "Yes.", {"a": "b"}, {"c": 1}),
        commitment(salt, "Yes", {"a": "b"}, {"c": 1}),
        commitment(salt, "Yes.", {"a": "c"}, {"c": 1}),
        commitment(salt, "Yes.", {"a": "b"}, {"c": 2}),
    )
