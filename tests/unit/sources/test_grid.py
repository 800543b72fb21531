"""Tables on sheets: where they begin and end, which row names their columns, and what their cells mean."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.sources.tables.grid import Sheet, cell_range, column_name, find_areas, parse_cell, parse_range
from muniment.sources.tables.headers import find_header
from muniment.sources.tables.xlsx_styles import kind_of, number_text


def sheet(*rows: tuple[str, ...]) -> Sheet:
    cells = {n: {c: text for c, text in enumerate(row) if text} for n, row in enumerate(rows, 1)}
    return Sheet("S", {n: row for n, row in cells.items() if row})


def areas(*rows: tuple[str, ...]) -> list[tuple[str, list[int], int | None, list[int]]]:
    return [
        (f"{column_name(a.columns[0])}-{column_name(a.columns[1])}", a.above, a.header, a.below)
        for a in find_areas(sheet(*rows))
    ]


def test_the_header_may_stand_below_a_title() -> None:
    found = areas(("Sales of 2025", "", ""), ("in euros",), ("Shop", "Q1", "Q2"), ("Kiel", "4", "5"), ("Ulm", "6", "7"))
    assert found == [("A-C", [1, 2], 3, [4, 5])]


def test_tables_beside_and_below_one_another_are_apart() -> None:
    found = areas(
        ("City", "Size", "", "Peak", "Metres"), ("Ulm", "3", "", "Etna", "3357"), (), ("Lake", "Depth"), ("Como", "425")
    )
    assert found == [("A-B", [], 1, [2]), ("D-E", [], 1, [2]), ("A-B", [], 4, [5])]


def test_an_empty_row_does_not_end_a_table_that_goes_on() -> None:
    assert areas(("Shop", "Sold"), ("Kiel", "4"), (), ("Ulm", "5"), ("Jena", "6")) == [("A-B", [], 1, [2, 4, 5])]


def test_numbers_name_no_columns_but_years_beside_words_do() -> None:
    assert find_header([["4", "5"], ["6", "7"]]) is None
    assert find_header([["Shop", "2024", "2025"], ["Kiel", "6", "7"]]) == 0
    assert find_header([["Kiel", "6", "7"], ["Ulm", "8", "9"]]) is None
    assert find_header([["Total", "9 (=SUM(A1:A2))"], ["x", "y"], ["1", "2"]]) is None


@settings(deadline=None, max_examples=100)
@given(st.integers(0, 16_383), st.integers(1, 1_048_576), st.integers(0, 16_383), st.integers(1, 1_048_576))
def test_ranges_are_read_as_they_are_written(left: int, first: int, right: int, last: int) -> None:
    assert parse_range(cell_range(left, first, right, last)) == ((left, first), (right, last))


@pytest.mark.parametrize("name", ["", "1", "A", "ÄB1", "ABCD1", "A-1", "A1A", "A12345678", "A²"])
def test_what_is_no_cell_is_refused(name: str) -> None:
    with pytest.raises(ValueError):
        parse_cell(name)


@pytest.mark.parametrize(
    ("value", "code", "text"),
    [
        ("45000", "dd.mm.yyyy", "2023-03-15"), ("45000.75", "yyyy-mm-dd hh:mm", "2023-03-15 18:00:00"),
        ("0.5", "hh:mm", "12:00:00"), ("1.5", "[h]:mm", "36:00:00"), ("0.256", "0.0%", "25.6%"), 
        ("1", "mmm yy", "1900-01-01"),
        ("61", "d/m/yy", "1900-03-01"), ("0.1", '"day "0.0', "0.1"), ("0.30000000000000004", "General", "0.3"),
        ("5", "[Red]0", "5"), ("1E400", "yyyy", "1E400"), ("-5", "yyyy", "-5"), ("nan", "yyyy", "nan"),
    ],
)  # fmt: skip
def test_numbers_are_what_their_format_means(value: str, code: str, text: str) -> None:
    assert number_text(value, kind_of(code), since_1904=False) == text


def test_workbooks_of_1904_count_from_there() -> None:
    assert number_text("0", "date", since_1904=True) == "1904-01-01"
