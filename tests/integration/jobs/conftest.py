"""The job tables, and settings under which waits are short."""

from collections.abc import AsyncIterator

import pytest
from job_store import Store

from muniment.settings import Settings


@pytest.fixture
async def store(admin_url: str) -> AsyncIterator[Store]:
    opened = Store(admin_url)
    yield opened
    opened.close()


@pytest.fixture
def quick(settings: Settings) -> Settings:
    """Short waits; a poll too slow to help, so that what wakes the runner is the notification."""
    return settings.model_copy(update={"job_retry_delay": 0.01, "job_poll": 60.0, "job_stop_grace": 1.0})
