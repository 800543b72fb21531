"""Claims lead searches to the records that tell what holds at the time asked about, and are never found themselves."""

from datetime import datetime
from typing import Any

from telling import Store, Told, day

from muniment.retrieval.runs import get_query_run

SAID = (
    ("Maya", "I live in Paris and the bakery downstairs is lovely.", "2024-01-10T09:00:00Z"),
    ("Tom", "We should repaint the kitchen before the summer.", "2024-02-10T09:00:00Z"),
    ("Maya", "I moved to Berlin.", "2024-03-05T09:00:00Z"),
    ("Tom", "I like tea.", "2024-03-06T09:00:00Z"),
    ("Tom", "I like coffee.", "2024-04-06T09:00:00Z"),
)
QUESTION = "Where does Maya live?"


async def _say(store: Store) -> dict[str, str]:
    """The ids of the records, by their texts, once all is derived."""
    ids: dict[str, str] = {}
    for speaker, content, at in SAID:
        run = await store.memory.ingest_messages([{"speaker": speaker, "content": content, "at": at}], group_id="chat")
        ids[content] = (run.items[0].record_ids or [])[0]
        await store.runtime.runner.drain()
    return ids


async def _places(store: Store, ids: dict[str, str], question: str = QUESTION, **more: Any) -> list[str]:
    result = await store.memory.search(question, asked_at=datetime.fromisoformat("2024-06-01T00:00:00+00:00"), **more)
    texts = {record: content for content, record in ids.items()}
    return [texts[hit.record_id] for hit in result.hits]


async def test_what_holds_is_found_before_what_no_longer_does(store: Store) -> None:
    ids = await _say(store)
    paris, berlin = SAID[0][1], SAID[2][1]
    found = await _places(store, ids)
    assert found[0] == berlin and paris in found  # what ended is history, and stays
    without = await _places(store, ids, without=["claims"])
    assert without[0] == paris


async def test_a_search_says_that_claims_are_still_being_compiled(store: Store) -> None:
    await _say(store)
    assert not any("recompiled" in note for note in (await store.memory.search(QUESTION)).notes)
    await store.teller.tell(Told("Maya", "lives_in", "Oslo"))
    assert any("claims wait to be recompiled" in note for note in (await store.memory.search(QUESTION)).notes)
    assert not any("recompiled" in note for note in (await store.memory.search(QUESTION, without=["claims"])).notes)


async def test_the_time_asked_about_says_which_claim_leads(store: Store) -> None:
    ids = await _say(store)
    paris, berlin = SAID[0][1], SAID[2][1]
    assert (await _places(store, ids, as_of=day("2024-02-01")))[0] == paris
    (home,) = (await store.memory.claims(subject="Maya", as_of=day("2024-02-01"))).claims
    known = (await store.memory.claim(home.id)).versions[-1].commit
    assert (await _places(store, ids, known_at=known))[0] == paris
    assert (await _places(store, ids, "Where did Maya live in February 2024?"))[0] == paris
    assert (await _places(store, ids, "Where does Maya live in May 2024?"))[0] == berlin


async def test_a_value_leads_to_its_subjects(store: Store) -> None:
    ids = await _say(store)
    assert (await _places(store, ids, "Who lives in Berlin now?"))[0] == SAID[2][1]


async def test_the_run_shows_which_facts_led_where_and_no_hit_is_derived(store: Store) -> None:
    ids = await _say(store)
    result = await store.memory.search(QUESTION)
    assert {hit.record_id for hit in result.hits} <= set(ids.values())
    run = await get_query_run(store.runtime.database, store.runtime.tenant.number, result.query_id)
    (stage,) = [stage for stage in run.stages if stage.name == "claims"]
    assert stage.detail is not None and stage.detail["found"] == 1
    assert [len(each["by"]) for each in stage.detail["replaced"]] == [1]
    assert next(hit for hit in result.hits if hit.record_id == ids[SAID[2][1]]).routes["claims"].rank == 1
    explained = await store.memory.explain(result.query_id)
    added = {hit.record_id: part.contribution for hit in explained.hits for part in hit.parts if part.name == "claims"}
    assert added[ids[SAID[0][1]]] < 0 <= added[ids[SAID[2][1]]]


async def _asked(store: Store, said: tuple[tuple[str, str], ...], question: str) -> tuple[list[str], str]:
    for at, content in said:
        await store.memory.ingest_messages(
            [{"speaker": "Ida", "content": content, "at": f"{at}T09:00:00Z"}], group_id="chat"
        )
        await store.runtime.runner.drain()
    hits = (await store.memory.search(question)).hits
    return [hit.text for hit in hits], (await store.memory.query(question)).answer


async def test_what_no_longer_holds_comes_after_what_does_however_few_records_there_are(store: Store) -> None:
    said = (("2025-01-10", "I live in Tromso."), ("2025-02-10", "My favorite color is teal."),
            ("2025-08-20", "I moved to Narvik yesterday."))  # fmt: skip
    found, _ = await _asked(store, said, "Where does Ida live?")
    assert found.index("I moved to Narvik yesterday.") < found.index("I live in Tromso.")


async def test_a_value_that_is_asked_about_by_itself_is_answered_by_its_denial(store: Store) -> None:
    said = (("2025-01-10", "I am vegan."), ("2025-08-20", "I am not vegan anymore."))
    found, answer = await _asked(store, said, "Is Ida vegan?")
    assert found[0] == said[1][1] and "not vegan" in answer and "I am vegan." not in answer


async def test_and_so_is_one_of_many_whatever_else_holds(store: Store) -> None:
    said = (
        ("2025-01-10", "I like coffee."),
        ("2025-02-10", "I like tea."),
        ("2025-08-20", "I don't like coffee anymore."),
    )
    found, answer = await _asked(store, said, "Does Ida like coffee?")
    assert found.index(said[2][1]) < found.index(said[0][1]) and "don't like coffee" in answer


async def test_a_replay_says_that_claims_were_compiled_since(store: Store) -> None:
    await _say(store)
    await store.teller.tell(Told("Maya", "lives_in", "Oslo"))
    early = await store.memory.search("Who lives in Oslo?")
    assert not any("claims" in hit.routes for hit in early.hits)
    await store.runtime.runner.drain()
    late = await store.memory.search("Who lives in Oslo?")
    assert any("claims" in hit.routes for hit in late.hits)
    again = await store.memory.replay(early.query_id)
    assert not again.identical
    assert [each.reason for each in again.differences] == ["derived"]
    assert (await store.memory.replay(late.query_id)).identical
