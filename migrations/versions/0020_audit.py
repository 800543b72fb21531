"""The audit log: every administrative act and every erase, chained by hashes for each tenant."""

from pathlib import Path

from alembic import op

revision = "0020_audit"
down_revision = "0019_credentials"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("set local lock_timeout = '10s'")
    op.get_bind().connection.cursor().execute(Path(__file__).with_suffix(".sql").read_text(encoding="utf-8"))
