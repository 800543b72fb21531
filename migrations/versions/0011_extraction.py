"""How the extraction of facts from each record stands, and what calls of models cost."""

from pathlib import Path

from alembic import op

revision = "0011_extraction"
down_revision = "0010_forward_hashes"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("set local lock_timeout = '10s'")
    op.get_bind().connection.cursor().execute(Path(__file__).with_suffix(".sql").read_text(encoding="utf-8"))
