"""Answers quote what holds at the time asked about, and not what has ended, however well its words fit."""

from datetime import datetime

import pytest
from telling import Store

SAID = (
    ("Maya", "I live in Paris. The bakery downstairs is lovely.", "2024-01-10T09:00:00Z"),
    ("Tom", "We should repaint the kitchen before the summer.", "2024-02-10T09:00:00Z"),
    ("Maya", "The boxes are packed. I moved to Berlin yesterday.", "2024-03-05T09:00:00Z"),
    ("Tom", "I work at Acme.", "2024-03-06T09:00:00Z"),
    ("Tom", "I like tea.", "2024-03-06T09:00:00Z"),
    ("Tom", "I like coffee.", "2024-04-06T09:00:00Z"),
    ("Tom", "I no longer work at Acme.", "2024-05-06T09:00:00Z"),
    ("Tom", "Maya is moving to Rome next month.", "2024-05-07T09:00:00Z"),
)


@pytest.fixture
async def told(store: Store) -> Store:
    for speaker, content, at in SAID:
        await store.memory.ingest_messages([{"speaker": speaker, "content": content, "at": at}], group_id="chat")
        await store.runtime.runner.drain()
    return store


async def _quoted(store: Store, question: str, **more: object) -> list[str]:
    result = await store.memory.query(question, asked_at=datetime.fromisoformat("2024-06-01T00:00:00+00:00"), **more)  # type: ignore[arg-type]
    return [line.rsplit(" [", 1)[0].split(": ", 1)[1] for line in (result.answer or "").splitlines() if ": " in line]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Where does Maya live?", ["I moved to Berlin yesterday."]),
        ("Which city does Maya live in now?", ["I moved to Berlin yesterday."]),
        ("Does Maya still live in Paris?", ["I moved to Berlin yesterday."]),
        ("Where did Maya live in February 2024?", ["I live in Paris."]),
        ("Where does Tom work?", ["I no longer work at Acme."]),
        ("Where did Tom work in April 2024?", ["I work at Acme."]),
        ("What does Tom like?", ["I like coffee.", "I like tea."]),
    ],
)
async def test_what_holds_then_is_quoted(told: Store, question: str, expected: list[str]) -> None:
    assert sorted(await _quoted(told, question)) == expected


async def test_as_of_and_known_at_go_before_the_clock(told: Store) -> None:
    at = datetime.fromisoformat("2024-02-01T00:00:00+00:00")
    assert await _quoted(told, "Where does Maya live?", as_of=at) == ["I live in Paris."]
    (home,) = (await told.memory.claims(subject="Maya", relation="lives_in", as_of=at)).claims
    known = min(version.commit for version in (await told.memory.claim(home.id)).versions)
    assert await _quoted(told, "Where does Maya live?", known_at=known) == ["I live in Paris."]


async def test_without_claims_the_words_alone_decide(told: Store) -> None:
    assert "I live in Paris." in await _quoted(told, "Where does Maya live?", without=["claims"])


async def test_what_a_claim_says_of_one_is_no_answer_about_another(told: Store) -> None:
    assert "I moved to Berlin yesterday." not in await _quoted(told, "Where does Maya's sister live?")


async def test_values_of_which_nothing_says_which_holds_are_told_to_be_contested(store: Store) -> None:
    for who, text in (("Ann", "Ida lives in Turin."), ("Ben", "Ida lives in Genoa."), ("Ida", "I like tea.")):
        said = [{"speaker": who, "content": text, "at": "2024-01-10T09:00:00Z"}]
        await store.memory.ingest_messages(said, group_id=f"with {who}")
    await store.runtime.runner.drain()
    moment = datetime.fromisoformat("2024-06-01T00:00:00+00:00")
    result = await store.memory.query("Where does Ida live?", asked_at=moment)
    assert "Turin" in (result.answer or "") and "Genoa" in (result.answer or "")
    assert any(note.startswith("contested: 2 values of lives_in") for note in result.notes)
    assert not any(
        "contested" in note for note in (await store.memory.query("What does Ida like?", asked_at=moment)).notes
    )


async def test_of_two_people_of_one_first_name_each_is_told_of_as_they_are_now(store: Store) -> None:
    for number, text in enumerate(
        ("Alex Kim lives in Lima.", "Alex Stone lives in Bergen.", "Alex Kim moved to Quito.", "Tea is ready.")
    ):
        said = [{"speaker": "Ann", "content": text, "at": f"2024-0{number + 1}-10T09:00:00Z"}]
        await store.memory.ingest_messages(said, group_id="chat")
    await store.runtime.runner.drain()
    moment = datetime.fromisoformat("2024-06-01T00:00:00+00:00")
    result = await store.memory.query("Where does Alex live?", asked_at=moment)
    assert "Quito" in (result.answer or "") and "Bergen" in (result.answer or "")
    assert "Lima" not in (result.answer or "")
    assert "ambiguous: 'alex' may mean 2 people: alex kim, alex stone" in result.notes
    result = await store.memory.query("Where does Alex Stone live?", asked_at=moment)
    assert "Bergen" in (result.answer or "") and "Quito" not in (result.answer or "")
    assert not any("ambiguous" in note for note in result.notes)


PLANS = (
    ("Gus", "I live in Porto.", "2024-01-10T09:00:00Z"),
    ("Gus", "I'm moving to Oslo in September.", "2024-02-10T09:00:00Z"),
    ("Gus", "I'm planning to learn Danish.", "2024-03-10T09:00:00Z"),
    ("Ida", "I'm planning to visit Peru.", "2024-03-11T09:00:00Z"),
    ("Ida", "I'm no longer planning to visit Peru.", "2024-04-11T09:00:00Z"),
)


@pytest.mark.parametrize("store", ["local"], indirect=True)
async def test_a_question_that_looks_ahead_is_answered_by_what_is_planned(store: Store) -> None:
    for speaker, content, at in PLANS:
        await store.memory.ingest_messages([{"speaker": speaker, "content": content, "at": at}], group_id="chat")
        await store.runtime.runner.drain()
    for question in ("Where will Gus live?", "Where is Gus moving to?", "Where does Gus plan to live next year?"):
        assert await _quoted(store, question) == ["I'm moving to Oslo in September."], question
    assert await _quoted(store, "Where does Gus live?") == ["I live in Porto."]
    assert await _quoted(store, "What is Gus planning to learn?") == ["I'm planning to learn Danish."]
    assert sorted(await _quoted(store, "What are Gus's plans?")) == [PLANS[1][1], PLANS[2][1]]
    assert PLANS[3][1] not in (await _quoted(store, "What will Ida visit?"))[:1]  # she gave that up
    before = datetime.fromisoformat("2024-02-01T00:00:00+00:00")
    assert await _quoted(store, "Where will Gus live?", as_of=before) == ["I live in Porto."]
