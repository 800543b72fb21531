"""What the commands print for people says a thing once."""

import io
import sys

import pytest
import structlog
from rich.console import Console

from muniment.cli import main, output
from muniment.cli.commands import query_runs
from muniment.cli.commands.profiles import differences
from muniment.cli.commands.query_runs import routes_without_part
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


def test_text_of_others_is_printed_word_for_word() -> None:
    for console in (output.console, output.complaints):
        with console.capture() as captured:
            console.print(output.safe("chat:office: [bold]x[/] :smile:"))
        assert captured.get() == "chat:office: [bold]x[/] :smile:\n"


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
    monkeypatch.setattr(output, "complaints", Console(file=told, emoji=False))
    monkeypatch.setattr(sys, "argv", ["muniment", "search"])
    with pytest.raises(SystemExit) as ended:
        main.run()
    logged = capsys.readouterr().err
    assert ended.value.code == 70 and told.getvalue().startswith("internal: ")
    assert ("RuntimeError" in logged) is shown and "a word of a request" not in logged.replace("secret = ", "")
    structlog.reset_defaults()
