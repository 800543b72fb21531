"""Episodes of conversations: cut by pauses and topics, telling who, when, what was decided and what is only planned."""

from datetime import UTC, datetime

from summary_store import BEGIN, SummaryStore

from muniment.log.erasure import erase

MARCH_12 = datetime(2026, 3, 12, 9, tzinfo=UTC)


async def test_an_episode_tells_the_decision_and_keeps_plans_apart_and_points_to_every_turn(
    summaries: SummaryStore,
) -> None:
    await summaries.say("Ann: Hello there.", "Bo: The build of March is green.", group="release", at=BEGIN)
    turns = await summaries.say(
        "Ann: The rollback test failed on March 10.", "Bo: We decided to postpone the Orion release.",
        "Ann: I am planning to visit Lisbon.", "Bo: Fine.", group="release", at=MARCH_12,
    )  # fmt: skip
    await summaries.compile()
    episodes = await summaries.current("episode")
    assert list(episodes) == ["release/0", "release/2"]
    told = episodes["release/2"]
    assert "Thursday, 12 March 2026, 09:00 to 09:03: Ann and Bo" in told
    assert "Bo: We decided to postpone the Orion release." in told and "Planned: Ann plans to visit Lisbon." in told
    rows = await summaries.fetch(
        "select s.detail ->> 'plans', s.phrasings,"
        " array(select 'd_' || replace(r.record_id::text, '-', '') from muniment.record r"
        " where r.record_no = any (s.records) order by r.position)"
        " from muniment.summary s where s.part = 2 and s.live_to_commit is null and s.kind = 'episode'"
    )
    plans, phrasings, records = rows[0]
    assert "visit Lisbon" in plans and not any("Lisbon" in each for each in phrasings)
    assert records == turns
    assert await summaries.wrong() == []


async def test_an_erased_turn_is_in_no_version_of_an_episode(summaries: SummaryStore) -> None:
    await summaries.say("Ann: The zorb of Orion is red.", group="g", at=BEGIN)
    (late,) = await summaries.say("Ann: The quince of Porto has 20 pips.", group="g", at=MARCH_12)
    await summaries.compile()
    await erase(summaries.database, summaries.tenant, records=[late], reason="asked to")
    assert await summaries.fetch("select count(*) from muniment.summary s where s::text ilike '%quince%'") == [(0,)]
    await summaries.compile()
    assert await summaries.current("episode") == {}
    assert "zorb" in (await summaries.current())["g"]
