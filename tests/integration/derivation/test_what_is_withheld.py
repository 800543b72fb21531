"""What a policy withholds is in no context, no summary and no claim, and no model sees it."""

import json
from dataclasses import replace

from summary_store import SummaryStore
from telling import Store
from test_reading_summaries import _compile, _say

from muniment.derivation.claims import ClaimFilter, get_claim, list_claims
from muniment.derivation.compiling import compile_claims
from muniment.derivation.summaries.reading import SummaryFilter, list_summaries
from muniment.log.policies import put_policy
from muniment.model.policy import SensitiveRule
from muniment.providers.completion import open_summary_chat
from scripted_endpoint import Said, ScriptedEndpoint, in_turn

ADDRESS = "kate.blum@example.org"
WITHHELD = {"email": SensitiveRule(ingest="keep", answer="withhold")}


async def test_what_is_withheld_is_in_no_unit_of_context_no_summary_and_no_claim(store: Store) -> None:
    tenant, database = store.runtime.tenant.number, store.runtime.database
    await _say(store, "chat", f"I love {ADDRESS} and tea.", f"My email is {ADDRESS}.", "I live in Lisbon.")
    await _compile(store)
    await compile_claims(database, tenant)

    async def shown() -> str:
        context = await store.memory.context("What does Maya love? email", units=["raw", "fact", "episode", "profile"])
        assert {"raw", "fact", "profile"} <= {each.unit for each in context.units}
        parts = [context.model_dump_json()]
        for kind in ("card", "episode", "profile"):
            page = await list_summaries(database, tenant, store.teller.namespace, SummaryFilter(kind=kind))  # type: ignore[arg-type]
            parts.append(page.model_dump_json())
        claims = await list_claims(database, tenant, store.teller.namespace, ClaimFilter())
        parts.append(claims.model_dump_json())
        assert claims.claims
        for claim in claims.claims:
            detail = await get_claim(database, tenant, claim.id)
            assert detail.claim == claim and detail.evidence
            parts.append(detail.model_dump_json())
        return "\n".join(parts)

    assert ADDRESS in await shown()
    await put_policy(database, tenant, classes=WITHHELD, retention=[], reason="a test")
    told = await shown()
    assert ADDRESS not in told and "[email]" in told and "Lisbon" in told
    assert "blum" not in told and "kate" not in told  # nor its words in titles


async def test_no_model_that_writes_summaries_sees_it(summaries: SummaryStore) -> None:
    await put_policy(summaries.database, summaries.tenant, classes=WITHHELD, retention=[], reason="a test")
    await summaries.say(f"Maya: Write to {ADDRESS} about the ferry to Amalthea.", "Tom: Ok.")
    with ScriptedEndpoint(in_turn(Said("nonsense"), Said("nonsense"))) as endpoint:
        changes = {"summaries": "model", "extraction_url": endpoint.url, "extraction_model": "scripted"}
        changed = summaries.settings.model_copy(update={**changes, "answer_retries": 0, "extraction_timeout": 5.0})
        chat = open_summary_chat(changed)
        assert chat is not None
        summaries.context = replace(summaries.context, settings=changed, summary_chat=chat)
        await summaries.compile()
        await chat.close()
        sent = json.dumps(endpoint.requests, default=str)
    assert "Amalthea" in sent and ADDRESS not in sent and "kate.blum" not in sent
