"""By their first names people are asked about."""

from pathlib import Path

from alembic import op

revision = "0033_first_names"
down_revision = "0032_derivation"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("set local lock_timeout = '10s'")
    op.get_bind().connection.cursor().execute(Path(__file__).with_suffix(".sql").read_text(encoding="utf-8"))
