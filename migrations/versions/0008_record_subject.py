"""What pieces of documents are about, by their titles and headings."""

from pathlib import Path

from alembic import op

revision = "0008_record_subject"
down_revision = "0007_posting_tail"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("set local lock_timeout = '10s'")
    op.get_bind().connection.cursor().execute(Path(__file__).with_suffix(".sql").read_text(encoding="utf-8"))
