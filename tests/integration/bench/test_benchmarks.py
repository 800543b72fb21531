"""The benchmarks on small data of our own: what they ingest, ask and write."""

import gzip
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from muniment.bench import locomo, passages
from muniment.database.pool import Database
from muniment.errors import MunimentError
from muniment.log.records import list_records
from muniment.log.writer import Writer
from muniment.model.namespace import Namespace
from muniment.retrieval.engine import Retriever
from muniment.settings import Settings
from muniment.tenancy.tenants import Tenant

CONVERSATIONS = [
    {
        "sample_id": "talk-1",
        "conversation": {
            "speaker_a": "Ann",
            "speaker_b": "Bob",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": "Ann", "dia_id": "D1:1", "text": "I bought a kayak.", "blip_caption": "a red kayak"},
                {"speaker": "Bob", "dia_id": "D1:2", "text": "Where will you paddle?"},
            ],
            "session_2_date_time": "9:00 am on 12 June, 2023",
            "session_2": [{"speaker": "Bob", "dia_id": "D2:1", "text": "I planted tomatoes."}],
        },
        "qa": [{"question": "Which kayak did Ann buy?", "answer": "a kayak", "evidence": ["D1:1"], "category": 4}],
    }
]


class Runner:
    async def drain(self) -> None:
        """There are no jobs."""


@pytest.fixture
def runtime(database: Database, settings: Settings, tenant: Tenant) -> Any:
    return SimpleNamespace(
        settings=settings,
        tenant=tenant,
        writer=Writer(database, None, None, settings),
        retriever=Retriever(database, None, None, settings),
        runner=Runner(),
    )


async def test_a_locomo_run_has_a_line_a_question_with_the_turns_best_first(
    runtime: Any, tenant: Tenant, database: Database, tmp_path: Path
) -> None:
    data, out = tmp_path / "data.json", tmp_path / "run.jsonl"
    data.write_text(json.dumps(CONVERSATIONS), encoding="utf-8")
    steps: list[int] = []
    figures = await locomo.measure(
        runtime, locomo.read_conversations(data), out, lambda done=1, of=None: steps.append(of or done)
    )
    (line,) = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert line["qid"] == "talk-1#0"
    assert line["ranked"][0] == "D1:1"
    assert 0 <= line["score"] <= 1 and line["ms"] > 0
    assert (figures["turns"], figures["questions"]) == (3, 1)
    assert steps == [3, 1, 1, 1]
    space = Namespace(project_id="talk-1")
    records = (await list_records(database, tenant.number, space, limit=10, cursor=None)).records
    assert {record.group_id for record in records} == {"session_1", "session_2"}
    assert records[0].text == "I bought a kayak. [shared a photo: a red kayak]"
    assert records[0].said_at is not None and records[0].said_at.isoformat() == "2023-05-08T13:56:00+00:00"


async def test_passages_are_measured_by_the_share_of_evidence_found(runtime: Any, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.jsonl.gz"
    lines = [
        {"id": "a", "title": "Kestrel", "text": "The kestrel hovers over meadows."},
        {"id": "b", "title": "Heron", "text": "The heron waits by the water."},
    ]
    corpus.write_bytes(gzip.compress("".join(json.dumps(line) + "\n" for line in lines).encode()))
    questions = [
        {"qid": "1", "question": "Which bird hovers over meadows?", "evidence": ["a"]},
        {"qid": "2", "question": "What flies over meadows?", "evidence": ["a", "b"]},
    ]
    figures = await passages.measure(runtime, passages.read_lines(corpus), questions, lambda *_: None)
    assert figures["R@2"] == 75.0
    assert (figures["passages"], figures["questions"]) == (2, 2)


def test_a_file_of_another_kind_is_an_error_that_says_so(tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_text("[{}]", encoding="utf-8")
    with pytest.raises(MunimentError) as caught:
        locomo.read_conversations(other)
    assert caught.value.code == "source.unreadable"
    other.write_text("{", encoding="utf-8")
    with pytest.raises(MunimentError):
        passages.read_lines(other)
