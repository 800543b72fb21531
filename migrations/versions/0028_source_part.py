"""Sources inside sources, what readers say of a version, and items of runs that tell what vanished."""

from pathlib import Path

from alembic import op

revision = "0028_source_part"
down_revision = "0027_tenant_deletion"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("set local lock_timeout = '10s'")
    op.get_bind().connection.cursor().execute(Path(__file__).with_suffix(".sql").read_text(encoding="utf-8"))
