"""Runs as they are kept: a directory with ``run.jsonl`` (a line a question), ``meta.json`` and ``scores.json``."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from muniment.bench.reading import Unique, read_lines, reading, unusable
from muniment.errors import MunimentError

RUN, META, SCORES, REPORT = "run.jsonl", "meta.json", "scores.json", "report.md"


@dataclass(frozen=True, slots=True)
class Timing:
    """One search: milliseconds in all, and by stage. The stage ``routes`` holds the routes, which stand beside it."""

    ms: float
    stages: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Line:
    """What became of one question.

    ``tokens`` is the size of the first hits as context; ``evidence`` and the ``metrics``, shares of 1, are empty where
    none is known. ``repeats`` are the timings of the searches after the first, ``differs`` whether any of those ranked
    otherwise; ``abstained`` is None where no answer was asked for.
    """

    qid: str
    kind: str
    answerable: bool | None
    ranked: list[str]
    evidence: list[str]
    score: float | None
    timing: Timing
    tokens: int
    metrics: dict[str, float] = field(default_factory=dict)
    repeats: list[Timing] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    abstained: bool | None = None
    differs: bool = False

    @property
    def timings(self) -> list[Timing]:
        """Of the first search and of its repetitions."""
        return [self.timing, *self.repeats]

    def plain(self) -> dict[str, Any]:
        """The line as JSON values."""
        made: dict[str, Any] = {"qid": self.qid, "kind": self.kind, "answerable": self.answerable}
        made |= {
            "ranked": self.ranked,
            "evidence": self.evidence,
            "score": self.score,
            "ms": self.timing.ms,
            "tokens": self.tokens,
        }
        made |= {"stages": self.timing.stages, "metrics": {k: round(v, 6) for k, v in self.metrics.items()}}
        if self.repeats:
            made |= {"repeats": [{"ms": t.ms, "stages": t.stages} for t in self.repeats], "differs": self.differs}
        if self.notes:
            made["notes"] = self.notes
        return made if self.abstained is None else made | {"abstained": self.abstained}

    @classmethod
    def read(cls, given: dict[str, Any]) -> Self:
        """The line of JSON values; raises KeyError or TypeError for one of another kind."""
        return cls(
            qid=given["qid"],
            kind=given["kind"],
            answerable=given["answerable"],
            ranked=list(given["ranked"]),
            evidence=list(given["evidence"]),
            score=given.get("score"),
            timing=Timing(float(given["ms"]), dict(given.get("stages", {}))),
            tokens=int(given["tokens"]),
            metrics=dict(given["metrics"]),
            repeats=[Timing(float(item["ms"]), dict(item["stages"])) for item in given.get("repeats", [])],
            notes=list(given.get("notes", [])),
            abstained=given.get("abstained"),
            differs=bool(given.get("differs", False)),
        )


@dataclass(frozen=True, slots=True)
class Run:
    """A run as read: what it was made with, and its lines by question."""

    name: str
    meta: dict[str, Any]
    lines: dict[str, Line]


def open_directory(out: Path) -> None:
    """Makes the directory of a run; raises ``input.invalid`` where a file stands there."""
    if out.exists() and not out.is_dir():
        raise MunimentError("input.invalid", f"{out.name} is a file; a run is written into a directory")
    out.mkdir(parents=True, exist_ok=True)


def write_lines(path: Path, lines: Sequence[Line]) -> None:
    """Writes the lines of a run."""
    path.write_text("".join(json.dumps(line.plain(), ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")


def write_json(path: Path, value: dict[str, Any]) -> None:
    """Writes one JSON document for people and programs."""
    path.write_text(json.dumps(value, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def read_run(path: Path) -> Run:
    """The run in a directory, or in a run file with its ``meta.json`` beside it where there is one.

    Raises ``bench.data_invalid`` for what is no run of ours.
    """
    file = path / RUN if path.is_dir() else path
    beside = file.with_name(META)
    read: dict[str, Line] = {}
    qids = Unique("qid")
    for place, item in read_lines(file, str(file)):
        with reading(place):
            line = Line.read(item)
        read[qids.take(place, line.qid)] = line
    meta: dict[str, Any] = {}
    if beside.is_file() and file.name == RUN:
        with reading(str(beside)):
            meta = json.loads(beside.read_text(encoding="utf-8"))
        if not isinstance(meta, dict):
            raise unusable(str(beside), "it is no JSON object")
    if not read:
        raise unusable(str(file), "the run has no line")
    return Run(path.stem if file is path else path.name, meta, read)
