"""What each step of a query run found, and what a replay must not look up anew."""

from pathlib import Path

from alembic import op

revision = "0005_query_run_trace"
down_revision = "0004_lexical_asks"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("set local lock_timeout = '10s'")
    op.get_bind().connection.cursor().execute(Path(__file__).with_suffix(".sql").read_text(encoding="utf-8"))
