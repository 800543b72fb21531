"""A question is told of while it is answered, in the same events from a store and from a server."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path
from typing import Any

import httpx
import pytest
from pydantic import SecretStr

from muniment.api.app import create_app
from muniment.errors import MunimentError
from muniment.memory import AsyncMuniment, Muniment
from muniment.memory.local import LocalMuniment
from muniment.memory.remote import RemoteMuniment
from muniment.model.events import AnswerDeltaEvent, EvidenceEvent, QueryEvent, ResultEvent
from muniment.model.namespace import Namespace
from muniment.model.source import SourceInput
from muniment.runtime import open_runtime
from muniment.settings import Settings
from muniment.tenancy.keys import create_key
from muniment.tenancy.principal import SCOPES
from scripted_endpoint import Reply, ScriptedEndpoint, evidence_in, verdict

ATLAS = Namespace(project_id="atlas")
TEXT = "Liam Vance leads Project Atlas since Monday."
QUESTION = "Who leads Project Atlas?"


def answered(request: dict[str, Any]) -> Reply:
    return verdict("Liam Vance leads Project Atlas.", *(item["id"] for item in evidence_in(request)))


@asynccontextmanager
async def opened(kind: str, settings: Settings) -> AsyncIterator[AsyncMuniment]:
    if kind == "local":
        async with LocalMuniment(settings, ATLAS) as memory:
            yield memory
        return
    async with open_runtime(settings, run_jobs=True) as runtime:
        app = create_app(settings, nullcontext(runtime))
        app.state.runtime = runtime  # what the lifespan does, which must end in the task that began it
        key = await create_key(runtime.database, runtime.tenant.number, "test", SCOPES)
        async with RemoteMuniment(
            "http://server", key.secret, ATLAS, 60.0, transport=httpx.ASGITransport(app)
        ) as memory:
            yield memory


@pytest.fixture
def store_settings(admin_url: str, tmp_path: Path) -> Settings:
    return Settings(
        database_url=SecretStr(admin_url), data_dir=tmp_path / "store", embedding_provider="none", pool_size=4
    )


@pytest.mark.parametrize("kind", ["local", "remote"])
async def test_the_answer_comes_in_pieces_and_then_whole(kind: str, store_settings: Settings) -> None:
    with ScriptedEndpoint(answered) as server:
        with_model = store_settings.model_copy(update={"answer_url": server.url, "answer_model": "scripted"})
        async with opened(kind, with_model) as memory:
            await memory.ingest(SourceInput(kind="text", text=TEXT, source_key="staffing"))
            events: list[QueryEvent] = [event async for event in memory.query_stream(QUESTION, top_k=3)]
            plain = await memory.query(QUESTION, top_k=3)
    last = events[-1]
    assert isinstance(last, ResultEvent) and last.result.answer == plain.answer == "Liam Vance leads Project Atlas."
    assert last.result.citations == plain.citations and plain.citations[0].excerpt == TEXT
    pieces = "".join(event.text for event in events if isinstance(event, AnswerDeltaEvent))
    assert pieces and plain.answer.startswith(pieces)
    assert [event.hits[0].text for event in events if isinstance(event, EvidenceEvent)] == [TEXT]


@pytest.mark.parametrize("kind", ["local", "remote"])
async def test_what_is_wrong_with_a_question_is_raised(kind: str, store_settings: Settings) -> None:
    async with opened(kind, store_settings) as memory:
        for options, code in (({"without": ["nothing"]}, "input.invalid"), ({"known_at": 10**6}, "input.invalid")):
            with pytest.raises(MunimentError) as caught:
                _ = [event async for event in memory.query_stream(QUESTION, **options)]  # type: ignore[arg-type]
            assert caught.value.code == code


def test_the_plain_form_gives_the_events_too(store_settings: Settings) -> None:
    with Muniment(lambda: LocalMuniment(store_settings, ATLAS)) as memory:
        memory.ingest(SourceInput(kind="text", text=TEXT, source_key="staffing"))
        events = list(memory.query_stream(QUESTION))
        assert isinstance(events[-1], ResultEvent) and TEXT in events[-1].result.answer
        for event in memory.query_stream(QUESTION):
            assert event.type == "stage"
            break  # letting go of the question must not hang
