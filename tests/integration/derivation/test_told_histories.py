"""Histories in people's words, from the message to the claim: see told_histories.yaml."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml
from telling import Store, day

from muniment.model.claims import Claim

HISTORIES: list[dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("told_histories.yaml").read_text("utf-8"))
NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)


async def _play(store: Store, said: list[dict[str, Any]]) -> list[int]:
    """Says it step by step, each derived before the next; the last commit after each step."""
    records: list[str] = []
    commits: list[int] = []
    done: list[int] = []
    for step in said:
        if "correct" in step:
            told = await store.memory.correct(records[step["correct"] - 1], step["text"], reason="wrong")
        elif "correct_fact" in step:
            (claim,) = (await store.memory.claims(relation=step["correct_fact"])).claims
            (fact,) = (await store.memory.claim(claim.id)).evidence
            told = await store.memory.correct(fact.record_id, step["text"], reason="wrong")
        elif "forget" in step:
            told = await store.memory.forget([records[step["forget"] - 1]], reason="asked to")
        elif "undo" in step:
            told = await store.memory.undo(done[step["undo"] - 1], reason="right after all")
        else:
            message = {"content": step["text"], "at": step["at"], "role": step.get("role", "user")}
            message |= {"speaker": step["by"]} if "by" in step else {}
            run = await store.memory.ingest_messages([message], group_id="chat")
            records += run.items[0].record_ids or []
            told = None
        await store.runtime.runner.drain()
        commits.append((await store.memory.claims()).known_at)
        done.append(commits[-1] if told is None else told.commit)
    return commits


def shown(claim: Claim, *, whole: bool) -> str:
    """A claim as the histories write it."""
    told = f"{'not ' if claim.negated else ''}{claim.object} {claim.status}"
    if not whole:
        return told
    begin, end = ("" if at is None else f"{at.astimezone(UTC):%Y-%m-%d}" for at in (claim.valid_from, claim.valid_to))
    return f"{told} {begin}..{end}"


@pytest.mark.parametrize("store", ["local"], indirect=True)
@pytest.mark.parametrize("history", HISTORIES, ids=lambda history: str(history["name"]).replace(" ", "-"))
async def test_what_people_said_comes_to_these_claims(store: Store, history: dict[str, Any]) -> None:
    commits = await _play(store, history["said"])
    for expected in history["expect"]:
        whole = "all" in expected
        page = await store.memory.claims(
            subject=expected["of"],
            relation=expected["relation"],
            as_of=day(str(expected["as_of"])) if "as_of" in expected else None,
            known_at=commits[expected["known_after"] - 1] if "known_after" in expected else None,
            status=["ACTIVE", "CONTESTED", "SUPERSEDED"] if whole else ["ACTIVE", "CONTESTED"],
            asked_at=NOW,
        )
        held = sorted(
            page.claims, key=lambda claim: (claim.valid_from or datetime.min.replace(tzinfo=UTC), claim.object)
        )
        assert [shown(claim, whole=whole) for claim in held if whole or not claim.negated] == expected.get(
            "all", expected.get("now")
        ), expected
