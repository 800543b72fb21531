"""Idempotency keys of requests that add to a run."""

from pathlib import Path

from alembic import op

revision = "0034_added_requests"
down_revision = "0033_first_names"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("set local lock_timeout = '10s'")
    op.get_bind().connection.cursor().execute(Path(__file__).with_suffix(".sql").read_text(encoding="utf-8"))
