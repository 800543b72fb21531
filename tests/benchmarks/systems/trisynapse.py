"""trisynapse-memory without a language model. Runs where trisynapse-memory is installed.

python trisynapse.py TASK.json RUN.jsonl --model DIRECTORY --store DIRECTORY
"""

import argparse

from run_task import DEPTH, Found, run_task
from trisynapse_memory import MemoryEngine, MemoryNamespace


class Trisynapse:
    """A project a conversation, a group a session, its own ingestion of messages."""

    def __init__(self, model: str, store: str) -> None:
        self._engine = MemoryEngine.open(store, embedding_model=model, local_files_only=True)

    def ingest(self, name: str, turns: list[dict[str, str]]) -> None:
        sessions: dict[str, list[dict[str, str]]] = {}
        for turn in turns:
            message = {"id": turn["id"], "content": turn["text"], "timestamp": turn["at"]}
            sessions.setdefault(turn["session"], []).append(message)
        for session, messages in sessions.items():
            self._engine.ingest_messages(messages, group_id=f"{name}:{session}", namespace=self._space(name))
        self.search(name, "What was said?")  # vectors are made by the first search; that is a cost of ingestion

    def search(self, name: str, question: str) -> Found:
        found = self._engine.search(question, top_k=DEPTH, namespace=self._space(name)).hits
        places = [hit.locator for hit in found if isinstance(hit.locator, dict)]
        return [place["message_id"] for place in places if place.get("message_id")]

    def _space(self, name: str) -> MemoryNamespace:
        return MemoryNamespace(project_id=name)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("task")
    parser.add_argument("run")
    parser.add_argument("--model", required=True)
    parser.add_argument("--store", required=True)
    given = parser.parse_args()
    run_task(Trisynapse(given.model, given.store), given.task, given.run)
