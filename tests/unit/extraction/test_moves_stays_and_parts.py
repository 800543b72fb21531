# ruff: noqa: E501
"""What is no home, what lasts a while alone, and denials that deny a part alone; each beside what is one."""

import pytest
from test_whose_words_they_are import told, triples

from muniment.extraction.places import is_place


@pytest.mark.parametrize(
    "text",
    [
        "We moved to Slack.", "We moved to Python last year.", "I moved to Marketing.", "I moved to AWS in May.",
        "We moved to Plan B.", "We moved to Notion.", "I moved to Gmail.", "Ana moved to Sales.", "I moved to Team Blue.",
        "I'm moving to Marketing.", "We moved to New Relic.", "We moved to Customer Success.", "We moved to Windows 11.",
        "I moved to Product Management.", "I moved away from Slack.", "I moved out of Marketing.", "We relocated to Slack.",
        "I live in Excel these days.", "We moved to Zarnow.", "I moved to Google.", "Ana moved to Siemens last year.", "I moved to QZX.", "I moved to Room.", "I moved to the Berlin office.", "We moved to Berlin Sales.",
    ],
)  # fmt: skip
def test_what_nobody_can_live_in_is_no_home(text: str) -> None:
    assert told(text) == []


@pytest.mark.parametrize(
    ("text", "home"),
    [
        ("We moved to Berlin.", "Berlin"), ("I relocated to Berlin.", "Berlin"), ("I moved to Germany.", "Germany"),
        ("I relocated to Zarnow.", "Zarnow"), ("I moved to Zarnow.", "Zarnow"), ("I moved from Berlin to Zarnow.", "Zarnow"), ("I moved to 大阪.", "大阪"),
        ("I moved to Zarnow with my family.", "Zarnow"), ("I moved to Zarnow, Bavaria.", "Zarnow"),
        ("I moved to Kestrel Bay last month.", "Kestrel Bay"), ("I moved to East London.", "East London"),
        ("I moved to Washington, D.C. last year.", "Washington"), ("I moved to Phoenix for a new job.", "Phoenix"),
        ("I moved to القاهرة.", "القاهرة"), ("I live in תל אביב now.", "תל אביב"), ("We moved to 서울 in May.", "서울"),
        ("I moved to Đà Nẵng.", "Đà Nẵng"), ("I moved to Tromsø.", "Tromsø"), ("I moved to St. Gallen.", "St. Gallen"),
    ],
)  # fmt: skip
def test_who_moved_to_a_place_lives_there(text: str, home: str) -> None:
    assert triples(text) == {("Maya", "lives_in", home, False)}


@pytest.mark.parametrize("name", ["Lisbon", "lisbon", "SÃO PAULO", "Sao Paulo", "The Hague", "Saint-Denis", "New York"])
def test_a_place_is_known_however_it_is_written(name: str) -> None:
    assert is_place(name)


@pytest.mark.parametrize("name", ["Slack", "Python", "Marketing", "Sales", "Google", "", "\n", "Li", "sbon"])
def test_what_is_no_place_is_none(name: str) -> None:
    assert not is_place(name)


@pytest.mark.parametrize(
    "text",
    [
        "I'm staying in Rome for two days.", "I'm staying in Rome.", "I'm living in Rome for the summer.",
        "I'm based in Oslo this week.", "I moved to Rome for two months.", "I'm working at Acme for a few weeks.",
        "I live in Rome for the time being.", "I'm working at Acme this summer.", "I'm living in Rome temporarily.",
    ],
)  # fmt: skip
def test_what_lasts_a_while_is_no_state(text: str) -> None:
    assert told(text) == []


def test_how_long_something_has_lasted_or_that_it_just_began_is_no_end() -> None:
    assert triples("I've been living in Rome for two months.") == {("Maya", "lives_in", "Rome", False)}
    assert triples("I moved to Rome this week.") == {("Maya", "lives_in", "Rome", False)}
    assert triples("I started working at Acme this month.") == {("Maya", "works_at", "Acme", False)}


@pytest.mark.parametrize(
    "text",
    [
        "I don't just like tea, I love it.", "I don't merely like tea.", "I don't just work at Acme, I own it.",
        "I'm not just a teacher.", "I'm not only a teacher but a poet.", "I don't always work at Acme.",
        "I don't just speak French.", "I do not merely live in Rome.", "Ana doesn't only play chess.",
        "I'm not only living in Rome.", "I'm not simply married to Tom.", "It's not that I don't like tea.",
    ],
)  # fmt: skip
def test_a_part_that_is_denied_denies_nothing(text: str) -> None:
    assert [each for each in told(text) if each.negated] == []


@pytest.mark.parametrize("text", ["I don't like tea.", "I don't really like tea.", "I don't even like tea."])
def test_a_denial_is_one(text: str) -> None:
    assert triples(text) == {("Maya", "likes", "tea", True)}
