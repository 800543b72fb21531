"""A file that a benchmark cannot use is refused in words: which file, which line, and what is missing there."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from muniment.bench.answerability import Answerability
from muniment.bench.locomo import LoCoMo
from muniment.bench.passages import Passages
from muniment.bench.runs import read_run
from muniment.errors import MunimentError

PASSAGES = [{"id": "a", "title": "A", "text": "b"}, {"id": "b", "title": "B", "text": "c"}]
QUESTION = {"qid": "1", "question": "What?", "evidence": ["a"]}
TOLD = QUESTION | {"kind": "chat", "answerable": True, "evidence": ["a.md"]}
LINE = {"qid": "1", "kind": "k", "answerable": True, "ranked": [], "evidence": [], "ms": 1, "tokens": 2, "metrics": {}}


def lines(*items: Any) -> str:
    return "".join(json.dumps(item) + "\n" for item in items)


def without(item: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in item.items() if key != name}


def refusal(read: Callable[[], object]) -> MunimentError:
    with pytest.raises(MunimentError) as caught:
        read()
    assert caught.value.code == "bench.data_invalid" and caught.value.kind.exit_code == 2
    assert "Error(" not in caught.value.detail
    return caught.value


@pytest.mark.parametrize(
    ("corpus", "questions", "said"),
    [
        (lines(*PASSAGES, PASSAGES[0]), lines(QUESTION),
         'corpus.jsonl, line 3: the id "a" is given twice, first in corpus.jsonl, line 1'),
        (lines(*PASSAGES), lines(QUESTION, QUESTION),
         'questions.jsonl, line 2: the qid "1" is given twice, first in questions.jsonl, line 1'),
        (lines(*PASSAGES), lines(QUESTION | {"evidence": ["a", "z", "y"]}),
         'questions.jsonl, line 1: "evidence" names what the corpus does not hold: "y", "z"'),
        (lines(*PASSAGES), lines(QUESTION | {"evidence": "a"}), 'questions.jsonl, line 1: "evidence" must be a list'),
        (lines(*PASSAGES), lines(without(QUESTION, "evidence")), 'questions.jsonl, line 1: it lacks "evidence"'),
        (lines(PASSAGES[0], without(PASSAGES[1], "text")), lines(QUESTION), 'corpus.jsonl, line 2: it lacks "text"'),
        (lines(PASSAGES[0] | {"id": 1}), lines(QUESTION), 'corpus.jsonl, line 1: "id" must be a text'),
        (lines([]), lines(QUESTION), "corpus.jsonl, line 1: it is no JSON object"),
        (lines(*PASSAGES), "\n", "questions.jsonl: there is no question in it"),
        (lines(*PASSAGES), lines(QUESTION, QUESTION | {"qid": "2", "question": " "}),
         'questions.jsonl, line 2: "question" is empty'),
        ("\n{", lines(QUESTION), "corpus.jsonl, line 2: it is not JSON at column 2"),
    ],
)  # fmt: skip
def test_passages_say_which_line_is_wrong_and_how(tmp_path: Path, corpus: str, questions: str, said: str) -> None:
    (tmp_path / "corpus.jsonl").write_text(corpus, encoding="utf-8")
    (tmp_path / "questions.jsonl").write_text(questions, encoding="utf-8")
    error = refusal(lambda: Passages.read(tmp_path / "corpus.jsonl", tmp_path / "questions.jsonl"))
    assert error.detail.startswith(said)


def test_files_that_are_not_there_damaged_or_not_text_are_named(tmp_path: Path) -> None:
    asked, corpus = tmp_path / "questions.jsonl", tmp_path / "corpus.jsonl"
    assert refusal(lambda: Passages.read(corpus, asked)).detail == "corpus.jsonl: there is no such file"
    corpus.write_bytes(gzip.compress(lines(*PASSAGES).encode())[:-9])
    assert refusal(lambda: Passages.read(corpus, asked)).detail == "corpus.jsonl: the gzip data are damaged"
    corpus.write_bytes(b"\xff")
    assert refusal(lambda: Passages.read(corpus, asked)).detail == "corpus.jsonl: it is not UTF-8 at byte 0"


def test_answerability_without_a_question_is_refused(tmp_path: Path) -> None:
    (tmp_path / "questions.jsonl").write_text("", encoding="utf-8")
    assert refusal(lambda: Answerability.read(tmp_path)).detail == "questions.jsonl: there is no question in it"


@pytest.mark.parametrize(
    ("told", "said"),
    [
        (TOLD | {"evidence": ["nobody-1"]}, '"evidence" names what the corpus does not hold: "nobody-1"'),
        (TOLD | {"evidence": []}, "an answerable question has evidence"),
        (TOLD | {"answerable": False}, "one that is not answerable has none"),
        (without(TOLD, "kind"), 'it lacks "kind"'),
        (TOLD | {"answerable": "yes"}, '"answerable" must be true or false'),
    ],
)
def test_answerability_says_which_question_is_wrong_and_how(tmp_path: Path, told: dict[str, Any], said: str) -> None:
    assert refusal(lambda: Answerability.read(tmp_path)).detail == "questions.jsonl: there is no such file"
    (tmp_path / "documents").mkdir()
    (tmp_path / "documents" / "a.md").write_text("# A", encoding="utf-8")
    (tmp_path / "questions.jsonl").write_text(lines(TOLD, told | {"qid": "2"}), encoding="utf-8")
    assert refusal(lambda: Answerability.read(tmp_path)).detail == f"questions.jsonl, line 2: {said}"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (lines(LINE, without(LINE, "ranked")), 'run.jsonl, line 2: it lacks "ranked"'),
        (lines(LINE | {"ranked": 3}), "run.jsonl, line 1: a value is of another kind than it must be"),
        (lines(LINE, LINE), 'run.jsonl, line 2: the qid "1" is given twice, first in run.jsonl, line 1'),
        ("", "run.jsonl: the run has no line"),
    ],
)
def test_a_run_says_which_line_is_wrong_and_how(tmp_path: Path, text: str, said: str) -> None:
    assert refusal(lambda: read_run(tmp_path)).detail == f"{tmp_path / 'run.jsonl'}: there is no such file"
    (tmp_path / "run.jsonl").write_text(text, encoding="utf-8")
    assert refusal(lambda: read_run(tmp_path)).detail == said.replace("run.jsonl", f"{tmp_path / 'run.jsonl'}")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[{}]", 'data.json, conversation 1: it lacks "sample_id"'),
        ("[\n{", "data.json: it is not JSON at line 2, column 2: "),
        ("[]", "data.json: there is no question in it"),
        (
            json.dumps(
                [{"sample_id": "s", "conversation": {}, "qa": [{"question": "", "evidence": [], "category": 1}]}]
            ),
            'data.json, conversation 1, question 1: "question" is empty',
        ),
        ("{}", "data.json: it is not a LoCoMo file"),
    ],
)
def test_a_locomo_file_says_which_conversation_is_wrong_and_how(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "data.json").write_text(text, encoding="utf-8")
    assert refusal(lambda: LoCoMo.read(tmp_path / "data.json")).detail.startswith(said)
