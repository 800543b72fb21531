"""XLSX: every sheet's tables in groups of rows, values with their formulas, located by sheet and cells."""

from collections.abc import Mapping
from typing import Any

from muniment.errors import MunimentError
from muniment.sources.package import Package, damaged
from muniment.sources.parsed import Chunk, Origin, Parsed
from muniment.sources.properties import core_properties
from muniment.sources.relations import read_relations
from muniment.sources.tables.grid import Sheet, locate_cells, sheet_chunks
from muniment.sources.tables.xlsx_comments import Comment, comment_chunks, locate_comment, read_comments
from muniment.sources.tables.xlsx_sheet import SheetReader, read_shared_strings
from muniment.sources.tables.xlsx_styles import Kind, read_styles
from muniment.sources.xml_stream import parse_xml


def read_xlsx(data: bytes, origin: Origin) -> Parsed:
    """Groups of rows, sheet by sheet; hidden sheets and rows are read and say so in their metadata.

    Values are as their formats mean them, dates in ISO 8601; a formula stands behind its value, or alone where no value
    is cached. Merged cells say the same in each cell. Raises ``source.damaged`` for broken packages and XML and for
    document types, ``input.too_large`` and ``source.too_complex`` at the limits, ``input.empty_text`` without any cell.
    """
    workbook = _Workbook(Package(data, origin.settings))
    properties = core_properties(workbook.package)
    title = origin.title or properties.title
    chunks: list[Chunk] = []
    notes: list[str] = []
    for number, name in enumerate(workbook.names):
        sheet = workbook.sheet(number)
        if sheet.hidden:
            notes.append(f"The sheet {name!r} is hidden.")
        if sheet.formulas_left_out:
            notes.append(
                f"{sheet.formulas_left_out} formulas of the sheet {name!r} are left out; their values are not."
            )
        chunks.extend(sheet_chunks(sheet, origin, title, len(chunks)))
        base = origin.fields() | ({"title": title} if title else {}) | {"sheet": name}
        chunks.extend(comment_chunks(workbook.comments(number), origin, base, len(chunks)))
    notes += workbook.left_out()
    if not chunks:
        raise MunimentError("input.empty_text", "There is no text in any cell.")
    return Parsed("table", origin.media_type, title, origin.language, chunks, notes=notes, at=properties.at)


def locate_xlsx(data: bytes, locator: Mapping[str, Any]) -> str:
    """The text of the cells that a locator names by ``sheet``, ``cells`` and ``header``."""
    workbook = _Workbook(Package(data))
    if locator["sheet"] not in workbook.names:
        return ""
    if "comment" in locator:
        return locate_comment(workbook.comments(workbook.names.index(locator["sheet"])), locator)
    return locate_cells(workbook.sheet(workbook.names.index(locator["sheet"])), locator)


class _Workbook:
    """A workbook: its sheets by name, and what they share. Sheets are read one at a time."""

    def __init__(self, package: Package) -> None:
        self.package = package
        self.names: list[str] = []
        self._sheets: list[tuple[str, bool]] = []
        self._since_1904 = False
        self._path = self._main_part()
        relations = read_relations(package, self._path)
        self._read(relations)
        self._kinds: list[Kind] = read_styles(package.pieces(relations.get("styles", "xl/styles.xml")))
        self._strings = read_shared_strings(package.pieces(relations.get("sharedStrings", "xl/sharedStrings.xml")))

    def sheet(self, number: int) -> Sheet:
        """The sheet of a number, from 0."""
        member, hidden = self._sheets[number]
        reader = SheetReader(Sheet(self.names[number], hidden=hidden), self._strings, self._kinds, self._since_1904)
        return reader.read(self.package.pieces(member))

    def comments(self, number: int) -> list[Comment]:
        """The comments at the cells of the sheet of a number, from 0."""
        return read_comments(self.package, self._sheets[number][0])

    def left_out(self) -> list[str]:
        """Notes on what is not read: charts, and images."""
        counted = (
            (sum(name.startswith(start) and name.endswith(end) for name in self.package.names), what)
            for start, end, what in (("xl/charts/chart", ".xml", "charts"), ("xl/media/", "", "images"))
        )
        return [f"{count} {what} are left out." for count, what in counted if count]

    def _main_part(self) -> str:
        path = read_relations(self.package, "").get("officeDocument", "xl/workbook.xml")
        if path not in self.package:
            raise damaged("The package has no workbook.")
        return path

    def _read(self, relations: Mapping[str, str]) -> None:
        def start(name: str, attributes: Mapping[str, str]) -> None:
            if name == "workbookPr":
                self._since_1904 = attributes.get("date1904") in ("1", "true")
            elif name == "sheet":
                relation = next((value for key, value in attributes.items() if key.rpartition(":")[2] == "id"), "")
                member = relations.get(relation)
                if member is not None and member in self.package:
                    self.names.append(attributes.get("name", f"Sheet{len(self.names) + 1}"))
                    self._sheets.append((member, attributes.get("state", "visible") != "visible"))

        parse_xml(self.package.pieces(self._path), start=start, end=lambda _: None)
