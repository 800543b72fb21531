"""Erasures with their receipts, what stays of an erased record, and the log's lifecycle entries by their event."""

from pathlib import Path

from alembic import op

revision = "0013_lifecycle"
down_revision = "0012_job_turns"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("set local lock_timeout = '10s'")
    op.get_bind().connection.cursor().execute(Path(__file__).with_suffix(".sql").read_text(encoding="utf-8"))
