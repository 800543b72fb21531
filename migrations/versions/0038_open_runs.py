"""A run whose client said that more sources follow has no end until it says so."""

from pathlib import Path

from alembic import op

revision = "0038_open_runs"
down_revision = "0037_profiles_of_objects"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("set local lock_timeout = '10s'")
    op.get_bind().connection.cursor().execute(Path(__file__).with_suffix(".sql").read_text(encoding="utf-8"))
