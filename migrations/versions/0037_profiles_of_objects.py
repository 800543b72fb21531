"""A statement about two persons makes the profiles of both due, each by a row of its own."""

from pathlib import Path

from alembic import op

revision = "0037_profiles_of_objects"
down_revision = "0036_similarity_index"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("set local lock_timeout = '10s'")
    op.get_bind().connection.cursor().execute(Path(__file__).with_suffix(".sql").read_text(encoding="utf-8"))
