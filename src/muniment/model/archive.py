"""What an archive of a tenant holds."""

from pydantic import BaseModel


class ArchiveSummary(BaseModel):
    """What was written or read: the tenant, the end of its log, the rows of each table.

    ``root`` is the hexadecimal root of the history tree, ``sha256`` that of all lines of the archive but the last.
    """

    tenant: str
    commits: int
    entries: int
    root: str
    rows: dict[str, int]
    sha256: str
