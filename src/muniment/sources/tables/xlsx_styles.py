"""What the number formats of XLSX mean: dates, times, durations and percentages."""

import re
from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta
from typing import Literal

from muniment.sources.xml_stream import parse_xml

Kind = Literal["number", "date", "time", "moment", "duration", "percent"]

_BUILT_IN: dict[int, Kind] = {
    9: "percent", 10: "percent", 14: "date", 15: "date", 16: "date", 17: "date", 18: "time", 19: "time", 20: "time",
    21: "time", 22: "moment", 45: "time", 46: "duration", 47: "time",
    **{number: "date" for number in (*range(27, 32), 36, *range(50, 59))}, 32: "time", 33: "time", 34: "time",
    35: "time",
}  # fmt: skip
_NOT_CODE = re.compile(r'"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]', re.IGNORECASE)
_ELAPSED = re.compile(r"\[(?:h+|m+|s+)\]", re.IGNORECASE)
_LAST_SERIAL = 2_958_465  # 9999-12-31
_FALSE_LEAP_DAY = 60  # 1900-02-29, which Excel has and the calendar has not


def read_styles(pieces: Iterable[bytes]) -> list[Kind]:
    """The kind of number of each cell style, by its index."""
    codes: dict[int, Kind] = dict(_BUILT_IN)
    kinds: list[Kind] = []
    inside = False

    def start(name: str, attributes: Mapping[str, str]) -> None:
        nonlocal inside
        if name == "numFmt":
            codes[_number(attributes.get("numFmtId"))] = kind_of(attributes.get("formatCode", ""))
        elif name == "cellXfs":
            inside = True
        elif name == "xf" and inside:
            kinds.append(codes.get(_number(attributes.get("numFmtId")), "number"))

    def end(name: str) -> None:
        nonlocal inside
        inside = inside and name != "cellXfs"

    parse_xml(pieces, start=start, end=end)
    return kinds


def kind_of(code: str) -> Kind:
    """What a format code such as ``yyyy-mm-dd`` or ``0.0%`` makes of a number."""
    plain = _NOT_CODE.sub("", code[:1000].split(";")[0]).lower()
    if _ELAPSED.search(plain):
        return "duration"
    day = "y" in plain or "d" in plain
    clock = "h" in plain or "s" in plain
    if day and clock:
        return "moment"
    if day or clock:
        return "date" if day else "time"
    if "general" not in plain and "m" in plain and "#" not in plain and "0" not in plain:
        return "date"
    return "percent" if "%" in plain else "number"


def number_text(text: str, kind: Kind, since_1904: bool) -> str:
    """A number as its format means it, dates and times as ISO 8601 has them; what is none stays as it is."""
    try:
        value = float(text)
    except ValueError:
        return text
    if kind == "percent":
        return f"{value * 100:.10g}%"
    if kind == "duration" and abs(value) < _LAST_SERIAL:
        seconds = round(value * 86_400)
        sign, seconds = ("-" if seconds < 0 else ""), abs(seconds)
        return f"{sign}{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    if kind == "number" or not 0 <= value <= _LAST_SERIAL:
        return f"{value:.15g}" if text.strip().lstrip("-").replace(".", "", 1).isdigit() and "." in text else text
    return _moment(value, kind, since_1904)


def _moment(value: float, kind: Kind, since_1904: bool) -> str:
    days, fraction = divmod(value, 1)
    seconds = round(fraction * 86_400)
    clock = (datetime.min + timedelta(seconds=seconds % 86_400)).time().isoformat()
    if kind == "time" or (value < 1 and kind == "moment"):
        return clock
    epoch = date(1904, 1, 1) if since_1904 else date(1899, 12, 31 if days < _FALSE_LEAP_DAY else 30)
    try:
        day = (epoch + timedelta(days=int(days) + seconds // 86_400)).isoformat()
    except OverflowError:
        return f"{value:.15g}"
    return day if kind == "date" and seconds % 86_400 == 0 else f"{day} {clock}"


def _number(text: str | None) -> int:
    return int(text) if text and text.isdecimal() and len(text) < 10 else 0
