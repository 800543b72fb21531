"""Validation finds what a superuser spoils, names just that, and finds nothing in a log that is whole."""

import asyncio
import itertools
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from log_seeding import write
from psycopg import connect
from psycopg.sql import SQL, Identifier
from spoiled import SPOILED, TURN
from sqlalchemy import make_url, text
from validation_store import FIRST, SECOND, SpoiledDatabase, app_url, fill, spoiling, store_settings

from muniment.database.embedded import EmbeddedServer
from muniment.database.pool import Database
from muniment.database.setup import driver_conninfo
from muniment.errors import MunimentError
from muniment.log.checkpoints import sign_checkpoint
from muniment.log.leaves import commitment, entry_leaf
from muniment.log.proofs import read_spines
from muniment.log.tree import Frontier
from muniment.log.validate import validate
from muniment.model.result import ValidationReport
from muniment.tenancy.tenants import Tenant

_copies = itertools.count(1)


@pytest.fixture(scope="module")
def filled(
    fresh_database: Callable[[], AbstractContextManager[str]], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, Path]]:
    """A store to copy: the superuser's URL of its database, and its data directory."""
    directory = tmp_path_factory.mktemp("filled") / "data"
    with fresh_database() as url:
        asyncio.run(fill(url, directory))
        yield url, directory


@pytest.fixture
def store(filled: tuple[str, Path], server: EmbeddedServer, tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """A copy of the store to spoil."""
    url, directory = filled
    shutil.copytree(directory, tmp_path / "data")
    name = f"spoiled_{next(_copies)}"
    with connect(driver_conninfo(server.url(database="postgres")), autocommit=True) as connection:
        original = Identifier(str(make_url(url).database))
        copy = SQL("create database {} template {} strategy file_copy").format(Identifier(name), original)
        connection.execute(copy)
        yield make_url(url).set(database=name).render_as_string(hide_password=False), tmp_path / "data"
        connection.execute(SQL("drop database {}").format(Identifier(name)))


async def report(store: tuple[str, Path], tenant: int = FIRST, **options: str) -> ValidationReport:
    database = Database(app_url(store[0]), store_settings(store[1]))
    try:
        return await validate(database, tenant, **options)  # type: ignore[arg-type]
    finally:
        await database.close()


def checks(found: ValidationReport) -> set[str]:
    return {finding.check for finding in found.findings}


async def test_a_whole_log_is_valid_and_everything_was_looked_at(store: tuple[str, Path]) -> None:
    found = await report(store)
    assert found.findings == [] and found.valid and found.checkpoint == "matches"
    assert (found.commits, found.entries, found.records) == (7, 311, 306)
    assert found.checks.pop("audit") == 0  # nobody administered anything
    assert all(count > 0 for count in found.checks.values()), found.checks
    assert set(found.checks) == {
        "commits", "commit_times", "statistics", "records", "evidence", "facts", "claims",
        "source_versions", "blobs", "message_keys", "positions", "metadata",
        "liveness", "embeddings", "embedding_pending", "entries", "leaves", "contents", "roots", "tree_nodes", "head",
        "checkpoints", "lexical_documents", "postings",
    }  # fmt: skip
    second = await report(store, SECOND)
    assert second.valid and second.checkpoint == "none" and second.root != found.root


@pytest.mark.parametrize(("statement", "expected"), [pytest.param(s, e, id=name) for name, s, e in SPOILED])
async def test_what_was_spoiled_is_found_and_nothing_else(
    filled: tuple[str, Path], statement: str, expected: set[str]
) -> None:
    database = SpoiledDatabase(*filled, statement)
    found = await validate(database, FIRST)
    await database.close()
    assert checks(found) == expected, found.findings
    assert not found.valid


async def test_what_was_spoiled_in_one_tenant_is_not_found_in_another(store: tuple[str, Path]) -> None:
    with spoiling(store[0]) as connection:
        connection.execute(text("update muniment.log_commit set root = sha256('x') where tenant_id = 1"))
    assert not (await report(store)).valid
    assert (await report(store, SECOND)).valid


async def rewrite(store: tuple[str, Path]) -> None:
    """Makes the log one in which Turn 12 always said something else, with every hash and index right."""
    database = Database(app_url(store[0]), store_settings(store[1]))
    turn = "where tenant_id = 1 and record_no = " + TURN
    with spoiling(store[0]) as connection:
        changed = connection.execute(
            text(f"select record_no, salt, fields, payload from muniment.record_content {turn}")  # noqa: S608
        ).one()
        bound = commitment(changed.salt, "Turn 12: never.", changed.fields, changed.payload)
        values = {"no": changed.record_no, "bound": bound, "text": "Turn 12: never."}
        for statement in (
            "update muniment.record_content set text = :text where tenant_id = 1 and record_no = :no",
            "update muniment.record set commitment = :bound where tenant_id = 1 and record_no = :no",
            "select muniment.rebuild_lexical(1, space_id) from muniment.space where tenant_id = 1",
            "delete from muniment.checkpoint where tenant_id = 1",
        ):
            connection.execute(text(statement), {name: values[name] for name in values if f":{name}" in statement})
    async with database.scope(FIRST) as scope:
        entries = await scope.rows("validate.entries", after=-1, limit=1000, bytes=2**30)
        spines = await read_spines(scope, [entry["record_no"] for entry in entries if entry["event"] == "record"])
    await database.close()
    tree = Frontier()
    with spoiling(store[0]) as connection:
        for entry in entries:
            spine = spines[entry["record_no"]].digest() if entry["event"] == "record" else None
            leaf = entry_leaf(
                entry["commit_no"], entry["ordinal"], entry["at"], entry["event"], entry["record_id"], spine,
                entry["detail"],
            )  # fmt: skip
            completed = tree.append(leaf)
            made = {"leaf": leaf, "entry": entry["entry_no"], "commit": entry["commit_no"], "root": tree.root()}
            connection.execute(
                text("update muniment.log_entry set leaf = :leaf where tenant_id = 1 and entry_no = :entry"), made
            )
            connection.execute(
                text("update muniment.log_commit set root = :root where tenant_id = 1 and commit_no = :commit"), made
            )
            for level, node, node_hash in completed:
                connection.execute(
                    text(
                        "update muniment.tree_node set hash = :hash where tenant_id = 1 and (level, node_no) = (:l, :n)"
                    ),
                    {"hash": node_hash, "l": level, "n": node},
                )
        connection.execute(text("update muniment.log_head set peaks = :p where tenant_id = 1"), {"p": tree.peaks})


async def test_a_rewrite_that_agrees_with_itself_is_shown_by_the_exported_checkpoint_alone(
    store: tuple[str, Path],
) -> None:
    history = next((store[1] / "checkpoints").iterdir())
    kept = history.read_text()
    await rewrite(store)
    found = await report(store)
    assert checks(found) == {"checkpoints"} and found.checkpoint is None
    assert [finding.facts for finding in found.findings] == [{"entries": 33}, {"entries": 311}]
    history.unlink()
    unwitnessed = await report(store)
    assert unwitnessed.valid and unwitnessed.checkpoint == "none"
    assert checks(await report(store, checkpoint=kept)) == {"checkpoints"}


async def test_a_log_cut_at_a_commit_is_shown_by_the_exported_checkpoint_alone(store: tuple[str, Path]) -> None:
    database = Database(app_url(store[0]), store_settings(store[1]))
    async with database.scope(FIRST) as scope:
        entries = await scope.rows("validate.entries", after=-1, limit=1000, bytes=2**30)
    await database.close()
    tree = Frontier()
    tree.extend(entry["leaf"] for entry in entries if entry["commit_no"] < 6)
    last = "(select record_no from muniment.log_entry where tenant_id = 1 and commit_no >= 6)"
    with spoiling(store[0]) as connection:
        for table in (
            "record_content",
            "record",
            "liveness",
            "lexical_document",
            "embedding",
            "message_key",
            "fact",
            "evidence",
        ):
            connection.execute(text(f"delete from muniment.{table} where tenant_id = 1 and record_no in {last}"))  # noqa: S608
        for statement in (
            "delete from muniment.source_version where tenant_id = 1 and live_from_commit >= 6",
            "delete from muniment.log_entry where tenant_id = 1 and commit_no >= 6",
            "delete from muniment.log_commit where tenant_id = 1 and commit_no >= 6",
            "delete from muniment.checkpoint where tenant_id = 1",
            "select muniment.rebuild_lexical(1, space_id) from muniment.space where tenant_id = 1",
        ):
            connection.execute(text(statement))
        connection.execute(
            text(
                "update muniment.log_head set commits = 5, entries = :size, peaks = :peaks, last_at ="
                " (select at from muniment.log_commit where tenant_id = 1 and commit_no = 5) where tenant_id = 1"
            ),
            {"size": tree.size, "peaks": tree.peaks},
        )
    found = await report(store)
    assert [(finding.check, finding.facts) for finding in found.findings] == [("checkpoints", {"entries": tree.size})]


async def test_a_checkpoint_kept_outside_is_enough_and_must_be_of_this_log(store: tuple[str, Path]) -> None:
    history = next((store[1] / "checkpoints").iterdir())
    notes = history.read_text()
    shutil.rmtree(store[1] / "checkpoints")
    assert (await report(store, checkpoint=notes)).checkpoint == "matches"
    (store[1] / "signing.key").unlink()
    with pytest.raises(MunimentError) as raised:  # our key is another now
        await report(store, checkpoint=notes)
    assert raised.value.code == "checkpoint.invalid"
    with pytest.raises(MunimentError, match="no signed checkpoint"):
        await report(store, checkpoint="no checkpoint at all")


async def test_exported_checkpoints_of_another_key_are_not_trusted_unless_the_key_is_given(
    store: tuple[str, Path],
) -> None:
    database = Database(app_url(store[0]), store_settings(store[1]))
    key = str((await sign_checkpoint(database, FIRST)).key)
    await database.close()
    (store[1] / "signing.key").unlink()
    assert checks(await report(store)) == {"checkpoints"}
    assert (await report(store, public_key=key)).checkpoint == "matches"


async def test_a_log_that_is_wrong_everywhere_is_reported_in_bounds(store: tuple[str, Path]) -> None:
    with spoiling(store[0]) as connection:
        connection.execute(text("update muniment.record set speaker = 'Nobody' where tenant_id = 1"))
    found = await report(store)
    assert checks(found) == {"leaves"} and len(found.findings) == 101
    assert found.findings[-1].detail == "more than these 100 are wrong"


async def test_liveness_can_be_made_anew_from_the_log(store: tuple[str, Path]) -> None:
    held = text("select * from muniment.liveness where tenant_id = 1 order by record_no")
    with spoiling(store[0]) as connection:
        before = connection.execute(held).all()
        connection.execute(text("update muniment.liveness set live_to_commit = null, position = 7 where tenant_id = 1"))
    database = Database(app_url(store[0]), store_settings(store[1]))
    async with database.scope(FIRST) as scope:
        rebuilt = await scope.connection.execute(text("select muniment.rebuild_liveness(cast(1 as bigint))"))
        assert rebuilt.scalar() == len(before)
    await database.close()
    with spoiling(store[0]) as connection:
        assert connection.execute(held).all() == before
        assert connection.execute(text("select count(*) from muniment.liveness where tenant_id = 2")).scalar() == 305


async def test_an_empty_log_is_valid(database: Database, tenant: Tenant) -> None:
    found = await validate(database, tenant.number)
    assert found.valid and (found.commits, found.entries, found.records) == (0, 0, 0)


async def test_validation_sees_one_moment_while_others_write_and_sign(database: Database, tenant: Tenant) -> None:
    writing = True

    async def write_on(group: int) -> None:
        for number in range(6):
            await write(database, tenant.number, f"{group}-{number}", ["a", "b", "c"])
            await sign_checkpoint(database, tenant.number)

    async def keep_validating() -> int:
        rounds = 0
        while writing:
            found = await validate(database, tenant.number)
            # what was seeded by hand has no index rows
            assert checks(found) <= {"lexical_documents", "source_versions", "embeddings"}, found.findings
            rounds += 1
        return rounds

    validating = asyncio.create_task(keep_validating())
    await asyncio.gather(*(write_on(group) for group in range(3)))
    writing = False
    assert await validating > 0
