"""SQL logins with labels, limits and an end; a channel of notifications that nobody can guess."""

from pathlib import Path

from alembic import op

revision = "0025_sql_login"
down_revision = "0024_external_issuer"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("set local lock_timeout = '10s'")
    op.get_bind().connection.cursor().execute(Path(__file__).with_suffix(".sql").read_text(encoding="utf-8"))
