"""Lines of profiles: one for each value, the latest where only one holds, and what changed from version to version."""

from datetime import UTC, datetime

from muniment.derivation.profiles.lines import ProfileFact, changes, lines_of


def _fact(number: int, relation: str, value: str, day: int | None = None, **other: object) -> ProfileFact:
    single = relation in ("lives_in", "works_at")
    given = {"object_type": "thing", "negated": False, "kind": "statement", "meant": relation, "single": single} | other
    at = None if day is None else datetime(2026, 3, day, tzinfo=UTC)
    return ProfileFact(number, relation, value, value.casefold(), text=f"{relation} {value}", at=at, **given)  # type: ignore[arg-type]


def test_of_a_relation_with_one_value_the_latest_stays_and_of_others_all() -> None:
    lines = lines_of([_fact(1, "lives_in", "Paris", 1), _fact(2, "lives_in", "Berlin", 5), _fact(3, "likes", "tea"),
                      _fact(4, "likes", "coffee", 6)])  # fmt: skip
    assert [(line.aspect, line.text) for line in lines] == [
        ("identity", "lives_in Berlin"), ("preferences", "likes tea"), ("preferences", "likes coffee"),
    ]  # fmt: skip


def test_the_registry_says_what_a_relation_is_and_which_values_are_refined() -> None:
    lines = lines_of([_fact(1, "employer", "Acme", 1, meant="works_at", single=True),
                      _fact(2, "works_for", "Globex", 5, meant="works_at", single=True),
                      _fact(3, "requires", "verification", 1, meant="requires", refined=True),
                      _fact(4, "requires", "verification in a setup", 5, meant="requires", refined=True),
                      _fact(5, "requires", "approval", 2, meant="requires", refined=True)])  # fmt: skip
    assert {line.object_key for line in lines} == {"globex", "verification in a setup", "approval"}


def test_a_report_that_comes_later_of_something_earlier_overtakes_nothing() -> None:
    assert lines_of([_fact(1, "lives_in", "Berlin", 9), _fact(2, "lives_in", "Paris", 1)])[0].text == "lives_in Berlin"


def test_a_denial_ends_the_line_of_its_value_and_is_one_itself_where_nobody_said_it() -> None:
    ended = [_fact(1, "works_at", "Acme", 1), _fact(2, "works_at", "Acme", 2, negated=True)]
    assert lines_of(ended) == []
    assert len(lines_of([_fact(1, "likes", "tea", negated=True)])) == 1


def test_a_plan_is_no_event_and_what_happens_again_is_inferred_to_be_an_interest() -> None:
    lines = lines_of([_fact(1, "went", "hiking", 1, kind="event"), _fact(2, "went", "hiking", 8, kind="event"),
                      _fact(3, "plans_to", "move", 9, kind="intention")])  # fmt: skip
    assert [(line.aspect, line.explicit, line.facts) for line in lines] == [
        ("interests", False, (1, 2)), ("events", True, (1, 2)), ("plans", True, (3,)),
    ]  # fmt: skip


def test_changes_tell_what_is_added_updated_and_deleted_and_nothing_of_what_stays() -> None:
    before = [line.stored() for line in lines_of([_fact(1, "lives_in", "Paris"), _fact(2, "likes", "tea"),
                                                  _fact(3, "likes", "coffee")])]  # fmt: skip
    after = [line.stored() for line in lines_of([_fact(4, "lives_in", "Berlin"), _fact(2, "likes", "tea"),
                                                 _fact(5, "plays", "chess")])]  # fmt: skip
    told = {(each["operation"], each["text"]) for each in changes(before, after)}
    assert told == {("update", "lives_in Berlin"), ("delete", "likes coffee"), ("add", "plays chess")}
    assert changes(after, after) == []
