"""The charts of slides as tables: a row each category, a column each series."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from pptx.exc import PythonPptxError
from pptx.oxml.ns import qn

from muniment.sources.documents.text import fold

_MOST_CELLS: Final = 100_000  # of a presentation
_CELL: Final = 20  # characters, that count as a cell where values or labels are longer
_LONGEST_TITLE: Final = 1000
_BROKEN: Final = (
    KeyError, ValueError, AttributeError, TypeError, IndexError, NotImplementedError, SyntaxError, PythonPptxError,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Chart:
    """What a chart says: its title, and the cells of its values: the names of the series above, and before each row its
    category or x. It is ``more`` where it has values, and more of them than are read."""

    title: str = ""
    rows: tuple[tuple[str, ...], ...] = ()
    more: bool = False


class Charts:
    """Reads the charts of one presentation, and no more than 100,000 cells of them in all.

    What a chart costs is counted before it is read, by the points that it has, not by how many it says that it has;
    many shapes may show one chart.
    """

    def __init__(self) -> None:
        self._left = _MOST_CELLS
        self._known: dict[Any, tuple[Chart, int]] = {}

    def read(self, shape: Any) -> Chart:
        """The chart of a shape; empty where it is broken: python-pptx fails on it in the way of whatever broke."""
        try:
            part = shape.chart_part
            if part not in self._known:
                self._known[part] = _read(part.chart, self._left)
        except _BROKEN:
            return Chart()
        chart, cost = self._known[part]
        if chart.rows and cost > self._left:
            return Chart(chart.title, more=True)
        self._left -= cost if chart.rows else 0
        return chart


def _read(chart: Any, most: int) -> tuple[Chart, int]:
    """A chart of at most so many cells, and how many it counts for."""
    title = ""
    if chart.has_title and chart.chart_title.has_text_frame:
        title = fold(chart.chart_title.text_frame.text)[:_LONGEST_TITLE]
    space = chart._chartSpace
    cost = sum(1 + len(each.text or "") // _CELL for each in space.iter(qn("c:v")))
    if cost > most:
        has_values = bool(space.xpath("boolean(.//c:val//c:v | .//c:yVal//c:v)"))
        return Chart(title, more=has_values), cost
    names: list[str] = []
    columns: list[dict[int, str]] = []
    labels: dict[int, str] = {}
    for plot in chart.plots:
        element = plot._element
        levels = element.xpath("./c:ser[1]/c:cat//c:lvl[1]/c:pt") or element.xpath("./c:ser[1]/c:cat//c:pt")
        known = {at: fold(text) for at, text in _points(levels)}
        for series in plot.series:
            names.append(fold(str(series.name or "")))
            columns.append(_numbers(series._element.xpath("./c:val//c:pt | ./c:yVal//c:pt")))
            labels = max(labels, known or _numbers(series._element.xpath("./c:xVal//c:pt")), key=len)
    if not any(columns):
        return Chart(title), cost
    height = 1 + max(max(each, default=-1) for each in (labels, *columns))
    cost = max(cost, height * len(columns))
    if cost > most:
        return Chart(title, more=True), cost
    named = max(labels, default=-1)
    rows = [("", *names)]
    for number in range(height):
        label = labels.get(number, "" if number < named else str(number + 1))
        rows.append((label, *(column.get(number, "") for column in columns)))
    return Chart(title, tuple(rows)), cost


def _points(elements: Iterable[Any]) -> Iterable[tuple[int, str]]:
    """The points of a cache of values, by their numbers."""
    for each in elements:
        if (at := int(each.get("idx"))) >= 0:
            yield at, each.findtext(qn("c:v")) or ""


def _numbers(elements: Iterable[Any]) -> dict[int, str]:
    return {at: f"{float(text):.15g}" for at, text in _points(elements) if text}
