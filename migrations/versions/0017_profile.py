"""Facts that changed what is to be told of their subjects."""

from pathlib import Path

from alembic import op

revision = "0017_profile"
down_revision = "0016_policy"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("set local lock_timeout = '10s'")
    op.get_bind().connection.cursor().execute(Path(__file__).with_suffix(".sql").read_text(encoding="utf-8"))
