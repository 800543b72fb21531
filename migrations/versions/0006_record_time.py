"""The times of which records tell, and an index on when they were said."""

from pathlib import Path

from alembic import op

revision = "0006_record_time"
down_revision = "0005_query_run_trace"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("set local lock_timeout = '10s'")
    op.get_bind().connection.cursor().execute(Path(__file__).with_suffix(".sql").read_text(encoding="utf-8"))
