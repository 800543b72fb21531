"""What a process refuses before it serves: real roles of every kind, and schemas of other versions."""

from collections.abc import Callable, Iterator

import psycopg
import pytest
from psycopg.sql import SQL, Identifier
from sqlalchemy import make_url

from muniment.database.pool import Database
from muniment.database.setup import driver_conninfo
from muniment.errors import MunimentError
from muniment.settings import Settings


@pytest.fixture
def superuser(admin_url: str) -> Iterator[psycopg.Connection]:
    with psycopg.connect(driver_conninfo(admin_url), autocommit=True) as connection:
        yield connection


@pytest.fixture
def role(superuser: psycopg.Connection) -> Iterator[Callable[[str], str]]:
    """Makes a login role with these attributes that may read what the service's own role may."""
    made: list[Identifier] = []

    def make(attributes: str) -> str:
        name = f"check_{len(made)}"
        made.append(Identifier(name))
        superuser.execute(SQL("create role {} login " + attributes).format(made[-1]))  # type: ignore[arg-type]
        return name

    yield make
    for name in made:
        superuser.execute(SQL("drop role {}").format(name))


async def _check(url: str, settings: Settings) -> None:
    database = Database(url, settings)
    try:
        await database.check()
    finally:
        await database.close()


def _as(url: str, user: str, **parameters: str) -> str:
    return make_url(url).set(username=user).update_query_dict(parameters).render_as_string(hide_password=False)


async def test_the_service_role_passes(app_url: str, settings: Settings) -> None:
    await _check(app_url, settings)


@pytest.mark.parametrize(
    ("attributes", "word"),
    [
        ("superuser", "superuser"),
        ("bypassrls in role muniment_app", "BYPASSRLS"),
        ("in role muniment_owner", "owner"),
        ("noinherit in role muniment_owner, muniment_app", "owner"),
        ("in role muniment_resolver, muniment_app", "crosses tenants"),
        ("in role muniment_app, postgres", "passes over"),
    ],
)
async def test_a_role_that_the_wall_does_not_bind_is_refused(
    admin_url: str, settings: Settings, role: Callable[[str], str], attributes: str, word: str
) -> None:
    name = role(attributes)
    with pytest.raises(MunimentError, match=word) as caught:
        await _check(_as(admin_url, name), settings)
    assert caught.value.code == "store.unsafe_role"


async def test_a_superuser_in_the_service_roles_clothes_is_refused(admin_url: str, settings: Settings) -> None:
    with pytest.raises(MunimentError, match="superuser"):
        await _check(_as(admin_url, "postgres", options="-c role=muniment_app"), settings)


async def test_a_role_beside_the_service_role_passes(
    admin_url: str, settings: Settings, role: Callable[[str], str]
) -> None:
    await _check(_as(admin_url, role("in role muniment_app")), settings)


@pytest.mark.parametrize(
    "change",
    [
        "update muniment.applied_files set checksum = 'another'",
        "update muniment.alembic_version set version_num = '9999_later'",
        "delete from muniment.applied_files",
        "drop schema muniment cascade",
    ],
)
async def test_a_schema_that_is_not_this_versions_is_refused(
    app_url: str, settings: Settings, superuser: psycopg.Connection, change: str
) -> None:
    superuser.execute(change)  # type: ignore[call-overload]
    with pytest.raises(MunimentError, match="run muniment init") as caught:
        await _check(app_url, settings)
    assert caught.value.code == "store.schema_mismatch"


async def test_a_database_that_was_never_set_up_is_refused(
    app_url: str, settings: Settings, superuser: psycopg.Connection
) -> None:
    with pytest.raises(MunimentError, match="run muniment init") as caught:
        await _check(make_url(app_url).set(database="postgres").render_as_string(hide_password=False), settings)
    assert caught.value.code == "store.schema_mismatch"
