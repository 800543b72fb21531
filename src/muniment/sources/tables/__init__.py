"""Tables: formats with sheets, rows and cells."""

from muniment.sources.format import Format, Sniff, lazy_locate, lazy_read
from muniment.sources.package_names import declares, has_member

_ROOM = "muniment.sources.tables"


_OLE = bytes.fromhex("d0cf11e0a1b11ae1")
_BOOKS = ("Workbook".encode("utf-16-le"), "Book".encode("utf-16-le"))
_BARE = (b"\x04\0", b"\x06\0", b"\x08\0", b"\x10\0")  # how long the first record of a book without a container is


def is_xls(data: bytes) -> bool:
    """Whether the bytes are a book of Excel up to 2003, in a compound file or, as the first had it, without."""
    if data.startswith(_OLE):
        return any(name in data for name in _BOOKS)
    return data[:1] == b"\x09" and data[1:2] in (b"\0", b"\2", b"\4", b"\x08") and data[2:4] in _BARE


def _table(
    name: str, media_types: tuple[str, ...], extensions: tuple[str, ...], module: str, ending: str, member: bytes = b"",
    sniff: Sniff | None = None,
) -> Format:  # fmt: skip
    """A format of this room, read in isolation. ``member`` is one that only its packages have, or their type."""
    if member:
        sniff = lambda data: has_member(data, member) or declares(data, member)  # noqa: E731
    return Format(
        name,
        media_types,
        extensions,
        lazy_read(f"{_ROOM}.{module}", f"read_{ending}"),
        lazy_locate(f"{_ROOM}.{module}", f"locate_{ending}"),
        isolated=True,
        sniff=sniff,
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
    _table("xls", ("application/vnd.ms-excel",), (".xls", ".xlt"), "calamine", "calamine", sniff=is_xls),
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
