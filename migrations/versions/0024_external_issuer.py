"""External issuers: OIDC providers whose access tokens open a tenant."""

from pathlib import Path

from alembic import op

revision = "0024_external_issuer"
down_revision = "0023_oauth"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("set local lock_timeout = '10s'")
    op.get_bind().connection.cursor().execute(Path(__file__).with_suffix(".sql").read_text(encoding="utf-8"))
