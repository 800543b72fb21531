"""mem0 on pgvector, without a language model: each turn a memory as it stands. Runs where mem0ai is installed.

python mem0_pgvector.py TASK.json RUN.jsonl --model DIRECTORY --database URL
"""

import argparse
import os
import tempfile

os.environ["MEM0_TELEMETRY"] = "False"
os.environ.setdefault("MEM0_DIR", tempfile.mkdtemp(prefix="mem0-"))

from mem0 import Memory
from run_task import DEPTH, Found, run_task


class Mem0:
    """A user a conversation, as mem0 keeps people apart."""

    def __init__(self, model: str, database: str) -> None:
        self._turns: dict[str, str] = {}
        self._memory = Memory.from_config(
            {
                "vector_store": {
                    "provider": "pgvector",
                    "config": {"connection_string": database, "embedding_model_dims": 384, "hnsw": True},
                },
                "embedder": {"provider": "huggingface", "config": {"model": model, "embedding_dims": 384}},
                "llm": {"provider": "openai", "config": {"api_key": "never used"}},
                "history_db_path": os.path.join(os.environ["MEM0_DIR"], "history.db"),
            }
        )

    def ingest(self, name: str, turns: list[dict[str, str]]) -> None:
        for turn in turns:
            said = [{"role": "user", "content": turn["text"]}]
            added = self._memory.add(said, user_id=name, infer=False)["results"]
            self._turns.update({item["id"]: turn["id"] for item in added})

    def search(self, name: str, question: str) -> Found:
        found = self._memory.search(question, top_k=DEPTH, filters={"user_id": name}, threshold=0.0)["results"]
        return [self._turns[item["id"]] for item in found]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("task")
    parser.add_argument("run")
    parser.add_argument("--model", required=True)
    parser.add_argument("--database", required=True)
    given = parser.parse_args()
    run_task(Mem0(given.model, given.database), given.task, given.run)
