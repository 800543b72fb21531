"""Whose turn it is among tenants with jobs, which jobs were handed to Redis, and how a job ended."""

from pathlib import Path

from alembic import op

revision = "0012_job_turns"
down_revision = "0011_extraction"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("set local lock_timeout = '10s'")
    op.get_bind().connection.cursor().execute(Path(__file__).with_suffix(".sql").read_text(encoding="utf-8"))
