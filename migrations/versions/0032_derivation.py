"""By which versions of their definitions the derived data of a tenant were made."""

from pathlib import Path

from alembic import op

revision = "0032_derivation"
down_revision = "0031_liveness_stretches"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("set local lock_timeout = '10s'")
    op.get_bind().connection.cursor().execute(Path(__file__).with_suffix(".sql").read_text(encoding="utf-8"))
