"""A writer without an embedding model, for the tests of what it writes."""

import pytest

from muniment.database.pool import Database
from muniment.log.writer import Writer
from muniment.settings import Settings


@pytest.fixture
def writer(database: Database, settings: Settings) -> Writer:
    """Writes into the test's database; records are found by their words."""
    return Writer(database, None, None, settings)
