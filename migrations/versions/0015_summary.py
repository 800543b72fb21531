"""Summaries of groups in versions, indexed apart from records, and what is to be compiled anew."""

from pathlib import Path

from alembic import op

revision = "0015_summary"
down_revision = "0014_claims"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("set local lock_timeout = '10s'")
    op.get_bind().connection.cursor().execute(Path(__file__).with_suffix(".sql").read_text(encoding="utf-8"))
