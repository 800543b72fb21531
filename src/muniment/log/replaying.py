"""Replaying the ledger of erasures: what a restored backup has again, it loses again."""

import structlog

from muniment.audit.acting import acting_as
from muniment.database.pool import Database
from muniment.errors import MunimentError
from muniment.log.erasure import erase_again
from muniment.log.ledger import read_ledgers

_log = structlog.get_logger(__name__)


async def replay_erasures(database: Database) -> int:
    """Makes each erasure of the ledgers that the database has not seen; how many. Raises ``store.*``.

    Cheap where there is none: one look-up an erasure.
    """
    made = 0
    for identity, lines in read_ledgers(database.settings).items():
        for line in lines:
            try:
                async with database.scope(line.tenant) as scope:
                    known = await scope.value("tenants.public_id")
                with acting_as("ledger"):
                    if known == identity and await erase_again(database, line.tenant, line) is not None:
                        made += 1
            except MunimentError as error:
                _log.error("erasure_not_replayed", erasure=line.erasure, code=error.code)
                raise
    if made:
        _log.warning("erasures_replayed", erasures=made)
    return made
