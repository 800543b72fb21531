"""A memory with its runtime, in both of its forms, to tell facts to."""

from collections.abc import AsyncIterator
from contextlib import nullcontext
from pathlib import Path

import httpx
import pytest
from pydantic import SecretStr
from summary_store import SummaryStore
from telling import PARIS_AND_SO_ON, Store, Teller

from muniment.api.app import create_app
from muniment.database.pool import Database
from muniment.memory.local import LocalMuniment
from muniment.memory.remote import RemoteMuniment
from muniment.runtime import open_runtime
from muniment.settings import Settings
from muniment.tenancy.keys import create_key
from muniment.tenancy.principal import SCOPES
from muniment.tenancy.tenants import Tenant


@pytest.fixture(params=["local", "remote"])
async def store(request: pytest.FixtureRequest, admin_url: str, tmp_path: Path) -> AsyncIterator[Store]:
    settings = Settings(
        database_url=SecretStr(admin_url), data_dir=tmp_path / "store", embedding_provider="none", pool_size=4,
        summaries="off",
    )  # fmt: skip
    async with open_runtime(settings, run_jobs=False) as runtime:
        teller = Teller(runtime.database, runtime.tenant.number)
        if request.param == "local":
            local = LocalMuniment(settings, PARIS_AND_SO_ON)
            local._runtime = runtime  # one whose jobs run only when a test says so
            yield Store(local, runtime, teller)
            return
        app = create_app(settings, nullcontext(runtime))
        app.state.runtime = runtime
        key = await create_key(runtime.database, runtime.tenant.number, "test", SCOPES)
        transport = httpx.ASGITransport(app=app)
        async with RemoteMuniment("http://server", key.secret, PARIS_AND_SO_ON, 60.0, transport=transport) as opened:
            yield Store(opened, runtime, teller)


@pytest.fixture
async def summaries(database: Database, settings: Settings, tenant: Tenant) -> SummaryStore:
    """A store whose summaries are compiled when the test says so, by rules."""
    changes = {"extraction": "rules", "summaries": "rules", "summaries_delay": 0.0}
    database.settings = settings.model_copy(update=changes)
    return await SummaryStore(database, database.settings, tenant.number).begin()
