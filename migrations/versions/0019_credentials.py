"""API keys: the six scopes, rotation with a grace period, and pins to a namespace."""

from pathlib import Path

from alembic import op

revision = "0019_credentials"
down_revision = "0018_served"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("set local lock_timeout = '10s'")
    op.get_bind().connection.cursor().execute(Path(__file__).with_suffix(".sql").read_text(encoding="utf-8"))
