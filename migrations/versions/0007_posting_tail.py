"""The tail of the lexical index in a few rows a write."""

from pathlib import Path

from alembic import op

revision = "0007_posting_tail"
down_revision = "0006_record_time"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("set local lock_timeout = '10s'")
    op.get_bind().connection.cursor().execute(Path(__file__).with_suffix(".sql").read_text(encoding="utf-8"))
