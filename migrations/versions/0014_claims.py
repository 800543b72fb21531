"""Claims: what the live facts say together, the names that mean the same, and what is known of relations."""

from pathlib import Path

from alembic import op

revision = "0014_claims"
down_revision = "0013_lifecycle"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("set local lock_timeout = '10s'")
    op.get_bind().connection.cursor().execute(Path(__file__).with_suffix(".sql").read_text(encoding="utf-8"))
