"""How a search reaches its rows: by tenant and term, or tenant and record, in the index condition, under RLS."""

import json
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from lexical_corpus import Corpus
from sqlalchemy import text

from muniment.database.setup import driver_conninfo

KEYS = {
    "posting_tail": ("tenant_id = ", "bucket = ", "space_id = "),
    "posting_block": ("tenant_id = ", "term = ", "space_id = "),
    "liveness": ("tenant_id = ", "record_no = "),
    "lexical_document": ("tenant_id = ", "record_no = "),
}
_MERGE = text("select muniment.merge_postings(cast(:tenant as bigint), 1, 16)")
_SEARCH = """
    select record_no from muniment.search_lexical(
      %s, %s::bigint[], %s, 'english', %s::bigint, 1.5, 0.75, 5::integer, %s::integer)"""
_FILL_SPACES = """
    insert into muniment.posting_tail
      (tenant_id, bucket, space_id, first_record, documents, total_length, terms, ends, records, counts, lengths)
    select %s, 1, s.space, s.space, 2, 2, array['common', '~common'], array[1, 2], array[s.space, s.space],
           array[1, 1]::smallint[], array[1, 1]
      from generate_series(101, 10100) s(space)
    union all
    select %s, 0, s.space, s.space, 1, 1, '{}', '{}', '{}', '{}', '{}' from generate_series(101, 10100) s(space)"""


def _scans(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if "Relation Name" in node:
        yield node
    for child in node.get("Plans", []):
        yield from _scans(child)


class Explained:
    """Searches as muniment_app, with the plans of all statements inside them."""

    def __init__(self, url: str, tenant: int) -> None:
        self.tenant = tenant
        self.scans: list[dict[str, Any]] = []
        self.connection = psycopg.connect(driver_conninfo(url), autocommit=True)
        self.connection.execute("load 'auto_explain'")
        self.connection.add_notice_handler(self._keep)

    def search(self, question: str, spaces: list[int], cap: int, known_at: int | None = None) -> list[dict[str, Any]]:
        """The scans of tables of the index that the search made, as the plans' JSON."""
        self.scans.clear()
        with self.connection.transaction():
            for setting, value in (("log_min_duration", "0"), ("log_nested_statements", "on"), ("log_analyze", "on"),
                                   ("log_format", "json")):  # fmt: skip
                self.connection.execute("select set_config('auto_explain.' || %s, %s, true)", (setting, value))
            self.connection.execute("set local client_min_messages = log")
            self.connection.execute("set local role muniment_app")
            self.connection.execute("select muniment_auth.open_scope(%s, null, 60000)", (self.tenant,))
            self.connection.execute(_SEARCH, (self.tenant, spaces, question, known_at, cap)).fetchall()
        return [scan for scan in self.scans if scan["Relation Name"] in KEYS]

    def _keep(self, notice: psycopg.errors.Diagnostic) -> None:
        message = notice.message_primary or ""
        if "plan:" in message:
            self.scans += _scans(json.loads(message.split("plan:", 1)[1])["Plan"])


@pytest.fixture
def explained(admin_url: str, corpus: Corpus) -> Iterator[Explained]:
    """Searches of the corpus' tenant."""
    opened = Explained(admin_url, corpus.tenant)
    yield opened
    opened.connection.close()


async def test_every_row_is_reached_by_its_key_whichever_way_a_search_takes(
    corpus: Corpus, explained: Explained
) -> None:
    await corpus.add(*(f"common word{number % 7} other{number % 3}" for number in range(60)))
    await corpus.run(_MERGE)
    last = await corpus.add("common word1", "rare common")
    await corpus.close(last[0])
    # so small that a scan of the whole table would be cheaper, and the planner would take it if let
    reached = set()
    for cap, known_at in ((1, None), (10, None), (100_000, None), (100_000, 1)):
        scans = explained.search("rare common word1 other2", [1], cap, known_at)
        for scan in scans:
            keys = KEYS[scan["Relation Name"]]
            assert scan["Node Type"] in ("Index Scan", "Index Only Scan"), scan
            assert all(key in scan["Index Cond"] for key in keys), (scan["Relation Name"], scan["Index Cond"])
        reached |= {scan["Relation Name"] for scan in scans}
    assert reached >= {"posting_tail", "posting_block", "liveness"}


async def test_ten_thousand_spaces_are_not_probed_one_by_one(
    admin_url: str, corpus: Corpus, explained: Explained
) -> None:
    await corpus.add("rare common")
    with psycopg.connect(driver_conninfo(admin_url)) as connection:
        connection.execute(_FILL_SPACES, (corpus.tenant, corpus.tenant))
    spaces = [1, *range(101, 10_101)]
    for question in ("rare", "common"):
        scans = explained.search(question, spaces, 100_000)
        postings = [scan for scan in scans if scan["Relation Name"].startswith("posting_")]
        assert postings
        assert all(scan["Index Searches"] < 300 for scan in postings)
    few = [scan for scan in explained.search("common", [1, 101], 100) if scan["Relation Name"] == "posting_tail"]
    assert all(scan["Actual Rows"] <= 6 for scan in few), "two spaces must not read the postings of all"


async def test_candidates_are_finished_from_forward_rows_where_postings_are_many(
    corpus: Corpus, explained: Explained
) -> None:
    await corpus.add(*["common word"] * 400, *["rare thing common word"] * 3)
    scans = explained.search("rare thing common word", [1], 3)
    assert "lexical_document" in {scan["Relation Name"] for scan in scans}
    assert all(scan["Actual Rows"] <= 3 for scan in scans if scan["Relation Name"] == "lexical_document")
    every = dict(await corpus.search("rare thing common word", limit=500, exhaustive=True))
    found = await corpus.search("rare thing common word", limit=3, cap=3)
    assert [score for _, score in found] == [every[record] for record, _ in found]
