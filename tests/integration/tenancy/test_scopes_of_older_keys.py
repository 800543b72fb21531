"""Keys of versions that had three scopes, in a database that this version brings up to date."""

import psycopg
from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine

from muniment.database.embedded import EmbeddedServer
from muniment.database.files import migrations_directory, sql_directory
from muniment.database.migrate import migrate, run_script
from muniment.database.queries import query

_BEFORE = "0018_served"
_KEYS = {
    1: ["memory:read"],
    2: ["memory:write"],
    3: ["memory:read", "memory:write"],
    4: ["admin"],
    5: ["memory:write", "admin"],
}
_FORCED = "select relrowsecurity and relforcerowsecurity from pg_class where oid = 'muniment_auth.credential'::regclass"


def test_each_key_can_do_what_it_could_and_no_more(server: EmbeddedServer) -> None:
    with psycopg.connect(host=str(server.socket_dir()), user="postgres", dbname="postgres", autocommit=True) as maker:
        maker.execute("create database older_keys")
    url = server.url(database="older_keys")
    engine = create_engine(url)
    with engine.begin() as connection:
        run_script(connection, sql_directory() / "setup" / "roles.sql")
        connection.execute(query("setup.become_owner"))
        config = Config()
        config.set_main_option("script_location", str(migrations_directory()))
        config.attributes["connection"] = connection
        command.upgrade(config, _BEFORE)
    engine.dispose()
    with psycopg.connect(host=str(server.socket_dir()), user="postgres", dbname="older_keys", autocommit=True) as admin:
        admin.execute(
            "insert into muniment_auth.tenant (tenant_id, public_id, name) values (1, gen_random_uuid(), 'a')"
        )
        # as on a database in use, where the policies' file has been applied
        admin.execute("alter table muniment_auth.credential enable row level security, force row level security")
        for number, scopes in _KEYS.items():
            admin.execute(
                "insert into muniment_auth.credential (tenant_id, credential_id, prefix, secret_hash, label, scopes) "
                "values (1, gen_random_uuid(), 'x', sha256('x'), %s, %s)",
                (str(number), scopes),
            )
        migrate(url)
        rows = admin.execute("select label, scopes from muniment_auth.credential").fetchall()
        forced = admin.execute(_FORCED).fetchone()
    every = {"memory:read", "memory:write", "memory:erase", "query:read", "tenant:admin", "ops:read"}
    assert {int(label): set(scopes) for label, scopes in rows} == {
        1: {"memory:read", "query:read"},
        2: {"memory:write"},
        3: {"memory:read", "memory:write", "query:read"},
        4: every,
        5: every,
    }
    assert forced == (True,)
