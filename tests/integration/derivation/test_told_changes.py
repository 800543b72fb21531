"""Further histories in people's words, played side by side in one store: told_changes.yaml, told_otherwise.yaml."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from telling import Store, day
from test_told_histories import NOW, shown

from muniment.model.namespace import Namespace

FILES = ["told_changes.yaml", "told_otherwise.yaml"]


class _Played:
    """One history in a namespace of its own; ``commits`` is the last commit after each step."""

    def __init__(self, store: Store, number: int, history: dict[str, Any]) -> None:
        self.memory, self.history = store.memory, history
        self.namespace = Namespace(project_id=f"history {number}")
        self.records: list[str] = []
        self.done: list[int] = []
        self.commits: list[int] = []

    async def play(self, step: dict[str, Any]) -> None:
        """Says one step."""
        if "correct" in step:
            told = await self.memory.correct(self.records[step["correct"] - 1], step["text"], reason="wrong")
            self.done.append(told.commit)
        elif "forget" in step:
            self.done.append((await self.memory.forget([self.records[step["forget"] - 1]], reason="asked to")).commit)
        elif "undo" in step:
            self.done.append((await self.memory.undo(self.done[step["undo"] - 1], reason="right after all")).commit)
        else:
            message = {"content": step["text"], "at": step["at"], "speaker": step["by"]}
            run = await self.memory.ingest_messages(
                [message], group_id=f"{self.namespace.project_id} {step.get('in', 'chat')}", namespace=self.namespace
            )
            self.records += run.items[0].record_ids or []
            self.done.append(0)

    async def wrong(self) -> list[str]:
        """What comes out otherwise than the history expects."""
        found = []
        for expected in self.history["expect"]:
            whole = "all" in expected
            page = await self.memory.claims(
                subject=expected["of"],
                relation=expected["relation"],
                as_of=day(str(expected["as_of"])) if "as_of" in expected else None,
                known_at=self.commits[expected["known_after"] - 1] if "known_after" in expected else None,
                status=["ACTIVE", "CONTESTED", "SUPERSEDED"] if whole else ["ACTIVE", "CONTESTED"],
                asked_at=NOW,
                namespace=self.namespace,
            )
            held = [shown(claim, whole=whole) for claim in page.claims if whole or not claim.negated]
            if sorted(held) != sorted(expected.get("all", expected.get("now"))):
                found.append(f"{self.history['name']}: {expected} came to {held}")
        return found


@pytest.mark.parametrize("store", ["local"], indirect=True)
@pytest.mark.parametrize("file", FILES)
async def test_what_people_said_of_changes_comes_to_these_claims(store: Store, file: str) -> None:
    histories: list[dict[str, Any]] = yaml.safe_load(Path(__file__).with_name(file).read_text("utf-8"))
    played = [_Played(store, number, history) for number, history in enumerate(histories)]
    for step in range(max(len(each.history["said"]) for each in played)):
        for each in played:
            if step < len(each.history["said"]):
                await each.play(each.history["said"][step])
        await store.runtime.runner.drain()
        known = (await store.memory.claims()).known_at
        for each in played:
            each.commits.append(known)
    wrong = [line for each in played for line in await each.wrong()]
    assert not wrong, "\n".join(wrong)
