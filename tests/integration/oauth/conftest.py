"""The authorization server that the tests of OAuth share."""

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from argon2 import PasswordHasher
from authorization import ISSUER, Authorization
from pydantic import SecretStr

from muniment.oauth import flows
from muniment.runtime import open_runtime
from muniment.settings import Settings
from muniment.tenancy import passwords


@pytest.fixture(autouse=True)
def quick_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Passwords hashed with less work than in earnest."""
    monkeypatch.setattr(passwords, "_hasher", PasswordHasher(time_cost=1, memory_cost=64, parallelism=1))


@pytest.fixture
def oauth_settings(admin_url: str, tmp_path: Path) -> Settings:
    return Settings(
        database_url=SecretStr(admin_url), data_dir=tmp_path / "store", embedding_provider="none", pool_size=4,
        summaries="off", extraction="off", public_url=ISSUER,
    )  # fmt: skip


@pytest.fixture
async def oauth(oauth_settings: Settings, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Authorization]:
    monkeypatch.setattr(flows, "POLL_SECONDS", 0)
    clients: list[httpx.AsyncClient] = []
    async with open_runtime(oauth_settings, run_jobs=False) as runtime:
        yield await Authorization.begin(runtime, clients)
        for client in clients:
            await client.aclose()
