"""The migration runner: what a start does to a database that is new, current, older, newer or busy."""

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import make_url

from muniment.database import migrate as runner
from muniment.database.migrate import migrate
from muniment.database.setup import driver_conninfo
from muniment.errors import MunimentError


@pytest.fixture
def superuser(admin_url: str) -> Iterator[psycopg.Connection]:
    with psycopg.connect(driver_conninfo(admin_url), autocommit=True) as connection:
        yield connection


def _objects(connection: psycopg.Connection) -> set[tuple[object, ...]]:
    """Functions, policies and relations with the versions of their catalog rows: a rewrite changes them."""
    statement = """
        select 'function', p.oid::regprocedure::text, p.xmin::text from pg_proc p
         where p.pronamespace::regnamespace::text like 'muniment%'
        union all select 'policy', p.polrelid::regclass || ' ' || p.polname, p.xmin::text from pg_policy p
        union all select 'relation', c.oid::regclass::text, c.xmin::text from pg_class c
         where c.relnamespace::regnamespace::text like 'muniment%'"""
    return set(connection.execute(statement).fetchall())


def test_a_second_start_changes_nothing(admin_url: str, superuser: psycopg.Connection) -> None:
    before = _objects(superuser)
    migrate(admin_url)
    assert _objects(superuser) == before


def test_what_an_earlier_version_defined_is_gone_after_the_next_start(
    admin_url: str, superuser: psycopg.Connection
) -> None:
    superuser.execute("""
        create function muniment_auth.resolve_credential(_secret text) returns bigint language sql as 'select 1';
        create policy yesterday on muniment.record to muniment_app using (true);
        create view muniment.yesterday as select 1 as one;
        drop policy app on muniment.record;
        update muniment.applied_files set checksum = 'earlier'""")
    migrate(admin_url)
    names = {(kind, name) for kind, name, _ in _objects(superuser)}
    assert ("function", "muniment_auth.resolve_credential(text)") not in names
    assert ("function", "muniment_auth.resolve_credential(bytea)") in names
    assert ("policy", "muniment.record yesterday") not in names
    assert ("policy", "muniment.record app") in names
    assert ("relation", "muniment.yesterday") not in names


def test_a_database_of_a_newer_version_is_refused(admin_url: str, superuser: psycopg.Connection) -> None:
    superuser.execute("update muniment.alembic_version set version_num = '9999_later'")
    with pytest.raises(MunimentError, match="newer version") as caught:
        migrate(admin_url)
    assert caught.value.code == "store.schema_mismatch"


def test_a_failing_file_leaves_the_database_as_it_was(
    admin_url: str, superuser: psycopg.Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = _objects(superuser)
    broken = tmp_path / "broken.sql"
    broken.write_text("drop table muniment.served; select 1 / 0;")
    files = runner.applied_files()
    monkeypatch.setattr(runner, "applied_files", lambda: [*files, broken])
    monkeypatch.setattr(runner, "files_checksum", lambda: "later")
    with pytest.raises(MunimentError, match="division by zero") as caught:
        migrate(admin_url)
    assert caught.value.code == "store.schema_mismatch"
    assert _objects(superuser) == before


def test_a_role_that_may_not_make_roles_is_told_so(server_url: str, superuser: psycopg.Connection) -> None:
    superuser.execute("drop role if exists plain_user")
    superuser.execute("create role plain_user login")
    try:
        with pytest.raises(MunimentError) as caught:
            migrate(server_url)
    finally:
        superuser.execute("drop role plain_user")
    assert caught.value.code == "store.not_permitted"
    assert "permission denied" in caught.value.detail


@pytest.fixture
def server_url(admin_url: str) -> str:
    """The URL of a role without any privilege on the database."""
    return make_url(admin_url).set(username="plain_user").render_as_string(hide_password=False)


def test_a_database_that_is_not_there_is_unavailable(admin_url: str) -> None:
    absent = make_url(admin_url).set(database="no_such_database").render_as_string(hide_password=False)
    with pytest.raises(MunimentError) as caught:
        migrate(absent)
    assert caught.value.code == "store.unavailable"
    assert "no_such_database" not in caught.value.detail


def test_a_setup_that_meets_a_long_transaction_gives_up(
    admin_url: str, superuser: psycopg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    superuser.execute("update muniment.applied_files set checksum = 'earlier'")
    monkeypatch.setattr(runner, "_LOCK_WAIT", "200ms")
    with psycopg.connect(driver_conninfo(admin_url)) as reader:
        reader.execute("select * from muniment.record")
        with pytest.raises(MunimentError) as caught:
            migrate(admin_url)
    assert caught.value.code == "store.busy"
