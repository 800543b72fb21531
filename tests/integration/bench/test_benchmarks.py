"""The benchmarks on small data of our own: what they ingest, ask and write."""

import gzip
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from muniment.bench import answerability, harness, passages
from muniment.bench.dataset import Benchmark, Question
from muniment.bench.locomo import LoCoMo
from muniment.bench.runs import read_run
from muniment.bench.searching import Options
from muniment.database.pool import Database
from muniment.errors import MunimentError
from muniment.log.records import list_records
from muniment.log.writer import Writer
from muniment.model.namespace import Namespace
from muniment.retrieval.engine import Retriever
from muniment.settings import Settings
from muniment.tenancy.tenants import Tenant

OWN = Path(__file__).resolve().parents[2] / "benchmarks" / "data" / "answerability"
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
        "qa": [
            {"question": "Which kayak did Ann buy?", "answer": "a kayak", "evidence": ["D1:1"], "category": 4},
            {"question": "Which kayak did Bob buy?", "evidence": ["D1:1"], "category": 5},
            {"question": "What is told nowhere?", "answer": "?", "evidence": ["D9:9"], "category": 4},
        ],
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
        database=database,
        embedder=None,
        writer=Writer(database, None, None, settings),
        retriever=Retriever(database, None, None, settings),
        runner=Runner(),
    )


@pytest.fixture
def talks(tmp_path: Path) -> LoCoMo:
    data = tmp_path / "data.json"
    data.write_text(json.dumps(CONVERSATIONS), encoding="utf-8")
    return LoCoMo.read(data)


async def run(runtime: Any, benchmark: Benchmark, out: Path, **options: Any) -> dict[str, Any]:
    return await harness.measure(runtime, benchmark, out, Options(**options), lambda *_: None)


async def test_a_locomo_run_has_a_line_a_question_with_the_turns_best_first(
    runtime: Any, tenant: Tenant, database: Database, talks: LoCoMo, tmp_path: Path
) -> None:
    steps: list[int] = []
    scores = await harness.measure(
        runtime, talks, tmp_path / "run", Options(), lambda done=1, of=None: steps.append(of or done)
    )
    lines = read_run(tmp_path / "run").lines
    assert list(lines) == ["talk-1#0", "talk-1#1", "talk-1#2"]
    line = lines["talk-1#0"]
    assert line.ranked[0] == "D1:1" and line.metrics["MRR"] == 1
    assert line.score is not None and 0 <= line.score <= 1 and line.timing.ms > 0
    assert {"plan", "lexical", "ground"} <= line.timing.stages.keys()
    assert steps == [5, 1, 1, 1, 1, 1]
    assert scores["kinds"]["overall"]["n"] == 1 and scores["kinds"]["adversarial"]["n"] == 1
    assert scores["answerability"] == {
        "auroc": scores["answerability"]["auroc"],
        "answerable": 1,
        "unanswerable": 1,
    }
    space = Namespace(project_id="talk-1")
    records = (await list_records(database, tenant.number, space, limit=10, cursor=None)).records
    assert {record.group_id for record in records} == {"session_1", "session_2"}
    assert records[0].text == "I bought a kayak. [shared a photo: a red kayak]"
    assert records[0].said_at is not None and records[0].said_at.isoformat() == "2023-05-08T13:56:00+00:00"


async def test_the_tokens_of_a_turn_are_those_of_its_whole_line_with_date_and_speaker(talks: LoCoMo) -> None:
    # [ 8 May , 2023 ] Ann : I bought a kayak . [ shared a photo : a red kayak ]
    assert talks.questions[0].costs["D1:1"] == 22


async def test_what_the_store_does_not_take_is_refused_before_anything_is_measured(
    runtime: Any, talks: LoCoMo, tmp_path: Path
) -> None:
    corpus, asked = tmp_path / "corpus.jsonl", tmp_path / "questions.jsonl"
    texts = [{"id": name, "title": "A", "text": text} for name, text in (("a", "b"), ("nul", "a\0b"))]
    corpus.write_text("".join(json.dumps(each) + "\n" for each in texts), encoding="utf-8")
    asked.write_text(json.dumps({"qid": "1", "question": "What?", "evidence": ["a"]}) + "\n", encoding="utf-8")
    with pytest.raises(MunimentError, match='the passage "nul": it was not stored') as caught:
        await run(runtime, passages.Passages.read(corpus, asked), tmp_path / "out")
    assert (caught.value.code, caught.value.facts["because"]) == ("bench.data_invalid", "input.nul_byte")
    talks.conversations[0].sessions[1].turns[0].content = "a\0b"
    with pytest.raises(MunimentError, match="talk-1, session_2: ") as caught:
        await run(runtime, talks, tmp_path / "out")
    assert caught.value.code == "bench.data_invalid"


async def test_a_store_that_has_the_data_is_not_written_to_again(runtime: Any, talks: LoCoMo, tmp_path: Path) -> None:
    await run(runtime, talks, tmp_path / "first")
    first = read_run(tmp_path / "first").meta
    assert first["ingest"]["fresh_batches"] == 2 and first["ingest"]["turns_per_second"] > 0
    async with runtime.database.scope(runtime.tenant.number) as scope:
        before = await scope.row("proofs.head")
    await run(runtime, talks, tmp_path / "again")
    async with runtime.database.scope(runtime.tenant.number) as scope:
        assert await scope.row("proofs.head") == before
    again = read_run(tmp_path / "again").meta
    assert again["ingest"]["fresh_batches"] == 0 and again["ingest"]["turns_per_second"] is None
    assert first["data_sha256"] == again["data_sha256"]


async def test_repeated_searches_count_in_the_latencies_and_not_in_the_figures(
    runtime: Any, talks: LoCoMo, tmp_path: Path
) -> None:
    scores = await run(runtime, talks, tmp_path / "run", repeat=3)
    assert scores["latency_ms"]["search"]["n"] == 9
    assert scores["kinds"]["overall"]["n"] == 1
    assert scores["rankings_that_differ"] == 0
    assert "Rankings that differ between repetitions: 0" in (tmp_path / "run" / "report.md").read_text(encoding="utf-8")


async def test_profile_and_routes_left_out_reach_the_server_and_stand_in_the_meta_file(
    runtime: Any, talks: LoCoMo, tmp_path: Path
) -> None:
    await run(runtime, talks, tmp_path / "run", profile="reference", without=("graph",), limit=1, top_k=1)
    made = read_run(tmp_path / "run")
    assert made.meta["profile"]["name"] == "reference"
    assert made.meta["parameters"]["without"] == ["graph"]
    assert len(made.lines) == 1 and len(made.lines["talk-1#0"].ranked) == 1
    with pytest.raises(MunimentError) as caught:
        await run(runtime, talks, tmp_path / "other", without=("grape",))
    assert caught.value.kind.status < 500


async def test_the_meta_file_names_machine_and_data_and_no_path(runtime: Any, talks: LoCoMo, tmp_path: Path) -> None:
    await run(runtime, talks, tmp_path / "run")
    text = (tmp_path / "run" / "meta.json").read_text(encoding="utf-8")
    meta = json.loads(text)
    assert meta["machine"]["postgresql"].startswith("18.") and meta["machine"]["cores"] >= 1
    assert meta["size"] == {"turns": 3, "questions": 3}
    assert str(tmp_path) not in text and str(Path.home()) not in text


async def test_passages_are_measured_by_the_share_of_evidence_found(runtime: Any, tmp_path: Path) -> None:
    corpus, asked = tmp_path / "corpus.jsonl.gz", tmp_path / "questions.jsonl"
    lines = [
        {"id": "a", "title": "Kestrel", "text": "The kestrel hovers over meadows."},
        {"id": "b", "title": "Heron", "text": "The heron waits by the water."},
    ]
    corpus.write_bytes(gzip.compress("".join(json.dumps(line) + "\n" for line in lines).encode()))
    questions = [
        {"qid": "1", "question": "Which bird hovers over meadows?", "evidence": ["a"]},
        {"qid": "2", "question": "What flies over meadows?", "evidence": ["a", "b"], "type": "bridge"},
    ]
    asked.write_text("".join(json.dumps(item) + "\n" for item in questions), encoding="utf-8")
    scores = await run(runtime, passages.Passages.read(corpus, asked), tmp_path / "run")
    assert scores["kinds"]["overall"]["R@2"] == 75.0
    assert scores["kinds"]["bridge"]["all@2"] == 0.0
    assert read_run(tmp_path / "run").meta["size"] == {"passages": 2, "questions": 2}


async def test_answerability_is_measured_by_the_score_and_by_abstaining(runtime: Any, tmp_path: Path) -> None:
    benchmark = answerability.Answerability.read(OWN)
    assert len(benchmark.questions) == 200
    benchmark.questions = benchmark.questions[:12]
    scores = await run(runtime, benchmark, tmp_path / "run", ask=True)
    assert (scores["answerability"]["answerable"], scores["answerability"]["unanswerable"]) == (6, 6)
    assert scores["kinds"]["overall"]["R@10"] == 100.0  # words alone find what six plain questions ask for
    lines = read_run(tmp_path / "run").lines.values()
    assert {line.abstained for line in lines} <= {True, False}
    assert scores["abstention"]["abstained"] == sum(bool(line.abstained) for line in lines)
    assert (tmp_path / "run" / "answerability.png").read_bytes().startswith(b"\x89PNG")


def test_a_run_without_matplotlib_says_what_its_plots_need(
    talks: LoCoMo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("muniment.bench.plots.can_draw", lambda: False)
    assert harness.draw_run(tmp_path, []) == {}
    assert list(tmp_path.glob("*.png")) == []


def test_a_run_is_not_written_over_a_file(tmp_path: Path) -> None:
    (tmp_path / "run.jsonl").write_text("kept", encoding="utf-8")
    with pytest.raises(MunimentError) as caught:
        harness.open_directory(tmp_path / "run.jsonl")
    assert caught.value.code == "input.invalid"


def test_without_a_directory_of_its_own_a_benchmark_never_touches_the_configured_store(settings: Settings) -> None:
    configured = settings.model_copy(update={"database_url": "postgresql://somebody"})
    with harness.store_for(configured, keep=False) as used:
        assert used.data_dir != configured.data_dir and used.database_url is None
    with harness.store_for(configured, keep=True) as used:
        assert used is configured


def forms(questions: list[Question]) -> dict[str, float]:
    """Features of the form of questions that must not tell the told from the untold."""
    texts = [question.text for question in questions]
    return {
        "words": sum(len(text.split()) for text in texts),
        "first person": sum(" my " in text or " I " in text for text in texts),
        "capitals": sum(word[0].isupper() for text in texts for word in text.split()[1:]),
        "digits": sum(any(sign.isdigit() for sign in text) for text in texts),
        "question marks": sum(text.endswith("?") for text in texts),
    } | {word: sum(text.startswith(word) for text in texts) for word in ("What", "How", "Wh", "By", "Where", "Why")}


def test_no_form_of_the_question_separates_our_answerable_from_our_unanswerable_questions() -> None:
    questions = answerability.Answerability.read(OWN).questions
    told = forms([question for question in questions if question.answerable])
    untold = forms([question for question in questions if not question.answerable])
    assert sum(question.kind == "close" for question in questions) == 50
    assert sum(question.kind == "absent" for question in questions) == 50
    for feature, count in told.items():
        assert abs(count - untold[feature]) <= max(3, 0.06 * count), feature
