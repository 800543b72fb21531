"""What workbooks hold beside the values of their cells: shared formulas, comments, and what is only counted."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

from muniment.settings import Settings
from muniment.sources import Parsed, read_source
from muniment.sources.parsed import Origin
from muniment.sources.tables.shared_formulas import SharedFormula
from muniment.sources.tables.xlsx import read_xlsx


def fixtures() -> ModuleType:
    path = Path(__file__).parents[2] / "conformance/sources/fixtures/xlsx.py"
    spec = spec_from_file_location("fixtures_of_workbooks", path)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def read(data: bytes) -> Parsed:
    return read_source(
        data, kind="file", filename="b.xlsx", media_type=None, source_key="b.xlsx", settings=Settings()
    )  # fmt: skip


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("A1+$B$2+C$3+$D4", "B3+$B$2+D$3+$D6"),
        ("SUM(A1:A9)*2", "SUM(B3:B11)*2"),
        ("SUM(A:C)+SUM(1:3)+SUM($A:C)", "SUM(B:D)+SUM(3:5)+SUM($A:D)"),
        ('"A1"&A1&"say ""A1"" "', '"A1"&B3&"say ""A1"" "'),
        ("'My A1 sheet'!A1+S1!A1", "'My A1 sheet'!B3+S1!B3"),
        ("LOG10(A1)+VATS2020+Table1[A1]", "LOG10(B3)+VATS2020+Table1[A1]"),
        ("[1]Sheet1!A1+A1.5", "[1]Sheet1!B3+A1.5"),
        ("Z1+AZ1+XFD1048576", "AA3+BA3+A2"),
        ("VAT+A1B2+1E3+1.5", "VAT+A1B2+1E3+1.5"),
    ],
)
def test_a_shared_formula_is_moved_as_a_copy_would_be(formula: str, expected: str) -> None:
    shared = SharedFormula(3, 7, formula)
    assert shared.at(3, 7) == formula and shared.at(4, 9) == expected and shared.at(3, 7) == formula


def test_comments_are_records_at_their_cells_and_threads_stand_for_their_notes() -> None:
    parsed = read(fixtures().shared())
    comments = [chunk for chunk in parsed.chunks if "comment" in chunk.locator]
    assert [(each.text, each.locator["cells"], each.metadata["comment_by"]) for each in comments] == [
        ("An old note", "A4", "Carla"), ("Is it one?", "A3", "Anna"), ("It is.", "A3", "Ben"),
    ]  # fmt: skip
    assert comments[0].fields["sheet"] == "S" and comments[0].fields["row"] == "4"


def test_what_a_workbook_loses_is_counted() -> None:
    assert read(fixtures().shared()).notes == [
        "1 formulas of the sheet 'S' are left out; their values are not.", "1 charts are left out.",
    ]  # fmt: skip


def test_formulas_that_are_shared_without_end_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("muniment.sources.tables.xlsx_sheet._SHARED_CHARACTERS", 10)
    origin = Origin("file", "b.xlsx", "b.xlsx", "x/y", None, "english", Settings())  # here, and not in a child
    notes = read_xlsx(fixtures().shared(), origin).notes
    assert notes[0] == "2 formulas of the sheet 'S' are left out; their values are not."
