"""Filters: exactly what fits is searched, before anything is ranked, and never more than the namespace shows."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from asking import ATLAS, BOREALIS, ids, search, write_text
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from muniment.database.pool import Database
from muniment.log.writer import Writer
from muniment.model.message import Message
from muniment.model.namespace import Namespace
from muniment.retrieval.engine import Retriever
from muniment.settings import Settings
from muniment.tenancy.tenants import Tenant, create_tenant

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture
def writer(database: Database, settings: Settings) -> Writer:
    """Writes without vectors: which records may come is what is tested."""
    return Writer(database, None, None, settings)


@pytest.fixture
def retriever(database: Database, settings: Settings) -> Retriever:
    return Retriever(database, None, None, settings)


async def say(writer: Writer, tenant: Tenant, *messages: Message, group: str = "chat", **namespace: str) -> list[str]:
    """The ids of the messages' records."""
    space = Namespace(project_id="atlas", **namespace)
    run = await writer.ingest_messages(tenant.number, space, list(messages), group_id=group)
    return run.items[0].record_ids


async def found(retriever: Retriever, tenant: Tenant, filters: Mapping[str, Any], **more: Any) -> set[str]:
    """What a search for the pier gives with these filters."""
    return set(ids(await search(retriever, tenant, "pier", filters=filters, top_k=50, **more)))


async def test_a_record_that_fits_is_found_before_hundreds_of_better_ones_that_do_not(
    writer: Writer, retriever: Retriever, tenant: Tenant
) -> None:
    loud = [
        Message(speaker="Ada", role="user", content=f"pier pier pier {n}", at=NOON, metadata={"n": 1, "done": True})
        for n in range(600)
    ]
    await say(writer, tenant, *loud, group="loud", session_id="morning")
    text = "On 7 August 2019 we walked for a long time along the old harbour wall, and at its far end there was a pier."
    quiet = Message(
        speaker="Ben",
        role="guest",
        content=text,
        at=NOON - 9 * DAY,
        metadata={"n": 2, "done": False, "day": "2026-02-03"},
    )
    (wanted,) = await say(writer, tenant, quiet, group="quiet", session_id="evening")
    (document,) = await write_text(writer, tenant, "There is no better place to wait than on a pier.", "places")
    assert {wanted, document}.isdisjoint(await found(retriever, tenant, {})), "they are not among the best of all"
    (hit,) = (await search(retriever, tenant, "pier", filters={"group": "quiet"})).hits
    for filters in (
        {"group": "quiet"},
        {"session": "evening"},
        {"source": hit.source_key},
        {"source": hit.source_id},
        {"speaker": "Ben"},
        {"role": "guest"},
        {"said": {"until": NOON}},
        {"time": {"since": datetime(2019, 8, 1, tzinfo=UTC), "until": datetime(2019, 9, 1, tzinfo=UTC)}},
        {"metadata": {"n": 2}},
        {"metadata": {"done": False}},
        {"metadata": {"day": {"gte": "2026-02-01", "lt": "2026-03-01"}}},
        {"metadata": {"n": {"gt": 1.5}}},
        {"speaker": ["Ben", "Nobody"], "kind": "raw", "modality": "conversation", "metadata": {"n": {"any": [2, 3]}}},
    ):
        assert await found(retriever, tenant, filters) == {wanted}, filters
    assert await found(retriever, tenant, {}, group_id="quiet") == {wanted}
    assert await found(retriever, tenant, {"modality": "document"}) == {document}
    assert await found(retriever, tenant, {"source": ["places", "quiet-nothing"]}) == {document}
    for nothing in ({"kind": "fact"}, {"group": "quiet", "speaker": "Ada"}, {"session": "night"}, {"source": "%"}):
        assert await found(retriever, tenant, nothing) == set(), nothing
    result = await search(retriever, tenant, "pier", filters={"kind": "fact"})
    assert any("facts are not returned" in note for note in result.notes)


async def test_metadata_is_compared_by_type(writer: Writer, retriever: Retriever, tenant: Tenant) -> None:
    values: tuple[Any, ...] = (1, 1.5, "1", True, "true", "2026-03-01", "2026-02-28", "Zebra", "apple", None)
    messages = [
        Message(role="user", content=f"pier {n}", metadata={} if value is None else {"v": value})
        for n, value in enumerate(values)
    ]
    records = await say(writer, tenant, *messages)

    async def fit(condition: Any) -> list[Any]:
        given = await found(retriever, tenant, {"metadata": {"v": condition}})
        return [value for value, record in zip(values, records, strict=True) if record in given]

    assert [repr(value) for value in await fit(1)] == ["1"]
    assert [repr(value) for value in await fit(1.0)] == ["1"]
    assert await fit("1") == ["1"]
    assert [repr(value) for value in await fit(True)] == ["True"]
    assert await fit({"any": ["true", 1.5]}) == [1.5, "true"]
    assert [repr(value) for value in await fit({"gte": 1})] == ["1", "1.5"]
    assert await fit({"gt": 1, "lt": 2}) == [1.5]
    assert await fit({"lte": "2026-03-01", "gt": "2026-02-27"}) == ["2026-03-01", "2026-02-28"]
    assert await fit({"gte": "Z", "lt": "b"}) == ["Zebra", "apple"], "by code point, whatever the server's collation"
    assert await found(retriever, tenant, {"metadata": {"v": "1", "w": 1}}) == set()


async def test_a_time_is_that_of_which_a_record_tells_and_only_without_one_that_at_which_it_was_said(
    writer: Writer, retriever: Retriever, tenant: Tenant
) -> None:
    june, may = datetime(2023, 6, 15, 10, tzinfo=UTC), datetime(2023, 5, 10, tzinfo=UTC)
    told, silent, timeless, both = await say(
        writer, tenant,
        Message(role="user", content="On 10 May 2023 we built a pier.", at=june),
        Message(role="user", content="What a fine pier.", at=may + timedelta(hours=9)),
        Message(role="user", content="Some pier."),
        Message(role="user", content="The pier of 3 March 2021 fell on 10 May 2023.", at=june),
    )  # fmt: skip

    async def within(since: datetime | None, until: datetime | None, what: str = "time") -> set[str]:
        return await found(retriever, tenant, {what: {"since": since, "until": until}})

    assert await within(may, may + DAY) == {told, silent, both}
    assert await within(june - DAY, None) == set(), "they were said then, but tell of another time"
    assert await within(june - DAY, None, "said") == {told, both}
    assert await within(None, may) == {both}
    assert await within(datetime(2022, 1, 1, tzinfo=UTC), may) == set(), "one of its times must lie there, not between"
    assert await within(may + timedelta(hours=9), may + timedelta(hours=10)) == {told, silent, both}, "days overlap it"
    assert await within(may + DAY, None) == set(), "until is exclusive, and so is the end of a day"
    east = may.replace(tzinfo=timezone(timedelta(hours=14)))
    assert await within(east - 2 * DAY, east) == set(), "the request's zone counts"

    async def by(moment: datetime) -> set[str]:
        return await found(retriever, tenant, {}, as_of=moment)

    assert await by(may + timedelta(hours=12)) == {told, silent, timeless, both}
    assert await by(may - DAY) == {timeless, both}
    assert await by(datetime(2021, 1, 1, tzinfo=UTC)) == {timeless}
    (planned,) = await say(
        writer, tenant, Message(role="user", content="The pier opens again on 9 September 2023.", at=may - 2 * DAY)
    )
    assert planned in await by(may - DAY), "what was said by then counts, though its day is to come"
    assert planned not in await by(may - 3 * DAY)


async def test_filters_never_show_more_than_the_namespace(
    writer: Writer, retriever: Retriever, tenant: Tenant, other_tenant: Tenant
) -> None:
    message = Message(speaker="Ada", content="pier", at=NOON, metadata={"k": "v"})
    await writer.ingest_messages(tenant.number, BOREALIS, [message], group_id="theirs")
    await say(writer, other_tenant, message, group="theirs")
    (theirs,) = (await search(retriever, tenant, "pier", namespace=BOREALIS)).hits
    mine = await say(writer, tenant, Message(speaker="Ben", content="pier", at=NOON))
    for filters in (
        {"group": "theirs"}, {"source": theirs.source_id}, {"source": theirs.source_key}, {"speaker": "Ada"},
        {"metadata": {"k": "v"}}, {"said": {"since": NOON}, "speaker": "Ada"},
    ):  # fmt: skip
        assert await found(retriever, tenant, filters) == set(), filters
    assert await found(retriever, tenant, {"time": {"since": NOON}}) == set(mine)
    assert await found(retriever, tenant, {"modality": "conversation"}) == set(mine)


async def test_known_at_searches_the_log_as_it_was(writer: Writer, retriever: Retriever, tenant: Tenant) -> None:
    (old,) = await write_text(writer, tenant, "The pier is blue.", "pier")
    (new,) = await write_text(writer, tenant, "The pier is green.", "pier")
    for filters in ({}, {"source": "pier"}, {"modality": "document"}):
        assert await found(retriever, tenant, filters, known_at=1) == {old}
        assert await found(retriever, tenant, filters) == {new}
        assert await found(retriever, tenant, filters, known_at=0) == set()


_values = st.sampled_from([1, 2, 2.5, "1", "b", True, False])
_messages = st.lists(
    st.builds(
        dict,
        group=st.sampled_from(["g", "h"]),
        session=st.sampled_from([None, "s", "t"]),
        speaker=st.sampled_from(["Ada", "Ben"]),
        role=st.sampled_from(["user", "assistant"]),
        day=st.one_of(st.none(), st.integers(0, 9)),
        metadata=st.dictionaries(st.sampled_from(["k", "l"]), _values),
    ),
    min_size=1,
    max_size=5,
)
_ranges = st.integers(0, 9).flatmap(
    lambda since: st.builds(
        lambda length: {"since": NOON + since * DAY, "until": NOON + (since + length) * DAY}, st.integers(1, 9)
    )
)
_conditions = st.one_of(_values, st.builds(lambda low: {"gte": low}, st.sampled_from([1, 2.5, "1", "a"])))
_filters = st.fixed_dictionaries(
    {},
    optional={
        "group": st.lists(st.sampled_from(["g", "h", "i"]), min_size=1, max_size=2),
        "session": st.sampled_from(["s", "t", "u"]),
        "speaker": st.sampled_from(["Ada", "Ben"]),
        "role": st.just("user"),
        "time": _ranges,
        "said": _ranges,
        "metadata": st.dictionaries(st.sampled_from(["k", "l"]), _conditions, max_size=2),
    },
)


def _fits(message: dict[str, Any], filters: dict[str, Any]) -> bool:
    for name in ("group", "session", "speaker", "role"):
        wanted = filters.get(name, message[name])
        if message[name] not in (wanted if isinstance(wanted, list) else [wanted]):
            return False
    for name in ("time", "said"):
        if name in filters:
            at = None if message["day"] is None else NOON + message["day"] * DAY
            if at is None or not filters[name]["since"] <= at < filters[name]["until"]:
                return False
    return all(_holds(message["metadata"].get(key), wanted) for key, wanted in filters.get("metadata", {}).items())


def _kind(value: Any) -> str:
    return "truth" if isinstance(value, bool) else "text" if isinstance(value, str) else "number"


def _holds(value: Any, wanted: Any) -> bool:
    if value is None:
        return False
    if isinstance(wanted, dict):
        return _kind(value) == _kind(wanted["gte"]) and value >= wanted["gte"]
    return _kind(value) == _kind(wanted) and bool(value == wanted)


@hypothesis_settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(messages=_messages, asked=st.lists(_filters, min_size=3, max_size=6))
async def test_any_filter_gives_what_a_plain_comparison_gives(
    database: Database,
    writer: Writer,
    retriever: Retriever,
    messages: list[dict[str, Any]],
    asked: list[dict[str, Any]],
) -> None:
    tenant = await create_tenant(database, "one more")
    written: list[tuple[str, dict[str, Any]]] = []
    for number, message in enumerate(messages):
        at = None if message["day"] is None else NOON + message["day"] * DAY
        made = Message(
            content=f"pier {number}",
            speaker=message["speaker"],
            role=message["role"],
            at=at,
            metadata=message["metadata"],
        )
        within = {} if message["session"] is None else {"session_id": message["session"]}
        (record,) = await say(writer, tenant, made, group=message["group"], **within)
        written.append((record, message))
    for filters in asked:
        wanted = {record for record, message in written if _fits(message, filters)}
        assert await found(retriever, tenant, filters, namespace=ATLAS) == wanted, filters
