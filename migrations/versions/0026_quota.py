"""What tenants may use, what they used, and what is handed out of it at the moment."""

from pathlib import Path

from alembic import op

revision = "0026_quota"
down_revision = "0025_sql_login"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("set local lock_timeout = '10s'")
    op.get_bind().connection.cursor().execute(Path(__file__).with_suffix(".sql").read_text(encoding="utf-8"))
