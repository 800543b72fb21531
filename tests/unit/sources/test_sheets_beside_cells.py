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


def fixtures(name: str = "xlsx") -> ModuleType:
    path = Path(__file__).parents[2] / f"conformance/sources/fixtures/{name}.py"
    spec = spec_from_file_location(f"fixtures_of_workbooks_{name}", path)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def read(data: bytes, filename: str = "b.xlsx") -> Parsed:
    return read_source(
        data, kind="file", filename=filename, media_type=None, source_key=filename, settings=Settings()
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


def test_formulas_and_comments_of_ods_are_counted_wherever_its_pieces_part() -> None:
    cell = '<table:table-cell table:formula="of:=1" office:value-type="float" office:value="1"><text:p>1</text:p>'
    rows = f"<table:table-row>{cell}<office:annotation ><text:p>why</text:p></office:annotation></table:table-cell>"
    table = f'<table:table table:name="S">{(rows + "</table:table-row>") * 3000}</table:table>'
    assert read(fixtures("ods").sheets(table), "b.ods").notes == [
        "3000 formulas are left out; values are not.", "3000 comments are left out; values are not.",
    ]  # fmt: skip
    assert read(fixtures("xls").workbook(), "b.xls").notes[-1].startswith("Formulas and comments, where it has any")
