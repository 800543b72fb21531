"""A task for another system, in its own environment: ingest the conversations, search for the questions, write a run.

A task is ``[{"name", "turns": [{"id", "session", "at", "text"}], "questions": [{"qid", "text"}]}]``. The run has a line
a question, ``{"qid", "ranked", "ms"}``, and a first line ``{"ingest_seconds", "turns"}``. Standard library only.
"""

import json
import time
from pathlib import Path
from typing import Protocol

DEPTH = 100
Found = list[str]


class System(Protocol):
    """What is compared. Everything that must be done before the first search belongs to ``ingest``."""

    def ingest(self, name: str, turns: list[dict[str, str]]) -> None: ...

    def search(self, name: str, question: str) -> Found: ...


def run_task(system: System, task: str, run: str) -> None:
    """Runs the task on the system. The first question of all is asked once before, so that models are loaded."""
    conversations = json.loads(Path(task).read_text(encoding="utf-8"))
    start = time.perf_counter()
    for conversation in conversations:
        system.ingest(conversation["name"], conversation["turns"])
    turns = sum(len(conversation["turns"]) for conversation in conversations)
    with open(run, "w", encoding="utf-8") as out:
        out.write(json.dumps({"ingest_seconds": time.perf_counter() - start, "turns": turns}) + "\n")
        for conversation in conversations:
            if conversation["questions"]:
                system.search(conversation["name"], conversation["questions"][0]["text"])
            for question in conversation["questions"]:
                start = time.perf_counter()
                ranked = system.search(conversation["name"], question["text"])
                spent = 1000 * (time.perf_counter() - start)
                out.write(json.dumps({"qid": question["qid"], "ranked": ranked, "ms": round(spent, 2)}) + "\n")
