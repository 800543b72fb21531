"""Descriptions of images as a kind of record, and vision as a method that reads records."""

from pathlib import Path

from alembic import op

revision = "0029_description"
down_revision = "0028_source_part"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("set local lock_timeout = '10s'")
    op.get_bind().connection.cursor().execute(Path(__file__).with_suffix(".sql").read_text(encoding="utf-8"))
