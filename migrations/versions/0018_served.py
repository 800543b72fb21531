"""Fingerprints of what was served, by which it is known again when it comes back."""

from pathlib import Path

from alembic import op

revision = "0018_served"
down_revision = "0017_profile"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("set local lock_timeout = '10s'")
    op.get_bind().connection.cursor().execute(Path(__file__).with_suffix(".sql").read_text(encoding="utf-8"))
