"""The corpus of the lexical tests."""

import pytest
from lexical_corpus import Corpus

from muniment.database.pool import Database
from muniment.tenancy.tenants import Tenant


@pytest.fixture
def corpus(database: Database, tenant: Tenant) -> Corpus:
    """An empty corpus of the first tenant."""
    return Corpus(database, tenant.number)
