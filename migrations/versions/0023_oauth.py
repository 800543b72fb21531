"""OAuth: members, clients, grants with their codes and refresh tokens, device codes, sessions and signing keys."""

from pathlib import Path

from alembic import op

revision = "0023_oauth"
down_revision = "0022_language"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("set local lock_timeout = '10s'")
    op.get_bind().connection.cursor().execute(Path(__file__).with_suffix(".sql").read_text(encoding="utf-8"))
