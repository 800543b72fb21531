"""A writer and a retriever over the real embedding model, which is loaded once for all tests."""

import asyncio
from collections.abc import Iterator

import pytest

from muniment.database.pool import Database
from muniment.log.writer import Writer
from muniment.providers.embedding import Embedder, open_embedder
from muniment.providers.models import register_model
from muniment.retrieval.engine import Retriever
from muniment.settings import Settings


@pytest.fixture(scope="session")
def embedder() -> Iterator[Embedder]:
    """The default embedder."""
    opened = open_embedder(Settings())
    assert opened is not None
    yield opened
    asyncio.run(opened.close())


@pytest.fixture
async def model_no(database: Database, embedder: Embedder) -> int:
    """The embedder's number in the registry."""
    return await register_model(database, embedder)


@pytest.fixture
def writer(database: Database, embedder: Embedder, model_no: int, settings: Settings) -> Writer:
    """Writes and embeds."""
    return Writer(database, embedder, model_no, settings)


@pytest.fixture
def retriever(database: Database, embedder: Embedder, model_no: int, settings: Settings) -> Retriever:
    """Searches with the default profile."""
    return Retriever(database, embedder, model_no, settings)
