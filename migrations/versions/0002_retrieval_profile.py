"""Retrieval profiles of tenants: constants in place of the built-in ones, in versions that query runs refer to."""

from pathlib import Path

from alembic import op

revision = "0002_retrieval_profile"
down_revision = "0001_foundation"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("set local lock_timeout = '10s'")
    op.get_bind().connection.cursor().execute(Path(__file__).with_suffix(".sql").read_text(encoding="utf-8"))
