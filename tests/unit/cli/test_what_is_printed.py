"""What the commands print for people says a thing once."""

import io
import re
import sys
from pathlib import Path

import pytest
import structlog
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.cli import main, output
from muniment.cli.commands import profiles, query_runs
from muniment.cli.commands.profiles import differences
from muniment.cli.commands.query_runs import routes_without_part
from muniment.errors import MunimentError
from muniment.model.profile import RetrievalProfile
from muniment.model.query_runs import Explanation, RouteShare, RunExplanation
from muniment.retrieval.profile import DEFAULT
from muniment.retrieval.stored_profiles import changed


def _share(route: str, because: str | None = None, rank: int | None = None) -> RouteShare:
    return RouteShare(route=route, rank=rank, score=None if rank is None else 1.0, weight=1.0, because=because)


def _hit(number: int) -> Explanation:
    unused = "the route was idle: the profile does not use it"
    routes = [
        _share("lexical", rank=number),
        _share("semantic", "the route was left out: the time was up"),
        _share("graph", f"no edge leads to it within {number} hops"),
        _share("bridge", "the route found nothing"),
        *(_share(name, unused) for name in ("code", "table")),
    ]
    return Explanation(
        query_id="q_1", record_id=f"d_{number}", question="x", returned=True, rank=number, detail="d", routes=routes
    )


def test_a_route_that_took_no_part_is_told_once_with_its_reason(capsys: pytest.CaptureFixture[str]) -> None:
    hits = [_hit(1), _hit(2), _hit(3)]
    assert routes_without_part(hits) == {
        "left out: the time was up": ["semantic"],
        "found nothing": ["bridge"],
        "idle: the profile does not use it": ["code", "table"],
    }
    told = RunExplanation(query_id="q_1", mode="search", question="x", hits=hits)
    with query_runs.console.capture() as captured:
        query_runs._print_run(told)
    shown = captured.get()
    assert [shown.count(word) for word in ("semantic", "bridge", "code, table", "does not use it")] == [1, 1, 1, 1]
    assert [shown.count(word) for word in ("lexical", "no edge leads to it")] == [3, 3]


def _profile(version: int, changes: dict[str, dict[str, float]]) -> RetrievalProfile:
    parameters = changed(DEFAULT, changes, name="mine", version=version).parameters()
    return RetrievalProfile(
        name="mine", version=version, base="default", changes=changes, parameters=parameters, digest="d"
    )


def test_what_a_change_of_a_profile_changed_is_each_parameter_that_differs() -> None:
    first = _profile(1, {"lexical": {"k1": 1.4}, "coverage": {"b": 0.5}})
    second = _profile(2, {"lexical": {"k1": 1.3}})
    assert differences(None, first) == [("lexical.k1", None, 1.4), ("coverage.b", None, 0.5)]
    assert differences(first, second) == [
        ("coverage.b", 0.5, DEFAULT.coverage.b),
        ("lexical.k1", 1.4, 1.3),
    ]
    assert differences(second, second) == []


def test_a_profile_that_can_no_longer_be_used_is_shown_with_the_reason_and_what_was_asked_of_it() -> None:
    gone = RetrievalProfile(
        name="mine", version=1, base="default", changes={"fusion": {"weights": {"lens": 2.0}}}, parameters={},
        digest="d", unusable="there is no route 'lens'",
    )  # fmt: skip
    with profiles.console.capture() as captured:
        profiles._print(gone, as_json=False)
    shown = " ".join(captured.get().split())
    assert "mine cannot be used any more: there is no route 'lens'; set it anew" in shown
    assert "fusion.weights.lens = 2.0" in shown
    assert differences(gone, _profile(2, {"lexical": {"k1": 1.3}})) == [("lexical.k1", None, 1.3)]


HOSTILE = [
    "chat:office: [bold]x[/] :smile:",
    "C:\\data\\",
    "two\\\\",
    "\\[b]",
    "\\[",
    "[/]",
    "\\\\[red]x[/red]\\",
    "[",
    "]",
]
texts = st.one_of(st.sampled_from(HOSTILE), st.text(alphabet="\\[]/ab=#@ ", max_size=12), st.text(max_size=12)).filter(
    lambda text: text.isprintable()
)


@given(texts, texts, st.sampled_from(["{}{}", "[bold]{}[/]{}", "  {} = {}", "[dim]{}[/][red]{}[/]", "({}) {}."]))
@settings(deadline=None, max_examples=150)
def test_text_of_others_is_printed_word_for_word_wherever_it_stands(one: str, other: str, form: str) -> None:
    plain = re.sub(r"\[/?(?:bold|dim|red)?\]", "", form).format(one, other)
    for console in (output.console, output.complaints):
        with console.capture() as captured:
            console.print(form.format(output.safe(one), output.safe(other)))
        assert captured.get() == plain + "\n"


@pytest.mark.parametrize("text", HOSTILE)
def test_text_of_others_is_printed_word_for_word_in_tables_errors_and_without_markup(text: str) -> None:
    listing = output.table("a", "b")
    listing.add_row(output.safe(text), "[red]1[/]")
    with output.console.capture() as captured:
        output.console.print(listing)
        output.console.print(output.place({"filename": text}), markup=False)
    assert [line.split("  ")[0].rstrip() for line in captured.get().splitlines()] == ["a", text, text]
    with output.complaints.capture() as captured:
        output.print_error(MunimentError("input.invalid", text, **{text: text}), as_json=False)
    assert captured.get() == f"input.invalid: {text}\n  {text}: {text}\n"


def test_there_is_one_way_for_text_of_others_into_markup() -> None:
    sources = Path(output.__file__).parent.rglob("*.py")
    others = [path for path in sources if path != Path(output.__file__)]
    assert [path.name for path in others if "rich.markup" in (text := path.read_text()) or "rich.console" in text] == []


@pytest.mark.parametrize(("level", "shown"), [("info", False), ("debug", True)])
def test_a_fault_inside_is_told_by_its_code_and_nothing_it_worked_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], level: str, shown: bool
) -> None:
    def fail() -> None:
        secret = "a word of a request"
        raise RuntimeError(f"{len(secret)}")

    told = io.StringIO()
    monkeypatch.setenv("MUNIMENT_LOG_LEVEL", level)
    monkeypatch.setattr(main, "app", fail)
    monkeypatch.setattr(output, "complaints", output.TextConsole(file=told, emoji=False))
    monkeypatch.setattr(sys, "argv", ["muniment", "search"])
    with pytest.raises(SystemExit) as ended:
        main.run()
    logged = capsys.readouterr().err
    assert ended.value.code == 70 and told.getvalue().startswith("internal: ")
    assert ("RuntimeError" in logged) is shown and "a word of a request" not in logged.replace("secret = ", "")
    structlog.reset_defaults()


def test_a_place_names_the_page_and_says_whose_words_describe_an_image() -> None:
    page = {"filename": "plan.png", "page": 3, "figure": 1}
    assert output.place(page | {"describes": "image"}) == "plan.png, page 3, figure 1"
    assert (
        output.place(page | {"describes": "visible_text"})
        == "plan.png, page 3, figure 1, visible text in a model's words"
    )
