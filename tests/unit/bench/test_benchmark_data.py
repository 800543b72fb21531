"""A file that a benchmark cannot use is refused in words: which file, which line, and what is missing there."""

import gzip
import json
from collections.abc import Callable
from contextlib import suppress
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
        (lines(PASSAGES[0], {"id": "", "title": "B", "text": "c"}), lines(QUESTION),
         "corpus.jsonl, line 2: source_key: must have at least 1 character"),
        (lines(PASSAGES[0], {"id": "b", "title": " ", "text": ""}), lines(QUESTION),
         'corpus.jsonl, line 2: "title" and "text" are empty'),
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
def test_a_locomo_file_is_one_of_conversations(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "data.json").write_text(text, encoding="utf-8")
    assert refusal(lambda: LoCoMo.read(tmp_path / "data.json")).detail.startswith(said)


def talk(**changes: Any) -> dict[str, Any]:
    """A conversation of two turns with one question; each change is written ``a__0__b``, and ... takes it out."""
    made: dict[str, Any] = {
        "sample_id": "s",
        "conversation": {
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": "Ann", "dia_id": "D1:1", "text": "I have a cat."},
                {"speaker": "Bo", "dia_id": "D1:2", "text": "Look!", "blip_caption": "a dog"},
            ],
        },
        "qa": [{"question": "Who has a cat?", "evidence": ["D1:1"], "category": 4}],
    }
    for path, value in changes.items():
        *above, last = [int(part) if part.isdigit() else part for part in path.split("__")]
        within: Any = made
        for part in above:
            within = within[part]
        if value is ...:
            del within[last]
        else:
            within[last] = value
    return made


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"sample_id": 5}, ': "sample_id" must be a text'),
        ({"sample_id": ""}, ": project_id: must have at least 1 character"),
        ({"conversation": []}, ': "conversation" must be an object'),
        ({"conversation__session_1_date_time": ...}, ', session_1: it lacks "session_1_date_time"'),
        (
            {"conversation__session_1_date_time": "8 May"},
            ', session_1: "session_1_date_time" must be a time as 1:56 pm',
        ),
        ({"conversation__session_1_date_time": 8}, ', session_1: "session_1_date_time" must be a text'),
        ({"conversation__session_1": {}}, ', session_1: "session_1" must be a list'),
        ({"conversation__session_1__1": "Look!"}, ", session_1, turn 2: it is no JSON object"),
        ({"conversation__session_1__1__text": ...}, ', session_1, turn 2: it lacks "text"'),
        ({"conversation__session_1__1__text": 5}, ', session_1, turn 2: "text" must be a text'),
        ({"conversation__session_1__0__text": " "}, ', session_1, turn 1: "text" is empty'),
        ({"conversation__session_1__1__speaker": 5}, ', session_1, turn 2: "speaker" must be a text'),
        ({"conversation__session_1__1__speaker": ""}, ", session_1, turn 2: speaker: must have at least 1 character"),
        ({"conversation__session_1__1__dia_id": ["D1:2"]}, ', session_1, turn 2: "dia_id" must be a text'),
        ({"conversation__session_1__1__dia_id": "D1:1"}, ', session_1, turn 2: the dia_id "D1:1" is given twice'),
        ({"conversation__session_1__1__blip_caption": 5}, ', session_1, turn 2: "blip_caption" must be a text'),
        ({"qa": {"question": "?"}}, ': "qa" must be a list'),
        ({"qa__0": "Who?"}, ", question 1: it is no JSON object"),
        ({"qa__0__category": ...}, ', question 1: it lacks "category"'),
        ({"qa__0__category": "4"}, ', question 1: "category" must be a whole number'),
        ({"qa__0__evidence": ...}, ', question 1: it lacks "evidence"'),
        ({"qa__0__evidence": "D1:1"}, ', question 1: "evidence" must be a list'),
        ({"qa__0__evidence": [1]}, ', question 1: "evidence" must be a list of ids of turns'),
        ({"qa__0__question": 5}, ', question 1: "question" must be a text'),
    ],
)
def test_a_locomo_file_says_which_item_is_wrong_and_how(tmp_path: Path, changes: dict[str, Any], said: str) -> None:
    first = talk() | {"sample_id": "first"}
    (tmp_path / "data.json").write_text(json.dumps([first, talk(**changes)]), encoding="utf-8")
    assert refusal(lambda: LoCoMo.read(tmp_path / "data.json")).detail.startswith(f"data.json, conversation 2{said}")


def test_a_locomo_file_has_each_conversation_once_and_some_evidence(tmp_path: Path) -> None:
    (tmp_path / "data.json").write_text(json.dumps([talk(), talk()]), encoding="utf-8")
    said = 'data.json, conversation 2: the sample_id "s" is given twice'
    assert refusal(lambda: LoCoMo.read(tmp_path / "data.json")).detail.startswith(said)
    (tmp_path / "data.json").write_text(json.dumps([talk(qa__0__evidence=["D10:19", "D"])]), encoding="utf-8")
    assert "no question names a turn" in refusal(lambda: LoCoMo.read(tmp_path / "data.json")).detail


def test_evidence_that_is_no_turn_is_passed_over_and_a_question_of_nothing_else_counts_in_no_measure(
    tmp_path: Path,
) -> None:
    asked = {"question": "Who?", "category": 4}
    odd: list[list[str]] = [["D1:1", "D10:19", "D"], ["D:1:2"], ["D1:1; D1:2"], ["D10:19"], ["D"], []]
    made = talk(qa=[asked | {"evidence": each} for each in odd])
    (tmp_path / "data.json").write_text(json.dumps([made]), encoding="utf-8")
    questions = LoCoMo.read(tmp_path / "data.json").questions
    assert [sorted(question.evidence) for question in questions] == [["D1:1"], ["D1:2"], ["D1:1", "D1:2"], [], [], []]
    assert [question.answerable for question in questions] == [True, True, True, None, None, None]


MEMBERS = [
    "sample_id", "conversation", "conversation__session_1", "conversation__session_1_date_time",
    "conversation__session_1__0", "conversation__session_1__0__text", "conversation__session_1__0__speaker",
    "conversation__session_1__0__dia_id", "conversation__session_1__0__blip_caption", "qa", "qa__0",
    "qa__0__question", "qa__0__evidence", "qa__0__category",
]  # fmt: skip


@pytest.mark.parametrize("junk", [None, 0, 1.5, True, "", "x", [], {}, [[]], [{}], {"a": {}}])
def test_no_value_of_any_member_is_refused_otherwise_than_by_code(tmp_path: Path, junk: Any) -> None:
    corpus, asked, data = (tmp_path / name for name in ("corpus.jsonl", "questions.jsonl", "data.json"))
    for member in MEMBERS:
        data.write_text(json.dumps([talk(**{member: junk})]), encoding="utf-8")
        with suppress(MunimentError):
            assert LoCoMo.read(data).questions, member
    for name in ("id", "title", "text", "qid", "question", "evidence", "type"):
        of_corpus = {name: junk} if name in PASSAGES[0] else {}
        of_question = {} if of_corpus else {name: junk}
        corpus.write_text(lines(PASSAGES[0], PASSAGES[1] | of_corpus), encoding="utf-8")
        asked.write_text(lines(QUESTION | of_question), encoding="utf-8")
        with suppress(MunimentError):
            assert Passages.read(corpus, asked).questions, name
