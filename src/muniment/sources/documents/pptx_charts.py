"""The charts of slides as tables: a row each category, a column each series."""

from typing import Any, Final

from muniment.sources.documents.text import fold

_MOST_CELLS: Final = 100_000


def read_chart(shape: Any) -> tuple[str, list[list[str]]]:
    """The title of a shape's chart and the cells of its values, as ``chart_title`` and ``chart_rows`` give them.

    Both are empty where the chart is broken: python-pptx fails on it in the way of whatever broke.
    """
    try:
        return chart_title(shape.chart), chart_rows(shape.chart)
    except (KeyError, ValueError, AttributeError, TypeError, IndexError, NotImplementedError, SyntaxError):
        return "", []


def chart_title(chart: Any) -> str:
    """The title that a chart has, on one line; empty where it has none of its own."""
    if chart.has_title and chart.chart_title.has_text_frame:
        return fold(chart.chart_title.text_frame.text)
    return ""


def chart_rows(chart: Any) -> list[list[str]]:
    """The cells of a chart's values: the names of the series above, and before each row its category or x.

    Empty where it has no value that is kept in the presentation, and where it has more than 100,000.
    """
    names: list[str] = []
    columns: list[list[str]] = []
    labels: list[str] = []
    for plot in chart.plots:
        known = [fold(str(each)) for each in plot.categories]
        for series in plot.series:
            names.append(fold(str(series.name or "")))
            columns.append([_number(value) for value in series.values])
            across = [_number(float(each)) for each in series._element.xpath(".//c:xVal//c:v/text()")]
            labels = max(labels, known or across, key=len)
    height = max((len(column) for column in columns), default=0)
    if not height or height * len(columns) > _MOST_CELLS:
        return []
    rows = [["", *names]]
    for number in range(height):
        label = labels[number] if number < len(labels) else str(number + 1)
        rows.append([label, *(column[number] if number < len(column) else "" for column in columns)])
    return rows


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.15g}"
