"""Replays: a stored query run made again against the log as it was."""

import random

import pytest
from asking import ATLAS, BOREALIS, CHAT, ask, ids, search, write_chat, write_text
from sqlalchemy import text

from muniment.database.pool import Database
from muniment.database.vectors import store_pending_vectors, take_pending
from muniment.errors import MunimentError
from muniment.log.lifecycle import correct, undo
from muniment.log.policies import put_policy
from muniment.log.vectors import Embedding
from muniment.log.writer import Writer
from muniment.model.message import Message
from muniment.model.policy import SensitiveRule
from muniment.providers.embedding import Embedder
from muniment.retrieval.engine import Retriever
from muniment.retrieval.replay import replay_run
from muniment.retrieval.stored_profiles import put_profile
from muniment.settings import Settings
from muniment.tenancy.tenants import Tenant

WORDS = (
    *("puppy", "lake", "cat", "class", "shoe", "pottery", "beagle", "launch", "harbour"),
    *("pier", "window", "kids", "weekend", "memo", "garden", "winter"),
)
QUESTIONS = (
    "What did Caroline call the puppy?",
    "Who took the kids camping by the lake?",
    "When did I sign up for the pottery class, and what of the cat?",
    "pier harbour launch memo",
)


def _sentence(random: random.Random) -> str:
    return " ".join(random.choices(WORDS, k=random.randint(4, 14))) + random.choice(".?!")


async def _write(writer: Writer, tenant: Tenant, random: random.Random, group: str, count: int) -> None:
    turns = [(random.choice(["Caroline", "Melanie", "Ann"]), _sentence(random)) for _ in range(count)]
    await write_chat(writer, tenant, turns, group_id=group)


@pytest.mark.parametrize("seed", range(2))
async def test_a_replay_gives_what_was_given_whatever_the_log_has_learned_since(
    writer: Writer, retriever: Retriever, tenant: Tenant, database: Database, seed: int
) -> None:
    chance = random.Random(seed)
    await write_chat(writer, tenant)
    await write_text(writer, tenant, "The pier of the harbour is blue. " + _sentence(chance), "memo")
    identified = [Message(speaker="Ann", content=_sentence(chance), id=f"m{n}") for n in range(6)]
    await writer.ingest_messages(tenant.number, ATLAS, identified, group_id="identified")
    await _write(writer, tenant, chance, "early", 40)
    asked = [
        (await search(retriever, tenant, question, profile=profile, top_k=8)).query_id
        for question in QUESTIONS
        for profile in ("default", "reference")
    ]
    asked.append((await search(retriever, tenant, QUESTIONS[0], group_id="chat")).query_id)
    asked.append((await ask(retriever, tenant, QUESTIONS[0])).query_id)
    # the log goes on: new groups and spaces, more of the same group, a new version, corrected messages
    await _write(writer, tenant, chance, "early", 30)
    await _write(writer, tenant, chance, "late", 30)
    await write_chat(writer, tenant, [("Melanie", "The puppy Biscuit. " + _sentence(chance))], namespace=BOREALIS)
    await write_text(writer, tenant, "The pier of the harbour is red now. " + _sentence(chance), "memo")
    corrected = [Message(speaker="Ann", content="puppy lake " + _sentence(chance), id=f"m{n}") for n in range(6)]
    await writer.ingest_messages(tenant.number, ATLAS, corrected, group_id="identified")
    for query_id in asked:
        replayed = await replay_run(database, retriever.tools, tenant.number, query_id)
        assert replayed.identical, (replayed.differences, replayed.hits)
        assert replayed.hits and replayed.differences == []


async def test_a_replay_of_a_run_between_a_correction_and_its_undoing_gives_the_same(
    writer: Writer, retriever: Retriever, tenant: Tenant, database: Database
) -> None:
    (record,) = await write_chat(writer, tenant, [("Melanie", "The puppy is called Biscuit.")])
    question = "What is the puppy called?"
    before = await search(retriever, tenant, question)
    corrected = await correct(
        database, tenant.number, Embedding(None, None), record, "The puppy is called Truffle.", "misheard"
    )
    between = await search(retriever, tenant, question)
    undone = await undo(database, tenant.number, corrected.commit, "it was right")
    for run in (before, between):
        replayed = await replay_run(database, retriever.tools, tenant.number, run.query_id)
        assert replayed.identical, replayed.differences
    then = await search(retriever, tenant, question, known_at=corrected.commit)
    assert ids(then) == ids(between) == [corrected.correction]
    assert ids(await search(retriever, tenant, question, known_at=corrected.commit - 1)) == ids(before) == [record]
    assert ids(await search(retriever, tenant, question, known_at=undone.commit)) == [record]


async def test_a_replay_does_not_let_in_vectors_that_were_made_since(
    app_url: str,
    database: Database,
    tenant: Tenant,
    writer: Writer,
    retriever: Retriever,
    embedder: Embedder,
    model_no: int,
    settings: Settings,
) -> None:
    later = settings.model_copy(update={"embed_inline_limit": 0})
    late = Writer(Database(app_url, later), embedder, model_no, later)
    await write_text(writer, tenant, "The boat is moored at the north pier.", "a")
    (waiting,) = await write_text(late, tenant, "A ship lies in the harbour.", "b")
    await late.database.close()
    result = await search(retriever, tenant, "Where is the vessel?")
    assert waiting not in ids(result)
    async with database.scope(tenant.number) as scope:
        pending = await take_pending(scope, model_no, 10)
        assert len(pending) == 1
        await store_pending_vectors(scope, model_no, pending, await embedder.embed([row.text for row in pending]))
    again = await search(retriever, tenant, "Where is the vessel?")
    assert waiting in ids(again)
    assert (await replay_run(database, retriever.tools, tenant.number, result.query_id)).identical


async def test_a_replay_names_the_hits_that_were_erased_since(
    writer: Writer, retriever: Retriever, tenant: Tenant, database: Database, admin_url: str
) -> None:
    records = await write_chat(writer, tenant, CHAT)
    result = await search(retriever, tenant, QUESTIONS[0])
    victim = ids(result)[0]
    assert victim in records
    admin = Database(admin_url, Settings())
    async with admin.transaction() as connection:
        await connection.execute(
            text(
                "delete from muniment.record_content c using muniment.record r"
                " where r.tenant_id = c.tenant_id and r.record_no = c.record_no and r.record_id = cast(:id as uuid)"
            ),
            {"id": victim.removeprefix("d_")},
        )
    await admin.close()
    replayed = await replay_run(database, retriever.tools, tenant.number, result.query_id)
    assert not replayed.identical
    assert ("erased", victim) in [(each.reason, each.record_id) for each in replayed.differences]
    assert replayed.hits[0].record_id == victim and replayed.hits[0].replayed_rank is None


async def test_a_replay_keeps_to_the_version_of_the_profile(
    writer: Writer, retriever: Retriever, tenant: Tenant, database: Database
) -> None:
    await write_chat(writer, tenant)
    await put_profile(database, tenant.number, "mine", "default", {"coverage": {"speaker": 0.0}})
    result = await search(retriever, tenant, QUESTIONS[0], profile="mine")
    await put_profile(database, tenant.number, "mine", "default", {"coverage": {"speaker": 0.9, "cosine": 0.1}})
    assert (await replay_run(database, retriever.tools, tenant.number, result.query_id)).identical


async def test_a_replay_names_the_policy_that_withholds_a_hit_since(
    writer: Writer, retriever: Retriever, tenant: Tenant, database: Database
) -> None:
    await write_chat(writer, tenant, [("Ann", "Write to kate.blum@example.org."), ("Ben", "The lake is cold.")])
    given = await search(retriever, tenant, "kate.blum@example.org", without=["semantic", "graph"])
    assert given.hits
    withheld = {"email": SensitiveRule(ingest="keep", answer="withhold")}
    await put_policy(database, tenant.number, classes=withheld, retention=[], reason="a test")
    replayed = await replay_run(database, retriever.tools, tenant.number, given.query_id)
    assert not replayed.identical
    assert [difference.reason for difference in replayed.differences] == ["policy"]


async def test_another_tenant_cannot_replay_a_run(
    retriever: Retriever, tenant: Tenant, other_tenant: Tenant, database: Database
) -> None:
    result = await search(retriever, tenant, QUESTIONS[0])
    with pytest.raises(MunimentError) as caught:
        await replay_run(database, retriever.tools, other_tenant.number, result.query_id)
    assert caught.value.code == "run.not_found"
