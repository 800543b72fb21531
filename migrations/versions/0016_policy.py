"""The policies of a tenant, by their entries in the log."""

from pathlib import Path

from alembic import op

revision = "0016_policy"
down_revision = "0015_summary"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("set local lock_timeout = '10s'")
    op.get_bind().connection.cursor().execute(Path(__file__).with_suffix(".sql").read_text(encoding="utf-8"))
