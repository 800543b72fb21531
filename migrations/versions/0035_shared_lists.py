"""A word that is its own stem stands in one list of postings, no longer in two."""

from pathlib import Path

from alembic import op

revision = "0035_shared_lists"
down_revision = "0034_added_requests"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("set local lock_timeout = '10s'")
    op.get_bind().connection.cursor().execute(Path(__file__).with_suffix(".sql").read_text(encoding="utf-8"))
