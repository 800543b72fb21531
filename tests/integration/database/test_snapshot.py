"""The readable snapshot of the schema says what a migrated database is."""

from muniment.database.files import sql_directory
from muniment.database.snapshot import schema_of


def test_the_snapshot_is_what_the_migrations_and_files_make(admin_url: str) -> None:
    kept = (sql_directory() / "schema.sql").read_text(encoding="utf-8")
    assert kept == schema_of(admin_url), "sql/schema.sql is out of date: run `make schema` and commit it"


def test_the_snapshot_holds_the_wall(admin_url: str) -> None:
    found = schema_of(admin_url)
    assert "ALTER TABLE muniment.record ENABLE ROW LEVEL SECURITY;" in found
    assert "CREATE POLICY app ON muniment.record TO muniment_app" in found
    assert "CREATE FUNCTION muniment_auth.open_scope" in found
