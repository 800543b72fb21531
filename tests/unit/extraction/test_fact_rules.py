"""What the rules find in a sentence, and what they leave alone: rather nothing than something wrong."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.extraction.rules.extractor import MOST_STATEMENTS, statements_of
from muniment.extraction.statements import Statement
from muniment.extraction.support import supported
from muniment.extraction.turns import Turn

SAID = datetime(2026, 3, 12, 9, tzinfo=UTC)  # a Thursday


def read(text: str, speaker: str | None = "Maya", said: datetime | None = SAID, **more: object) -> list[Statement]:
    return statements_of(Turn(1, text, speaker, None, said, 0, **more))  # type: ignore[arg-type]


def triples(found: list[Statement]) -> set[tuple[str, str, str, bool]]:
    return {(each.subject, each.relation, each.object, each.negated) for each in found}


M = "Maya"
SURE = {
    "I live in Lisbon.": {(M, "lives_in", "Lisbon", False)},
    "I'm living in New York City with my sister.": {(M, "lives_in", "New York City", False)},
    "Yeah, I moved to Berlin last month!": {(M, "lives_in", "Berlin", False)},
    "I no longer live in Paris.": {(M, "lives_in", "Paris", True)},
    "I don't live in Paris anymore.": {(M, "lives_in", "Paris", True)},
    "I used to live in Paris.": {(M, "lives_in", "Paris", True)},
    "Liam Vance lives in Porto.": {("Liam Vance", "lives_in", "Porto", False)},
    "Liam's living in Porto now.": {("Liam", "lives_in", "Porto", False)},
    "I was born in Braga.": {(M, "born_in", "Braga", False)},
    "I work at Northwind as a nurse.": {(M, "works_at", "Northwind", False)},
    "I work as a software engineer.": {(M, "works_as", "software engineer", False)},
    "I'm a teacher.": {(M, "works_as", "teacher", False)},
    "I'm not a teacher.": {(M, "works_as", "teacher", True)},
    "Ana no longer works at Acme.": {("Ana", "works_at", "Acme", True)},
    "I started working at Globex in January 2025.": {(M, "works_at", "Globex", False)},
    "I quit my job at Acme last week.": {(M, "works_at", "Acme", True)},
    "Liam Vance is the lead of Project Atlas.": {("Liam Vance", "lead_of", "Project Atlas", False)},
    "Liam Vance leads Project Atlas.": {("Liam Vance", "lead_of", "Project Atlas", False)},
    "Ana is the CEO of Northwind.": {("Ana", "ceo_of", "Northwind", False)},
    "I like tea.": {(M, "likes", "tea", False)},
    "I love tea and coffee.": {(M, "likes", "tea", False), (M, "likes", "coffee", False)},
    "I don't like olives.": {(M, "likes", "olives", True)},
    "I hate olives.": {(M, "dislikes", "olives", False)},
    "I prefer tea to coffee.": {(M, "prefers", "tea", False)},
    "I'm married to Tom.": {(M, "married_to", "Tom", False)},
    "I bought a red bicycle yesterday.": {(M, "bought", "red bicycle", False)},
    "I'm planning to visit Japan next spring.": {(M, "plans_to", "visit Japan", False)},
    "I'm going to run a marathon in May.": {(M, "plans_to", "run a marathon", False)},
    "My sister Ana lives in Porto.": {("Ana", "sister_of", M, False)},
    "My dog Rex is ill.": {(M, "has_pet", "Rex", False)},
    "My favorite color is blue.": {(M, "favorite_color", "blue", False)},
    "I speak Portuguese.": {(M, "speaks", "Portuguese", False)},
    "I play the violin.": {(M, "plays", "violin", False)},
    "I'm allergic to peanuts.": {(M, "allergic_to", "peanuts", False)},
    "I moved from Paris to Berlin last month.": {(M, "lives_in", "Berlin", False)},
    "I've lived in Rome since May.": {(M, "lives_in", "Rome", False)},
    "I'm moving to Oslo in June.": {(M, "plans_to_move_to", "Oslo", False)},
    "I started working for Globex.": {(M, "works_at", "Globex", False)},
    "I accepted an offer from Hooli.": {(M, "works_at", "Hooli", False)},
    "I'm a mechanic at Globex.": {(M, "works_at", "Globex", False), (M, "works_as", "mechanic", False)},
    "My boss is Karl.": {("Karl", "boss_of", M, False)},
    "My new manager is Lena Maier.": {(M, "reports_to", "Lena Maier", False)},
    "I report to Lena.": {(M, "reports_to", "Lena", False)},
    "My husband's name is Tom.": {("Tom", "husband_of", M, False)},
    "My daughter is Lily.": {("Lily", "daughter_of", M, False)},
    "I divorced Tom.": {(M, "married_to", "Tom", True)},
    "I broke up with Tom.": {(M, "partner_of", "Tom", True)},
    "My company is Acme Robotics.": {(M, "works_at", "Acme Robotics", False)},
    "My email address is maya@example.com now.": {(M, "email", "maya@example.com", False)},
    "My phone number is +49 30 1234567.": {(M, "phone_number", "+49 30 1234567", False)},
    "I drive a Tesla.": {(M, "drives", "Tesla", False)},
    "I went vegan last year.": {(M, "diet", "vegan", False)},
    "I turned 30 yesterday.": {(M, "age", "30", False)},
    "The deadline for Project Atlas was moved to March 25.": {
        ("Project Atlas", "due_on", "March 25", False),
        ("deadline for Project Atlas", "scheduled_for", "March 25", False),
    },
    "The price of Atlas is $30.": {("Atlas", "price", "$30", False)},
    "Northwind's new CEO is Bob Ray.": {("Bob Ray", "ceo_of", "Northwind", False)},
    "The capital of Australia is Canberra.": {("Australia", "capital", "Canberra", False)},
    "The current version of Orion is 1.4.2.": {("Orion", "version", "1.4.2", False)},
    "Project Atlas is now led by Tom Baker.": {("Project Atlas", "led_by", "Tom Baker", False)},
    "The meeting was moved to Friday.": {("meeting", "scheduled_for", "Friday", False)},
    "I'm vegetarian.": {(M, "diet", "vegetarian", False)},
    "I went to a poetry reading last Friday.": {(M, "went_to", "poetry reading", False)},
    "The team postponed the release because of that failure.": {("release", "status", "postponed", False)},
    "We have cancelled the order.": {("order", "status", "cancelled", False)},
    "The release was approved.": {("release", "status", "approved", False)},
    "The door closed.": {("door", "status", "closed", False)},
    "The tests have passed.": {("tests", "status", "passed", False)},
    "Rollback verification is required before launch.": {("launch", "requires", "rollback verification", False)},
    "A security review is no longer required for the launch.": {("launch", "requires", "security review", True)},
    "I like neither tea nor coffee.": {(M, "likes", "tea", True), (M, "likes", "coffee", True)},
    "I don't like tea or coffee anymore.": {(M, "likes", "tea", True), (M, "likes", "coffee", True)},
    "I love hiking, jazz and old maps.": {
        (M, "likes", "hiking", False), (M, "likes", "jazz", False), (M, "likes", "old maps", False),
    },
    "I like cats, dogs, and my wife.": {(M, "likes", "cats", False), (M, "likes", "dogs", False)},
    "I love action and sci-fi movies.": {(M, "likes", "action and sci-fi movies", False)},
    "Robert is my brother.": {("Robert", "brother_of", M, False)},
    "We relocated to Singapore yesterday.": {(M, "lives_in", "Singapore", False)},
    "I left Initech last week and joined Globex on Monday.": {
        (M, "works_at", "Initech", True), (M, "works_at", "Globex", False),
    },
    "Sorry, I meant I live in Nice.": {(M, "lives_in", "Nice", False)},
    "Correction: I live in Nice.": {(M, "lives_in", "Nice", False)},
    "I don't live in Lyon, I live in Nice.": {(M, "lives_in", "Lyon", True), (M, "lives_in", "Nice", False)},
    "Robert Hill is also known as Bobby Hill.": {("Robert Hill", "also_known_as", "Bobby Hill", False)},
    "Kate Schmidt, also known as Katharina Schmidt, lives in Ulm.": {
        ("Kate Schmidt", "also_known_as", "Katharina Schmidt", False),
    },
    "Robert Hill goes by Bobby Hill.": {("Robert Hill", "also_known_as", "Bobby Hill", False)},
    "Everybody calls me Bobby.": {(M, "also_known_as", "Bobby", False)},
    "Liam replaced Sara as the lead of Project Atlas.": {
        ("Liam", "lead_of", "Project Atlas", False), ("Sara", "lead_of", "Project Atlas", True),
    },
    "The launch date of Atlas has moved to 4 November 2026.": {("Atlas", "launches_on", "4 November 2026", False)},
    "Mia lives in Turin.": {("Mia", "lives_in", "Turin", False)},
    "Note: I live in Rome.": {(M, "lives_in", "Rome", False)},
    "Maya: I live in Rome.": {(M, "lives_in", "Rome", False)},
    "Christian Larsen lives in Odense.": {("Christian Larsen", "lives_in", "Odense", False)},
    "Hope moved to Lima.": {("Hope", "lives_in", "Lima", False)},
    "Will works at Siemens.": {("Will", "works_at", "Siemens", False)},
    "ANNA SCHMIDT lives in Bonn.": {("Anna Schmidt", "lives_in", "Bonn", False)},
    "Ana lives in Bath and works at Rolls-Royce.": {
        ("Ana", "lives_in", "Bath", False), ("Ana", "works_at", "Rolls-Royce", False),
    },
    "My sister Clara works at Bosch.": {("Clara", "sister_of", M, False), ("Clara", "works_at", "Bosch", False)},
    "The rollback test failed on March 10.": {("rollback test", "status", "failed", False)},
    "The launch requires rollback verification.": {("launch", "requires", "rollback verification", False)},
}  # fmt: skip

UNSURE = [
    "The bank rejected my application.", "The driver crashed his car.", "The patient passed away.",
    "The test failed to find the bug.", "The company announced a merger with Globex.", "Acme released a new phone.",
    "The bridge closed in 2019 was rebuilt.", "The show announced today was good.", "The team failed the audit.",
    "Hans probably lives in Davos.", "Hans lives in Davos or Chur.", "In the novel, Hans lives in Davos.",
    "Hans lives in Davos in the book.", "Hans lives in Davos - no, wait, Chur.", "> I live in Trier",
    "On Monday Tom wrote:\n> I moved. I live in Trier\n", "Example: I live in Trier.",
    "I also work at Aldi on weekends.", "I work at Aldi on weekends.", "I like tea or coffee.",
    "Will work at Siemens.", "I love this series.", "THE TEAM lives in Bonn.", "In this game, I live in Ulm.",
    "We went there - so much energy and love everywhere.", "We like tea.",
    "Bob: I live in Rome.",
    "Bob: I live in Rome. I work at Acme.",
    "[10:31] Bob Hill: I live in Rome.",
    "Bob wrote: I live in Pisa.",
    "I live in Bari in my dreams.",
    "I live in Como. Not!",
    "I live in Turin every summer.",
    "I like totally agree.",
    "My boss is Spanish.",
    "My boss is Very angry.",
    "My company is based in Berlin.",
    "My manager is Friday off.",
    "The manager of the year is Tom.",
    "I drive a hard bargain.",
    "I'm 30 minutes late.",
    "I have worked at Acme.",
    "I had lived in Rome since May.",
    "If my boss is Karl, I quit.",
    "Do I live in Lisbon?", "If I live in Lisbon, I will be happy.", "I wish I lived in Lisbon.",
    "I would like tea.", "Ana said I live in Porto.", "Maybe I work at Acme.", "I live in a small town.",
    "I work at night.", "I love it.", "I love your painting.", "I like how you put it.", "You live in Lisbon.",
    "They live in Lisbon.", "She moved to Berlin.", "I'm a big fan.", "I love the view from here.",
    "I almost moved to Berlin.", "I'm going to be late.", "I'm going to a conference.", "I bought it yesterday.",
    "Maya's teacher moved.", "I think Ana works at Acme.", "Thanks for the tea!", "I could live in Lisbon.",
    "I lived in Paris.", "Everyone likes tea.", "Nobody works at Acme.", "Monday works for Acme.",
    "He told me \"I live in Rome.\"", "I'm thinking of moving to Berlin.", "I'm trying to make it.",
]  # fmt: skip


@pytest.mark.parametrize("text", SURE)
def test_what_is_said_for_sure_is_found(text: str) -> None:
    found = read(text)
    assert SURE[text] <= triples(found), found
    extra = triples(found) - SURE[text]
    assert extra <= {("Ana", "lives_in", "Porto", False), (M, "works_as", "nurse", False)}, extra
    assert all(supported(each, {1: text}) for each in found)


@pytest.mark.parametrize("text", UNSURE)
def test_what_is_not_said_for_sure_is_left_alone(text: str) -> None:
    assert read(text) == []


def test_who_says_i_must_be_known_and_an_assistant_is_no_witness() -> None:
    assert read("I live in Lisbon.", None) == []
    assert triples(statements_of(Turn(1, "I live in Lisbon.", None, "user"))) == {("user", "lives_in", "Lisbon", False)}
    assert statements_of(Turn(1, "Maya lives in Lisbon.", None, "assistant")) == []
    assert statements_of(Turn(1, "Maya lives in Lisbon.", "Assistant")) == []
    assert statements_of(Turn(1, "Maya lives in Lisbon.", "Assistant", "user"))
    assert read("Ich wohne in Lissabon. I live in Lisbon.", language="german") == []
    assert read("I live in Lisbon.", modality="code") == []


def only(text: str, said: datetime | None = SAID, offset: int = 0) -> Statement:
    (found,) = statements_of(Turn(1, text, "Maya", None, said, offset))
    return found


def day(month: int, number: int, year: int = 2026) -> datetime:
    return datetime(year, month, number, tzinfo=UTC)


def test_when_it_happened_is_not_when_it_was_said() -> None:
    failed = only("The rollback test failed on March 10.")
    assert (failed.kind, failed.event_from, failed.event_to) == ("event", day(3, 10), day(3, 11))
    assert only("The rollback test failed.").event_from is None
    assert [each.event_from for each in read("The launch was postponed to Friday.") if each.relation == "status"] == [
        None
    ]
    assert only("They postponed the launch to May.").event_from is None


def test_a_relative_time_is_counted_from_its_own_day_in_its_own_zone() -> None:
    late = datetime(2026, 3, 12, 1, tzinfo=UTC)  # the evening of the 11th in New York
    bought = only("I bought a bicycle yesterday.", late, -240)
    assert (bought.event_from, bought.event_to) == (day(3, 10) + timedelta(hours=4), day(3, 11) + timedelta(hours=4))
    assert only("I bought a bicycle yesterday.", None).event_from is None
    assert only("I bought a bicycle in May 2024.", None).event_from == day(5, 1, 2024)


def test_a_change_begins_a_state_and_a_present_state_takes_no_passing_time() -> None:
    moved = only("I moved to Berlin in May 2024.")
    assert (moved.relation, moved.event_from, moved.event_to) == ("lives_in", day(5, 1, 2024), None)
    since = only("I have been living in Lisbon since 2019.")
    assert (since.event_from, since.event_to) == (day(1, 1, 2019), None)
    assert only("I work at Acme on Mondays.").event_from is None
    for became in ("Peter Holm became CEO of Nordwind on 1 March 2024.", "I was promoted to director in March 2024."):
        assert (only(became).event_from, only(became).event_to) == (day(3, 1, 2024), None)
    stopped = only("I stopped living in Gent on 1 April 2025.")
    assert (stopped.negated, stopped.event_from, stopped.event_to) == (True, day(4, 1, 2025), None)
    lived = only("I lived in Paris in 2019.")
    assert (lived.event_from, lived.event_to) == (day(1, 1, 2019), day(1, 1, 2020))


def test_a_plan_is_an_intention_and_never_an_event() -> None:
    plan = only("I'm planning to visit Japan in May.")
    assert (plan.kind, plan.event_from, plan.event_to) == ("intention", day(5, 1), day(6, 1))


def test_the_spans_are_the_characters_of_the_clause() -> None:
    text = "Hey Liam! Great news. Last week I moved to Berlin, and it is cold."
    (found,) = read(text)
    ((record, start, end),) = found.spans
    assert (record, text[start:end]) == (1, "Last week I moved to Berlin")


def test_what_goes_on_with_and_rests_on_the_subject_and_its_own_words() -> None:
    text = "Ana lives in Bath and works at Rolls-Royce."
    _, works = read(text)
    assert [text[first:last].strip() for _, first, last in works.spans] == ["Ana", "works at Rolls-Royce"]
    left, joined = read("I left Initech last week and joined Globex on Monday.")
    assert (left.event_from, joined.event_from) == (day(3, 2), day(3, 9))
    went_on = "I went to a parade and it was awesome - so much energy and love everywhere."
    assert triples(read(went_on)) == {(M, "went_to", "parade", False)}


def test_a_long_record_gives_a_bounded_number_of_statements() -> None:
    found = read(" ".join(f"I like tea{chr(97 + n)}." for n in range(26)))
    assert len(found) == MOST_STATEMENTS


@settings(deadline=None, max_examples=60)
@given(st.text(alphabet="Iiamlve n LisbonPort.?!,'’\"-\n0123 likes", max_size=200))  # noqa: RUF001
def test_any_text_gives_only_statements_that_it_supports(text: str) -> None:
    assert all(supported(each, {1: text}) for each in read(text))


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("I work at Acme from March 18.", "2026-03-18"),
        ("I work at Acme starting April 1.", "2026-04-01"),
        ("I work at Acme from Monday.", "2026-03-16"),
        ("I'm moving to Oslo in June.", "2026-06-01"),
        ("I'm moving to Oslo in January.", "2027-01-01"),
        ("I have lived in Rome since May.", "2025-05-01"),
        ("I have lived in Rome since March 18.", "2025-03-18"),
        ("I bought a red bicycle on March 18.", "2025-03-18"),
    ],
)
def test_a_date_without_a_year_lies_ahead_where_something_is_to_begin(text: str, begins: str) -> None:
    assert [each.event_from.date().isoformat() for each in read(text) if each.event_from] == [begins]


def test_a_birthday_holds_from_the_day_of_birth_on_and_without_its_year_has_no_time() -> None:
    born = only("My birthday is on 4 May 1990.")
    assert (born.relation, born.event_from, born.event_to) == ("birthday", datetime(1990, 5, 4, tzinfo=UTC), None)
    yearly = only("My birthday is on 4 May.")
    assert (yearly.relation, yearly.event_from, yearly.event_to) == ("birthday", None, None)
