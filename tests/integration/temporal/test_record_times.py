"""The times of which records tell: what a write stores of them."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from sqlalchemy import create_engine, text

from muniment.database.pool import Database
from muniment.log.writer import Writer
from muniment.model.message import Message
from muniment.model.namespace import Namespace
from muniment.model.source import SourceInput
from muniment.settings import Settings
from muniment.tenancy.tenants import Tenant

ATLAS = Namespace(project_id="atlas")
WEST = timezone(timedelta(hours=-5))


@pytest.fixture
def writer(database: Database, settings: Settings) -> Writer:
    return Writer(database, None, None, settings)


async def times(database: Database, tenant: Tenant) -> list[tuple[str, str, str, str]]:
    async with database.scope(tenant.number) as scope:
        rows = await scope.connection.execute(
            text("select from_at, to_at, grain, expression from muniment.record_time order by record_no, ordinal")
        )
        return [(_utc(row[0]), _utc(row[1]), row[2], row[3]) for row in rows]


def _utc(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="minutes").removesuffix("+00:00")


async def test_a_message_is_filed_under_the_day_it_tells_of_in_the_zone_it_was_said_in(
    writer: Writer, database: Database, tenant: Tenant
) -> None:
    late = datetime(2023, 6, 9, 23, 30, tzinfo=WEST)  # in UTC it is the 10th already
    await writer.ingest_messages(
        tenant.number, ATLAS, [Message(role="user", content="I went there yesterday.", at=late)], group_id="chat"
    )
    assert await times(database, tenant) == [("2023-06-08T05:00", "2023-06-09T05:00", "day", "yesterday")]


async def test_a_record_has_a_row_for_each_time_once_and_none_for_what_bounds_a_time(
    writer: Writer, database: Database, tenant: Tenant
) -> None:
    said = "Since 2019 I wait. It came on 3 May 2022, yes, 3 May 2022, before June 2022; in 2021 I left."
    at = datetime(2023, 6, 9, tzinfo=UTC)
    await writer.ingest_messages(tenant.number, ATLAS, [Message(role="user", content=said, at=at)], group_id="chat")
    assert [row[3] for row in await times(database, tenant)] == ["3 May 2022", "2021"]


async def test_a_document_that_nobody_dated_is_filed_only_under_dates_that_name_their_year(
    writer: Writer, database: Database, tenant: Tenant
) -> None:
    document = SourceInput(kind="text", text="Signed on 3 May 2022. Paid last week, and in June.", source_key="deed")
    await writer.ingest_sources(tenant.number, ATLAS, [document])
    assert await times(database, tenant) == [("2022-05-03T00:00", "2022-05-04T00:00", "day", "3 May 2022")]


async def test_a_record_that_tells_of_a_hundred_days_is_filed_under_the_first_of_them(
    writer: Writer, database: Database, tenant: Tenant
) -> None:
    days = ", ".join(f"{day} {month} 2022" for month in ("May", "July", "August", "October") for day in range(1, 26))
    await writer.ingest_messages(tenant.number, ATLAS, [Message(role="user", content=days)], group_id="chat")
    found = await times(database, tenant)
    assert len(found) == 16
    assert (found[0][3], found[-1][3]) == ("1 May 2022", "16 May 2022")


async def test_the_times_go_with_the_content_and_the_spine_knows_nothing_of_them(
    writer: Writer, database: Database, tenant: Tenant, admin_url: str
) -> None:
    at = datetime(2023, 6, 9, tzinfo=UTC)
    message = Message(role="user", content="It rained yesterday.", at=at)
    await writer.ingest_messages(tenant.number, ATLAS, [message], group_id="chat")
    engine = create_engine(admin_url)
    with engine.begin() as connection:
        assert connection.execute(text("select event_from, event_to from muniment.record")).all() == [(None, None)]
        connection.execute(text("delete from muniment.record_content"))
    engine.dispose()
    assert await times(database, tenant) == []
