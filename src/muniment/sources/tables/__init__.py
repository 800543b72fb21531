"""Tables: formats with sheets, rows and cells."""

from muniment.sources.format import Format, lazy_locate, lazy_read
from muniment.sources.package_names import declares, has_member

_ROOM = "muniment.sources.tables"


def _table(
    name: str, media_types: tuple[str, ...], extensions: tuple[str, ...], module: str, ending: str, member: bytes = b""
) -> Format:
    """A format of this room, read in isolation. ``member`` is one that only its packages have, or their type."""
    return Format(
        name,
        media_types,
        extensions,
        lazy_read(f"{_ROOM}.{module}", f"read_{ending}"),
        lazy_locate(f"{_ROOM}.{module}", f"locate_{ending}"),
        isolated=True,
        sniff=(lambda data: has_member(data, member) or declares(data, member)) if member else None,
    )


FORMATS: tuple[Format, ...] = (
    _table("csv", ("text/csv", "application/csv"), (".csv",), "csv_rows", "csv"),
    _table("tsv", ("text/tab-separated-values",), (".tsv", ".tab"), "csv_rows", "csv"),
    _table(
        "xlsx",
        (
            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            "application/vnd.ms-excel.sheet.macroenabled.12",
            "application/vnd.openxmlformats-officedocument.spreadsheetml.template",
        ),
        (".xlsx", ".xlsm", ".xltx"),
        "xlsx",
        "xlsx",
        b"xl/workbook.xml",
    ),
    _table("xls", ("application/vnd.ms-excel",), (".xls", ".xlt"), "calamine", "calamine"),
    _table(
        "ods",
        (
            "application/vnd.oasis.opendocument.spreadsheet",
            "application/vnd.oasis.opendocument.spreadsheet-template",
        ),
        (".ods", ".ots"),
        "calamine",
        "calamine",
        b"opendocument.spreadsheet",
    ),
)
