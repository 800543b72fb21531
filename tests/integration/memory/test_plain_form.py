"""The plain form: for programs without an event loop, with several threads, and for those that forget to close."""

import subprocess
import sys
import textwrap
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from pydantic import SecretStr

from muniment import Message, Muniment, MunimentError, Namespace, SourceInput
from muniment.settings import Settings


@pytest.fixture
def store_settings(admin_url: str, tmp_path: Path) -> Settings:
    return Settings(
        database_url=SecretStr(admin_url), data_dir=tmp_path / "store", embedding_provider="none", pool_size=4
    )


def _run(program: str, **environment: str) -> subprocess.CompletedProcess[str]:
    import os

    return subprocess.run(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(program)],
        check=False, capture_output=True, text=True, timeout=180, env=os.environ | environment,
    )  # fmt: skip


def test_it_stores_and_finds_like_the_other_form(store_settings: Settings) -> None:
    with Muniment.open(namespace=Namespace(user_id="maya"), settings=store_settings) as memory:
        memory.ingest(SourceInput(kind="text", text="The gate code is ERR_417.", source_key="gate"))
        memory.ingest_messages([Message(role="Maya", content="Liam Vance leads.")], group_id="chat")
        assert memory.search("ERR_417").hits[0].source_key == "gate"
        assert memory.query("Who leads?").citations[0].excerpt == "Liam Vance leads."
        assert memory.validate().valid
        assert memory.namespace == Namespace(user_id="maya")


def test_several_threads_share_it(store_settings: Settings) -> None:
    with (
        Muniment.open(settings=store_settings) as memory,
        ThreadPoolExecutor(6) as threads,
    ):
        runs = list(
            threads.map(
                lambda n: memory.ingest_messages([{"role": "a", "content": f"Fact {n}."}], group_id=f"g{n}"), range(12)
            )
        )
        assert len({run.id for run in runs}) == 12
        assert len(memory.records().records) == 12


def test_after_closing_every_call_says_so_and_closing_again_does_nothing(store_settings: Settings) -> None:
    memory = Muniment.open(settings=store_settings)
    thread = next(thread for thread in threading.enumerate() if thread.name == "muniment")
    memory.close()
    memory.close()
    assert not thread.is_alive()
    with pytest.raises(MunimentError) as caught:
        memory.search("x")
    assert caught.value.code == "memory.closed"


def test_a_store_that_cannot_be_opened_raises_at_once_and_leaves_no_thread(tmp_path: Path) -> None:
    before = threading.active_count()
    settings = Settings(database_url=SecretStr("postgresql://nobody@127.0.0.1:9/none"), data_dir=tmp_path)
    with pytest.raises(MunimentError) as caught:
        Muniment.open(settings=settings)
    assert caught.value.code == "store.unavailable"
    assert threading.active_count() == before


async def test_it_works_where_an_event_loop_runs(store_settings: Settings) -> None:
    with Muniment.open(settings=store_settings) as memory:
        assert memory.records().records == []


def test_an_error_of_the_caller_is_told_as_it_is(store_settings: Settings) -> None:
    with Muniment.open(settings=store_settings) as memory, pytest.raises(MunimentError) as caught:
        memory.ingest(SourceInput(kind="text", text=""))
    assert caught.value.code == "input.empty_text"


def test_a_program_that_forgets_to_close_ends_cleanly_and_keeps_everything(tmp_path: Path) -> None:
    program = """
        import sys
        from muniment import Muniment
        memory = Muniment.open(sys.argv[1] if len(sys.argv) > 1 else None)
        turns = [{"role": "Maya", "content": f"Ferry {n} leaves from pier {n % 5} at noon."} for n in range(80)]
        memory.ingest_messages(turns, group_id="chat", wait="lexical")
        print("stored")
        """
    store = tmp_path / "store"
    done = _run(program, MUNIMENT_DATA_DIR=str(store))
    assert (done.returncode, done.stdout, done.stderr) == (0, "stored\n", "")
    with Muniment.open(store) as memory:
        source = memory.sources()[0]
        assert source.records == 80
        assert memory.search("ferry at noon").coverage.visible == 80
        assert memory.validate().valid
    assert not (store / "postgres" / "postmaster.pid").exists() or _gone(store)


def _gone(store: Path) -> bool:
    """Whether the keeper lets go of the store; it waits for the server to stop."""
    import time

    deadline = time.monotonic() + 30
    while (store / "postgres" / "postmaster.pid").exists():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def test_the_example_of_the_readme_runs_as_it_stands(tmp_path: Path) -> None:
    (tmp_path / "q3-brief.md").write_text(
        "# Q3 brief\n\nProject Atlas launches on 14 October 2026.\n", encoding="utf-8"
    )
    program = f"""
        import os
        os.chdir({str(tmp_path)!r})
        from muniment import Muniment, Namespace, SourceInput

        namespace = Namespace(user_id="maya", project_id="atlas-core")
        memory = Muniment.open("./store", namespace=namespace)

        memory.ingest(SourceInput(kind="file", path="q3-brief.md", source_key="doc:q3-brief"))
        memory.ingest_messages(
            messages=[
                {{"role": "Alex", "content": "Maya, who will serve as the tech lead for Project Atlas?"}},
                {{"role": "Maya", "content": "Liam Vance is assigned as the tech lead starting Monday."}},
            ],
            group_id="chat:sync-9",
        )
        result = memory.query("Who is the tech lead for Project Atlas and when is the launch?")
        print(f"Answer: {{result.answer}}")
        print(f"Abstained: {{result.abstain}}")
        for citation in result.citations:
            print(f"-> Cited Record ID: {{citation.record_id}}")
            print(f"   Locator: {{citation.locator}}")
            print(f"   Excerpt: {{citation.excerpt}}")
        memory.close()
        """
    done = _run(program)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Abstained: False" in done.stdout
    assert "Liam Vance" in done.stdout
    assert "-> Cited Record ID: d_" in done.stdout
