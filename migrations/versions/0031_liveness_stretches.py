"""Liveness by stretches: what an undoing opens again counts from then on, and not for the commits in between."""

from pathlib import Path

from alembic import op

revision = "0031_liveness_stretches"
down_revision = "0030_ration_use"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("set local lock_timeout = '10s'")
    op.get_bind().connection.cursor().execute(Path(__file__).with_suffix(".sql").read_text(encoding="utf-8"))
