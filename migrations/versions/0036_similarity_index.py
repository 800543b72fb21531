"""The edges to a record are found by its number alone: a fifth of the index that had their weights too."""

from pathlib import Path

from alembic import op

revision = "0036_similarity_index"
down_revision = "0035_shared_lists"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("set local lock_timeout = '10s'")
    op.get_bind().connection.cursor().execute(Path(__file__).with_suffix(".sql").read_text(encoding="utf-8"))
