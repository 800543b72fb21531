"""Whether a record ends by asking, in its forward row."""

from pathlib import Path

from alembic import op

revision = "0004_lexical_asks"
down_revision = "0003_record_modality"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("set local lock_timeout = '10s'")
    op.get_bind().connection.cursor().execute(Path(__file__).with_suffix(".sql").read_text(encoding="utf-8"))
