"""A memory with a memo that answers, and a retriever whose model is a scripted endpoint."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from asking import LAUNCH, write_text
from model_answers import CATERING

from muniment.database.pool import Database
from muniment.log.writer import Writer
from muniment.providers.completion import open_chat
from muniment.retrieval.engine import Retriever
from muniment.retrieval.profile import DEFAULT, Profile
from muniment.settings import Settings
from muniment.tenancy.tenants import Tenant
from scripted_endpoint import Script, ScriptedEndpoint


@pytest.fixture
def writer(database: Database, settings: Settings) -> Writer:
    """Writes without vectors, which these tests do not need."""
    return Writer(database, None, None, settings)


@pytest.fixture
async def memo(writer: Writer, tenant: Tenant) -> str:
    """The record that answers the question; two more bear on it."""
    (launch,) = await write_text(writer, tenant, f"Notes of the meeting. {LAUNCH}", "launch-memo")
    await write_text(writer, tenant, CATERING, "catering")
    return launch


@pytest.fixture
def connected(database: Database, settings: Settings) -> Callable[..., Any]:
    """Opens a retriever whose model is the scripted endpoint."""

    @asynccontextmanager
    async def open_retriever(
        script: Script, *, profile: Profile = DEFAULT, **more: Any
    ) -> AsyncIterator[tuple[Retriever, ScriptedEndpoint]]:
        with ScriptedEndpoint(script) as server:
            values = {"answer_url": server.url, "answer_model": "scripted", "answer_retries": 0, "answer_timeout": 20.0}
            given = settings.model_copy(update=values | more)
            chat = open_chat(given)
            assert chat is not None
            try:
                yield Retriever(database, None, None, given, profile, chat=chat), server
            finally:
                await chat.close()

    return open_retriever
